// Words that end with a check value, so that one that arrived damaged is ignored.
#pragma once

#include <span>
#include <vector>

#include "outrider/team.hpp"

namespace outrider {

Word checked_word(std::uint32_t topic, RobotId to, std::vector<std::int64_t> values);

/// The values of a word without its check value; empty: it has another topic, fewer than `least` values, or is damaged.
std::span<const std::int64_t> checked_values(const Word& word, std::uint32_t topic, std::size_t least);

/// Metres, metres per second or radians per second as whole thousandths, at most a million either way.
std::int64_t thousandths(double v);
inline double from_thousandths(std::int64_t v) { return static_cast<double>(v) / 1000; }

}  // namespace outrider
