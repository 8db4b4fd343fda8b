// The suite that every primitive goes through: on each device it must agree with its f64 reference,
// and its programs must compile as CUDA C.
//
// A primitive's test file gives its cases; suite_test.cpp runs them all.
#pragma once

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "vyre/base/error.h"
#include "vyre/device/device.h"
#include "vyre/ir/program.h"
#include "vyre/primitives/pipeline.h"

namespace vyre::primitives {

struct Case {
  std::string name;  // letters, digits and '_'
  // What the primitive runs; none for the same code at another size, to compile CUDA C once.
  std::vector<ir::Program> programs;
  // The primitive's result on a device.
  std::function<Result<std::vector<double>>(device::Device&)> run;
  std::vector<double> expected;
  double tolerance = 0;  // on |got - expected|, relative to the largest |expected|
};

std::vector<Case> convolution_cases();
std::vector<Case> elementwise_cases();
std::vector<Case> fisher_cases();
std::vector<Case> gemm_cases();
std::vector<Case> kfac_cases();
std::vector<Case> natural_gradient_cases();
std::vector<Case> newton_schulz_cases();
std::vector<Case> reduce_cases();
std::vector<Case> scan_cases();
std::vector<Case> sheaf_diagonal_cases();
std::vector<Case> sheaf_diffusion_cases();
std::vector<Case> softmax_cases();
std::vector<Case> stencil_cases();
std::vector<Case> transpose_cases();

// A case of an operation on f32.
inline Case operation_case(std::string name, std::vector<ir::Program> programs,
                           std::function<Result<Operation>(device::Device&)> make,
                           std::vector<std::vector<float>> inputs, std::vector<double> expected,
                           double tolerance) {
  const auto run = [make = std::move(make), inputs = std::move(inputs)](
                       device::Device& device) -> Result<std::vector<double>> {
    auto operation = make(device);
    if (!operation) return Unexpected(operation.error());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      auto done = operation->input(i).write(std::span(inputs[i]));
      if (!done) return Unexpected(done.error());
    }
    if (auto done = operation->launch(); !done) return Unexpected(done.error());
    std::vector<float> got(operation->output().count());
    if (auto done = operation->output().read(std::span(got)); !done) {
      return Unexpected(done.error());
    }
    return std::vector<double>(got.begin(), got.end());
  };
  return {std::move(name), std::move(programs), run, std::move(expected), tolerance};
}

// Numbers in [-1, 1), the same for a seed everywhere.
inline std::vector<float> random_floats(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(std::ldexp(random(), -31) - 1.0);
  return values;
}

template <class T>
std::vector<double> doubles(const std::vector<T>& values) {
  return {values.begin(), values.end()};
}

// The value; throws, which fails the test, with the error's message.
template <class T>
T good(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

// The message of the error; throws if there is none.
template <class T>
std::string message_of(const Result<T>& result) {
  if (result) throw std::runtime_error("there is no error");
  return result.error().message;
}

}  // namespace vyre::primitives
