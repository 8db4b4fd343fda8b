// The formats of recorded measurements, one reader each. They return what json holds an error for.
#pragma once

#include "formats/json.h"
#include "formats/recording.h"

namespace vyre::formats {

// Reads the members of an object whose '{' has been entered, until its end.
void read_t4(Json& json, Recording& into);
// A cache that is cut off in or behind its list of entries is complete as far as it goes.
void read_kernel_tuner(Json& json, Recording& into);

}  // namespace vyre::formats
