#include "scenario/cost.hpp"

#include <algorithm>

#include "base/budget.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr double bytes_of_pair = 4;          // of robots: links, what each last heard of the other
constexpr double bytes_of_particle = 24576;  // what its map takes at least; of an office that is explored 1.8 MB

}  // namespace

void expect_affordable_count(const Scenario& s, std::string_view option, double count, double bytes) {
    constexpr double most = 1e15;
    expect_affordable(s.name, static_cast<std::uint64_t>(std::clamp(count * bytes, 0.0, most)),
                      fmt::format("{}, which stands for about {:.3g},", option, count));
}

void expect_affordable_team(const Scenario& s) {
    const double team = double{1} * s.team.robots + s.team.bases;
    expect_affordable_count(s, fmt::format("team.robots = {}, pairs of robots", s.team.robots), team * team,
                            bytes_of_pair);
}

void expect_affordable_run(const Scenario& s) {
    const double robots = static_cast<double>(s.robots.size());
    if (s.slam.method == SlamMethod::particle)
        expect_affordable_count(s, fmt::format("slam.particles = {}", s.slam.particles), robots * s.slam.particles,
                                bytes_of_particle);
}

}  // namespace outrider
