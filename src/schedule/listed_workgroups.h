// The workgroups that a program lists (see ir::Program): which of them can run, and the program for
// one of them alone.
#pragma once

#include <vector>

#include "schedule/space_maker.h"
#include "vyre/base/launch.h"
#include "vyre/ir/program.h"

namespace vyre::schedule {

// The launches in the workgroup that the program has and in those of its list that divide the grid
// where they must and fit the device. The program's own comes first, whether it fits or not.
[[nodiscard]] std::vector<Shape> listed_shapes(const SpaceMaker& space);

// The body with the extents of the program's workgroup as literals, so that steps can count with
// them. With that it is for no other workgroup: the list is empty.
[[nodiscard]] ir::Program in_own_workgroup(ir::Program program);

}  // namespace vyre::schedule
