// T4 results: a list of configurations, each with its times, whether it is valid, and measurements
// of which the objectives name the one that counts.
#pragma once

#include "formats/json.h"
#include "formats/recording.h"

namespace vyre::formats {

// Reads the members of an object whose '{' has been entered, until its end; what is wrong is an
// error of the json.
void read_t4(Json& json, Recording& into);

}  // namespace vyre::formats
