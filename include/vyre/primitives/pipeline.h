// Programs that run one after the other on arrays they share: what every primitive is made of, and
// a way to chain programs of one's own.
//
// An Array is numbers on a device, a Pipeline the programs with their arrays, an Operation a
// pipeline with inputs and one output. All are move-only and must not outlive their device. Once
// made, they allocate nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/device/device.h"
#include "vyre/ir/program.h"
#include "vyre/run/run.h"

namespace vyre::primitives {

class CallCounter;

// A buffer that knows its name, element type and count, so that a span of the wrong length is
// refused by name and with the numbers.
class Array {
 public:
  [[nodiscard]] static Result<Array> make(device::Device& device, std::string name, Scalar element,
                                          std::uint32_t count);
  // One that there is not: it refuses everything, and says so.
  [[nodiscard]] static Array missing(std::string why);

  // Both refuse another length and another type.
  template <class T>
  [[nodiscard]] Result<void> write(std::span<const T> from) {
    if (auto fits = check(scalar_of<T>, from.size()); !fits) return fits;
    return device_->write(*buffer_, std::as_bytes(from));
  }
  template <class T>
  [[nodiscard]] Result<void> read(std::span<T> to) const {
    if (auto fits = check(scalar_of<T>, to.size()); !fits) return fits;
    return device_->read(std::as_writable_bytes(to), *buffer_);
  }

  // Whether this many elements of this type would be taken.
  [[nodiscard]] Result<void> check(Scalar element, std::size_t count) const;

  [[nodiscard]] device::Buffer* buffer() const { return buffer_.get(); }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  device::Device* device_ = nullptr;  // null: missing
  std::unique_ptr<device::Buffer> buffer_;
  std::string name_;  // or why it is missing
  Scalar element_ = Scalar::f32;
  std::uint32_t count_ = 0;
};

// One program of a pipeline, bound to its arrays.
class Stage {
 public:
  [[nodiscard]] Result<void> launch();
  // For uniforms that no size depends on.
  [[nodiscard]] Result<void> set(std::string_view uniform, Literal value) {
    return executable_.set(uniform, value);
  }
  [[nodiscard]] const Shape& shape() const { return executable_.shape(); }

 private:
  friend class Pipeline;
  Stage(run::Executable executable, std::vector<device::Buffer*> buffers, CallCounter& calls)
      : executable_(std::move(executable)), buffers_(std::move(buffers)), calls_(&calls) {}

  run::Executable executable_;
  std::vector<device::Buffer*> buffers_;
  CallCounter* calls_;
};

// Programs know their buffers by name; one name is one array, whichever programs use it.
class Pipeline {
 public:
  // Compiles all programs as one module, their uniforms at their defaults. Refuses those
  // that do not agree on a buffer they share. Requires: valid programs.
  [[nodiscard]] static Result<Pipeline> make(device::Device& device,
                                             std::span<const ir::Program> programs);

  // Launches every stage in order, up to the first that fails.
  [[nodiscard]] Result<void> launch();
  [[nodiscard]] Stage& stage(std::size_t index) { return stages_[index]; }
  // How each program is launched, in order.
  [[nodiscard]] std::vector<Shape> shapes() const;
  // That of the programs' buffers of this name. If they have none, what is done with it is refused.
  [[nodiscard]] Array& array(std::string_view name);
  [[nodiscard]] const Array& array(std::string_view name) const;

 private:
  [[nodiscard]] Result<device::Buffer*> provide(device::Device& device, const ir::Program& program,
                                                const ir::Buffer& buffer);

  std::vector<Array> arrays_;
  mutable std::list<Array> missing_;  // that were asked for
  std::vector<Stage> stages_;
};

// How often this process launched the programs of pipelines, by name. Any thread may ask at any
// time.
struct Calls {
  std::string program;
  std::uint64_t count = 0;
  bool operator==(const Calls&) const = default;
};
[[nodiscard]] std::vector<Calls> calls();

// Some inputs and one output, ready for repeated use.
//
//   auto transpose = primitives::transpose(*device, {.rows = 700, .columns = 1000});
//   auto done = (*transpose)({a}, t);          // copies in, launches, copies out
//
// Data that stays on the device is reached through input() and output(); launch() runs on what they
// hold.
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
  // How each program is launched, in order: what was chosen for the device.
  [[nodiscard]] std::vector<Shape> shapes() const { return pipeline_.shapes(); }

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
