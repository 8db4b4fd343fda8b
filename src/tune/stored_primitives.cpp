#include "vyre/tune/stored_primitives.h"

#include "tune/primitive_family.h"
#include "tune/remember.h"

namespace vyre::tune {

// What is wrong with the options is said by who makes the primitive.
template <class Options>
Options StoredPrimitives::look_up(const PrimitiveFamily<Options>& primitive, const Options& options,
                                  const device::Adapter& adapter) const {
  const auto baseline = primitive.baseline(options, adapter);
  if (!baseline) return options;
  const auto dispatch = dispatch_of(*baseline, {});
  if (!dispatch) return options;
  const store::Found found = store_.lookup(key_of(*dispatch));
  if (counters_ != nullptr) counters_->add(count_of(found.match));
  if (!found.decision) return options;
  const auto family = primitive.family(options, adapter);
  if (!family) return options;
  const auto member = member_of(*family, *found.decision);
  if (member) return primitive.with_member(options, *family, *member);
  const std::lock_guard guard(mutex_);
  problems_.push_back("a stored decision is not used: " + member.error().message);
  return options;
}

std::vector<std::string> StoredPrimitives::problems() const {
  const std::lock_guard guard(mutex_);
  return problems_;
}

primitives::KfacOptions StoredPrimitives::decided(const primitives::KfacOptions& options,
                                                  const device::Adapter& adapter) const {
  return look_up(kfac_primitive, options, adapter);
}
primitives::GemmOptions StoredPrimitives::decided(const primitives::GemmOptions& options,
                                                  const device::Adapter& adapter) const {
  return look_up(gemm_primitive, options, adapter);
}
primitives::ReduceOptions StoredPrimitives::decided(const primitives::ReduceOptions& options,
                                                    const device::Adapter& adapter) const {
  return look_up(reduce_primitive, options, adapter);
}
primitives::ScanOptions StoredPrimitives::decided(const primitives::ScanOptions& options,
                                                  const device::Adapter& adapter) const {
  return look_up(scan_primitive, options, adapter);
}
primitives::TransposeOptions StoredPrimitives::decided(const primitives::TransposeOptions& options,
                                                       const device::Adapter& adapter) const {
  return look_up(transpose_primitive, options, adapter);
}
primitives::ConvolutionOptions StoredPrimitives::decided(
    const primitives::ConvolutionOptions& options, const device::Adapter& adapter) const {
  return look_up(convolution_primitive, options, adapter);
}

}  // namespace vyre::tune
