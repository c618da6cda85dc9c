#include "grid/morton_order.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace outrider {
namespace {

/// Bit i becomes bit 2 i.
std::uint64_t spread_bits(std::uint32_t value) {
    std::uint64_t bits = value;
    bits = (bits | bits << 16) & 0x0000ffff0000ffff;
    bits = (bits | bits << 8) & 0x00ff00ff00ff00ff;
    bits = (bits | bits << 4) & 0x0f0f0f0f0f0f0f0f;
    bits = (bits | bits << 2) & 0x3333333333333333;
    return (bits | bits << 1) & 0x5555555555555555;
}

}  // namespace

std::vector<int> morton_order(std::span<const Point> points, double side) {
    const auto square = [side](double x) {  // negative ones before the others
        constexpr double middle = 2147483648.0;
        return static_cast<std::uint32_t>(std::clamp(std::floor(x / side) + middle, 0.0, 2 * middle - 1));
    };
    std::vector<std::pair<std::uint64_t, int>> codes;
    for (const Point& p : points)
        codes.emplace_back(spread_bits(square(p.x)) | spread_bits(square(p.y)) << 1, static_cast<int>(codes.size()));
    std::sort(codes.begin(), codes.end());
    std::vector<int> order;
    for (const auto& [code, number] : codes) order.push_back(number);
    return order;
}

}  // namespace outrider
