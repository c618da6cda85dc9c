// What is measured of a region of interest; all shares of the reachable area are of what lies in it.
#include <array>

#include "metrics/group.hpp"
#include "metrics/rows.hpp"

namespace outrider {
namespace {

bool has_region(const Measured& run) {
    return !run.team.empty() && !run.team.front().belief().briefing().region.empty();
}

constexpr std::array region_rows{
    MetricInfo{"region_m2", "m2", 1, "reachable area in the region of interest: the area that all shares are of", plain,
               [](Record r) { return count(r.coverage.sensable()) * r.cell_area(); }},
};

std::string region_in_words(const SummaryWords& run) {
    return fmt::format("region               {:.1f} m2 of it can be seen; only these count\n", run["region_m2"]);
}

}  // namespace

extern const MetricGroup region_metrics;
const MetricGroup region_metrics{region_rows, has_region, nullptr, "region", region_in_words};

}  // namespace outrider
