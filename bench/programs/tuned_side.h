// A program of the set as vyre runs it: tuned by the tool, launched by the library with what the
// tool decided.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "set.h"
#include "vyre/base/error.h"
#include "vyre/device/device.h"
#include "vyre/store/store.h"
#include "vyre/tune/tuned.h"

namespace vyre::bench {

struct Tuning {
  std::size_t tries = 0;
  std::string problem;  // why nothing was decided
};

// The arguments of `vyre tune` for a file on this data, which is put into the directory.
[[nodiscard]] std::string tune_arguments(const std::filesystem::path& file, const Arguments& data,
                                         double seconds, const std::filesystem::path& directory);
// `vyre tune`, which keeps its decision in the directory.
[[nodiscard]] Result<Tuning> tune_program(const Entry& entry, const Arguments& data, double seconds,
                                          const std::filesystem::path& directory);

class TunedSide {
 public:
  // With what was decided in the directory. The device must outlive it.
  [[nodiscard]] static Result<TunedSide> make(device::Device& device, const ir::Program& program,
                                              const Arguments& data,
                                              const std::filesystem::path& directory);
  [[nodiscard]] Result<void> launch() { return tuned_->dispatch(pointers_); }
  // What the buffers hold, in place of the data.
  [[nodiscard]] Result<void> read(Arguments& data) const;
  [[nodiscard]] std::string schedule() const { return tuned_->status().configuration; }

 private:
  explicit TunedSide(device::Device& device) : device_(&device) {}

  device::Device* device_;
  std::unique_ptr<store::Store> store_;
  std::optional<tune::Tuned> tuned_;
  std::vector<std::unique_ptr<device::Buffer>> buffers_;
  std::vector<device::Buffer*> pointers_;
};

}  // namespace vyre::bench
