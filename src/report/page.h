// What tuning found, as one HTML page for people: how fast each kernel was and became, every
// configuration that was tried, what each parameter does, what failed and why.
//
// The page is one file that needs no network and no script, follows the light or dark scheme of
// its reader and fits a phone. Names, values and reasons come from outside: they are shown as text,
// whatever they contain. Its size is bounded for any number of attempts.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "formats/results.h"
#include "measure/statistics.h"

namespace vyre::report {

// A kernel that was not searched now, because the store had the decision for it.
struct Remembered {
  std::string kernel;
  std::string configuration;  // in words: "workgroup = 32x4, unroll = 2"
  std::optional<measure::Estimate> default_ms;
  measure::Estimate tuned_ms;
  std::optional<measure::Estimate> speedup;
  std::chrono::sys_seconds date = {};
};

struct Page {
  std::string title = "Tuning report";
  std::string device;
  std::string driver;
  std::string version;  // of vyre
  std::chrono::sys_seconds date = {};
  std::vector<formats::Results> kernels;  // searched now
  std::vector<Remembered> remembered;
};

// The whole page, from <!doctype> to </html>, in UTF-8.
[[nodiscard]] std::string html(const Page& page);

}  // namespace vyre::report
