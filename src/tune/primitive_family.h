// The library's own programs as families: for each primitive what its decisions are kept under,
// the family that is searched, data to try its members on, and its options with a member's
// schedule.
//
// kfac: layouts. gemm: passes and blocks of the packed layout on a CPU, elsewhere the schedules of
// the tiled one. reduce, scan: shares. transpose, convolution: schedules, and tiles.
#pragma once

#include "tune/family.h"
#include "vyre/base/error.h"
#include "vyre/device/device.h"
#include "vyre/primitives/everyday.h"
#include "vyre/primitives/gemm.h"
#include "vyre/primitives/kfac.h"

namespace vyre::tune {

template <class Options>
struct PrimitiveFamily {
  // The family's baseline; it takes less time to make than the family.
  Result<ir::Program> (*baseline)(const Options& options, const device::Adapter& adapter);
  Result<Family> (*family)(const Options& options, const device::Adapter& adapter);
  Result<Workload> (*workload)(const Options& options, const device::Adapter& adapter);
  // Requires a family made for these options.
  Options (*with_member)(const Options& options, const Family& family, space::Index member);
};

extern const PrimitiveFamily<primitives::KfacOptions> kfac_primitive;
extern const PrimitiveFamily<primitives::GemmOptions> gemm_primitive;
extern const PrimitiveFamily<primitives::ReduceOptions> reduce_primitive;
extern const PrimitiveFamily<primitives::ScanOptions> scan_primitive;
extern const PrimitiveFamily<primitives::TransposeOptions> transpose_primitive;
extern const PrimitiveFamily<primitives::ConvolutionOptions> convolution_primitive;

}  // namespace vyre::tune
