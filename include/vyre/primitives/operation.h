// A primitive with some inputs and one output, ready for repeated use.
//
//   auto transpose = primitives::transpose(*device, {.rows = 700, .columns = 1000});
//   auto done = (*transpose)({a}, t);          // copies in, launches, copies out
//
// Data that stays on the device is reached through input() and output(); launch() runs on what they
// hold. After it is made, an operation allocates nothing.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/primitives/array.h"
#include "vyre/primitives/pipeline.h"

namespace vyre::primitives {

// Move-only; must not outlive its device.
class Operation {
 public:
  struct Parts {
    std::string name;                   // in messages
    std::vector<ir::Program> programs;  // in order
    std::vector<std::string> inputs;    // buffers that the caller fills
    std::string output;                 // the buffer that holds the result
  };
  [[nodiscard]] static Result<Operation> make(device::Device& device, Parts parts);

  // Refuses a wrong number of inputs, a wrong length and a wrong type before it copies anything.
  template <class T>
  [[nodiscard]] Result<void> run(std::initializer_list<std::span<const T>> in, std::span<T> out) {
    if (auto good = check_inputs(in.size()); !good) return good;
    if (auto good = check(output(), scalar_of<T>, out.size()); !good) return good;
    std::size_t position = 0;
    for (const std::span<const T> one : in) {
      if (auto good = check(input(position++), scalar_of<T>, one.size()); !good) return good;
    }
    position = 0;
    for (const std::span<const T> one : in) {
      if (auto done = input(position++).write(one); !done) return done;
    }
    if (auto done = launch(); !done) return done;
    return output().read(out);
  }
  [[nodiscard]] Result<void> operator()(std::initializer_list<std::span<const float>> in,
                                        std::span<float> out) {
    return run<float>(in, out);
  }

  [[nodiscard]] Result<void> launch() { return pipeline_.launch(); }
  [[nodiscard]] Array& input(std::size_t index) { return pipeline_.array(inputs_[index]); }
  [[nodiscard]] Array& output() { return pipeline_.array(output_); }

 private:
  explicit Operation(Pipeline pipeline) : pipeline_(std::move(pipeline)) {}
  [[nodiscard]] Result<void> check_inputs(std::size_t given) const;
  [[nodiscard]] Result<void> check(const Array& array, Scalar element, std::size_t count) const;

  std::string name_;
  std::vector<std::string> inputs_;
  std::string output_;
  Pipeline pipeline_;
};

}  // namespace vyre::primitives
