// Answers of the OpenCL query functions as values. A query that the driver refuses gives the
// default: an empty string, zero.
#pragma once

#include <string>

#include "device/opencl_api.h"

namespace vyre::device {

// `query(size, value, size_out)` is one of the clGet...Info calls with the rest bound.
template <class Query>
std::string text_info(Query query) {
  std::size_t size = 0;
  if (query(std::size_t{0}, nullptr, &size) != CL_SUCCESS || size == 0) return {};
  std::string text(size, '\0');
  if (query(size, text.data(), nullptr) != CL_SUCCESS) return {};
  // Drivers count the final zero, and some pad with more.
  text.resize(text.find_last_not_of(std::string_view("\0 \n", 3)) + 1);
  return text;
}

template <class Value, class Query>
Value value_info(Query query) {
  Value value{};
  if (query(sizeof(value), &value, nullptr) != CL_SUCCESS) return Value{};
  return value;
}

inline auto device_query(cl_device_id device, cl_device_info what) {
  return [=](std::size_t size, void* value, std::size_t* size_out) {
    return opencl().clGetDeviceInfo(device, what, size, value, size_out);
  };
}

inline std::string device_text(cl_device_id device, cl_device_info what) {
  return text_info(device_query(device, what));
}

template <class Value>
Value device_value(cl_device_id device, cl_device_info what) {
  return value_info<Value>(device_query(device, what));
}

}  // namespace vyre::device
