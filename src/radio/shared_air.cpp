#include "radio/shared_air.hpp"

#include <algorithm>

#include "outrider/error.hpp"

namespace outrider {
namespace {

/// Who was heard in so many steps has a slot.
constexpr int slot_steps = 10;

}  // namespace

std::vector<std::size_t> SharedAir::shares(int step, std::span<const Link> disturbing,
                                           std::span<const std::size_t> wanted) {
    OUTRIDER_CHECK(wanted.size(), ==, robots_);
    std::vector<double> share(wanted.begin(), wanted.end());
    if (access_ == Access::tdma) {
        last_contact_.resize(robots_ * robots_);
        for (const Link& link : disturbing)
            last_contact_[static_cast<std::size_t>(link.a) * robots_ + static_cast<std::size_t>(link.b)] = step + 1;
        std::vector<int> slots(robots_, 1);
        for (std::size_t a = 0; a < robots_; ++a)
            for (std::size_t b = a + 1; b < robots_; ++b)
                if (const int last = last_contact_[a * robots_ + b]; last > 0 && step + 1 - last < slot_steps) {
                    ++slots[a];
                    ++slots[b];
                }
        for (std::size_t i = 0; i < robots_; ++i) share[i] = bytes_ / slots[i];
    } else {
        std::vector<double> load(wanted.begin(), wanted.end());  // by place: what is wanted there
        for (const Link& link : disturbing) {
            load[static_cast<std::size_t>(link.a)] += static_cast<double>(wanted[static_cast<std::size_t>(link.b)]);
            load[static_cast<std::size_t>(link.b)] += static_cast<double>(wanted[static_cast<std::size_t>(link.a)]);
        }
        std::vector<double> worst = load;  // of the places that the robot is heard at
        for (const Link& link : disturbing) {
            const auto a = static_cast<std::size_t>(link.a), b = static_cast<std::size_t>(link.b);
            worst[a] = std::max(worst[a], load[b]);
            worst[b] = std::max(worst[b], load[a]);
        }
        for (std::size_t i = 0; i < robots_; ++i)
            if (worst[i] > bytes_) share[i] *= bytes_ / worst[i];
    }
    std::vector<std::size_t> out;
    for (const double bytes : share) out.push_back(static_cast<std::size_t>(bytes));
    return out;
}

}  // namespace outrider
