// Robots with batteries.
#include <array>

#include "features/battery/world.hpp"
#include "metrics/group.hpp"
#include "metrics/rows.hpp"

namespace outrider {
namespace {

/// Over the batteries of all robots.
template <class Value>
double sum_over_batteries(Record r, Value value) {
    const Batteries& batteries = *r.driver.part<Batteries>();
    double sum = 0;
    for (std::size_t i = 0; i < r.team.size(); ++i)
        sum += static_cast<double>(value(batteries.of(static_cast<RobotId>(i))));
    return sum;
}

constexpr std::array battery_rows{
    MetricInfo{"energy_wh", "Wh", 1, "what robots took from their batteries", plain,
               [](Record r) { return sum_over_batteries(r, [](const Battery& b) { return b.used_j(); }) / 3600; }},
    MetricInfo{"stranded", "", 1, "robots whose batteries got empty", plain,
               [](Record r) { return sum_over_batteries(r, [](const Battery& b) { return b.empty(); }); }},
    MetricInfo{"charging_trips", "", 1, "times that a robot came to a base with less than 95 % to charge", plain,
               [](Record r) { return sum_over_batteries(r, [](const Battery& b) { return b.trips(); }); }},
};

std::string batteries_in_words(const SummaryWords& run) {
    return fmt::format("batteries            {:.1f} Wh used; {:.0f} trips to charge, {:.0f} robots stranded\n",
                       run["energy_wh"], run["charging_trips"], run["stranded"]);
}

}  // namespace

extern const MetricGroup battery_metrics;
const MetricGroup battery_metrics{battery_rows, has_part<Batteries>, nullptr, "batteries", batteries_in_words};

}  // namespace outrider
