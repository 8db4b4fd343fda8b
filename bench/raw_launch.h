// A launch by hand, clEnqueueNDRangeKernel + clFinish: what launches through vyre are held against.
#pragma once

#include <functional>
#include <string>

#include "bench.h"
#include "raw_queue.h"
#include "vyre/base/error.h"

namespace vyre::bench {

// The median over rounds of the time of `launch`, which says whether it went well, to that of the
// launch by hand; the target is at most 1.05.
[[nodiscard]] Result<Row> against_raw(std::string name, const std::function<bool()>& launch,
                                      RawQueue& raw);

}  // namespace vyre::bench
