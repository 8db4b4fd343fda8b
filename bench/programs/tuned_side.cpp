#include "tuned_side.h"

#include <fmt/format.h>

#include <fstream>

#include "tune_command.h"

namespace vyre::bench {

namespace fs = std::filesystem;

std::string tune_arguments(const fs::path& file, const Arguments& data, double seconds,
                           const fs::path& directory) {
  std::string text = fmt::format("tune '{}' --budget {:.0f}ms", file.string(), seconds * 1e3);
  for (const Array& array : data.arrays()) {
    const fs::path path = directory / (array.name + ".data");
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(array.bytes.data()),
               static_cast<std::streamsize>(array.bytes.size()));
    text += fmt::format(" --in {}=@'{}'", array.name, path.string());
  }
  return text;
}

Result<Tuning> tune_program(const Entry& entry, const Arguments& data, double seconds,
                            const fs::path& directory) {
  VYRE_TRY(const auto all,
           run_vyre(tune_arguments(program_path(entry), data, seconds, directory), directory));
  const auto& row = all.at("programs").at(0);
  Tuning made{.tries = row.value("evaluations", std::size_t{0}), .problem = {}};
  if (!row.at("remembered").get<bool>()) {
    made.problem = row.value("reason", row.value("not_remembered", "nothing was decided"));
  }
  return made;
}

Result<TunedSide> TunedSide::make(device::Device& device, const ir::Program& program,
                                  const Arguments& data, const fs::path& directory) {
  TunedSide made(device);
  made.store_ = std::make_unique<store::Store>(store::directory(directory.string(), {}),
                                               store::owner_of(device.adapter()));
  VYRE_TRY(made.tuned_,
           tune::Tuned::make(device, program, {},
                             {.mode = tune::Mode::stored, .store = made.store_.get()}));
  for (const Array& array : data.arrays()) {
    VYRE_TRY(auto buffer, device.allocate_with(array.bytes));
    made.pointers_.push_back(buffer.get());
    made.buffers_.push_back(std::move(buffer));
  }
  return made;
}

Result<void> TunedSide::read(Arguments& data) const {
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    VYRE_CHECK(device_->read(data.arrays()[i].bytes, *buffers_[i]));
  }
  return {};
}

}  // namespace vyre::bench
