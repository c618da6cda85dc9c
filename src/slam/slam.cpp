#include "slam/slam.hpp"

#include <algorithm>
#include <cmath>

#include "slam/online_slam.hpp"
#include "slam/particle_slam.hpp"

namespace outrider {
namespace {

/// A motion between two percepts beyond this is an error of the record.
constexpr double jump_m = 100;
constexpr double farthest_m = 200;

}  // namespace

bool Slam::possible(const Pose& motion) {
    if (norm(motion.position()) <= jump_m && std::isfinite(motion.yaw)) return true;
    ++counters_.impossible;
    return false;
}

bool moved_enough(const Pose& since_update, const SlamOptions& options) {
    return norm(since_update.position()) >= options.update_m ||
           std::abs(since_update.yaw) >= radians(options.update_deg);
}

std::span<const Point> usable_ends(std::span<const Point> ends, std::vector<Point>& memory) {
    const auto usable = [](Point p) { return std::abs(p.x) <= farthest_m && std::abs(p.y) <= farthest_m; };
    if (std::all_of(ends.begin(), ends.end(), usable)) return ends;
    memory.clear();
    std::copy_if(ends.begin(), ends.end(), std::back_inserter(memory), usable);
    return memory;
}

std::unique_ptr<Slam> make_slam(const SlamOptions& options, const Pose& start, std::uint64_t seed) {
    switch (options.method) {
        case SlamMethod::known:
            return nullptr;
        case SlamMethod::scan_match:
            return std::make_unique<OnlineSlam>(options, start);
        case SlamMethod::particle:
            return std::make_unique<ParticleSlam>(options, start, seed);
    }
    return nullptr;
}

}  // namespace outrider
