// vyre's search for anything that has parameters and gives a number: the fewer calls the better.
//
//   auto space = vyre::make_space({{"threads", {1, 2, 4, 8}}, {"block", {16, 32, 64}}},
//                                 {"threads * block <= 256"});
//   auto best = vyre::minimise(*space, {.evaluations = 30}, [](const vyre::Config& config) {
//     return seconds_with(config["threads"], config["block"]);
//   });
//   best->config.text();                                  // "threads=4 block=64"
//
// The function may return a double or a Result<double>; a failure, nan or infinity is a
// configuration that failed, and the search learns from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/space/space.h"
#include "vyre/space/value.h"

namespace vyre {

// Every valid combination of the parameters' values. Constraints are Python expressions over the
// parameters, parsed and evaluated by vyre: see docs/spaces.md.
[[nodiscard]] Result<space::Space> make_space(std::vector<space::Parameter> parameters,
                                              const std::vector<std::string>& constraints = {});

// One value for each parameter of a space.
class Config {
 public:
  Config(space::Space space, space::Index index) : space_(std::move(space)), index_(index) {}

  // Converts to the number or text that the parameter has there. Requires: a parameter of this
  // name. A value of another kind is converted if nothing is lost (4 to 4.0), else it stops the
  // program.
  class Value {
   public:
    explicit Value(space::Value value) : value_(std::move(value)) {}
    template <class T>
      requires std::is_arithmetic_v<T>
    operator T() const {  // NOLINT(google-explicit-constructor)
      if constexpr (std::is_same_v<T, bool>) {
        return boolean();
      } else if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(integer());
      } else {
        return static_cast<T>(real());
      }
    }
    operator std::string() const { return text(); }  // NOLINT(google-explicit-constructor)
    [[nodiscard]] std::int64_t integer() const;
    [[nodiscard]] double real() const;
    [[nodiscard]] bool boolean() const;
    [[nodiscard]] std::string text() const;

   private:
    space::Value value_;
  };
  [[nodiscard]] Value operator[](std::string_view parameter) const;
  // "threads=4 block=64".
  [[nodiscard]] std::string text() const;
  [[nodiscard]] space::Index index() const { return index_; }

 private:
  space::Space space_;
  space::Index index_;
};

struct MinimiseOptions {
  std::size_t evaluations = 100;     // calls of the function, at most
  std::uint64_t seed = 0;            // the same seed asks for the same configurations
  std::string strategy = "natural";  // see search::make_strategy
};

struct Evaluation {
  Config config;
  std::optional<double> value;  // none if it failed,
  std::string reason;           // and why
};

struct Minimum {
  Config config;
  double value = 0;
  std::vector<Evaluation> evaluations;  // in their order
};

// An error if nothing could be evaluated; it has the reason of the first that failed.
[[nodiscard]] Result<Minimum> minimise(const space::Space& space, const MinimiseOptions& options,
                                       const std::function<Result<double>(const Config&)>& f);

}  // namespace vyre
