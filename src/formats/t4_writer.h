// T4 results as others' tools read them (schema 1.0.0; docs/results.md says what is where): the
// words and units of the schema, and beside them what it has no place for, as measurements of the
// configuration and as metadata of the file.
#pragma once

#include <string>

#include "formats/results.h"
#include "vyre/base/error.h"

namespace vyre::formats {

// One line for each configuration. Bytes that are not UTF-8 are replaced. Requires as many values
// as parameters.
[[nodiscard]] std::string t4_text(const Results& results);
// Compressed if the name ends in .gz. A file that is there is replaced at once or not at all.
[[nodiscard]] Result<void> write_t4(const std::string& path, const Results& results);

}  // namespace vyre::formats
