// The operator of a batch run: confirms and declines what robots report, knows the truth, and errs.
#pragma once

#include "scenario/feature.hpp"

namespace outrider {

/// With victims.replies = model.
std::unique_ptr<OrderSource> make_victim_operator(const Scenario& s, const SimDriver& driver);

}  // namespace outrider
