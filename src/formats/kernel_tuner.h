// Kernel Tuner caches: one object with the parameters and, under "cache", one entry for each
// configuration. While a run goes on the file is left without its closing brackets, and entries are
// appended, each with a comma behind it.
#pragma once

#include "formats/json.h"
#include "formats/recording.h"

namespace vyre::formats {

// Reads the members of an object whose '{' has been entered, until its end; what is wrong is an
// error of the json. A cache that is cut off in or behind its list of entries is complete as far as
// it goes.
void read_kernel_tuner(Json& json, Recording& into);

}  // namespace vyre::formats
