// The first configurations, before anything is known: one near the middle of the space, where
// extremes of no parameter can spoil it, then each as far from those before as a few draws find.
#pragma once

#include <optional>
#include <span>

#include "search/asked.h"
#include "search/features.h"
#include "search/random.h"

namespace vyre::search {

// `before`: all that were asked for; of a long list only the last part counts. Nothing if the space
// is used up.
[[nodiscard]] std::optional<space::Index> start_point(const Features& features, const Asked& asked,
                                                      std::span<const space::Index> before,
                                                      Random& random);

}  // namespace vyre::search
