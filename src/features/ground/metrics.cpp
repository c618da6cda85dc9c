// Ground that differs.
#include <array>

#include "metrics/group.hpp"
#include "metrics/rows.hpp"

namespace outrider {
namespace {

struct GroundCounts final : Copied<GroundCounts, Counter> {
    explicit GroundCounts(const Measured& run) { count_in(run); }
    void count_in(const Measured& run) override { driver = &run.driver; }
    /// What each robot drove since the step before.
    void on_step(const StepView& view) override {
        for (std::size_t i = 0; i < view.team.size(); ++i) {
            const Move& move = driver->last_move(static_cast<RobotId>(i));
            if (move.delta.position() == Point{}) continue;
            driving_s += driver->world().step_s();
            Point at = move.from.position();
            for (const Point& corner : move.path) {
                rough_m += driver->world().ground()->rough_m(at, corner);
                at = corner;
            }
        }
    }

    const SimDriver* driver = nullptr;
    double rough_m = 0, driving_s = 0;  ///< path over slow ground; time of the steps in which a robot drove
};

constexpr std::array ground_rows{
    MetricInfo{"rough_m", "m", 1, "distance driven over slow ground, summed up", plain,
               [](Record r) { return r.counts<GroundCounts>().rough_m; }},
    MetricInfo{"driving_mps", "m/s", 1, "speed of robots in the steps in which they drove, the mean", more,
               [](Record r) { return share_of(r.last.distance_m, r.counts<GroundCounts>().driving_s); }},
};

std::string ground_in_words(const SummaryWords& run) {
    return fmt::format("ground               {:.1f} m over slow ground; {:.2f} m/s while driving\n", run["rough_m"],
                       run["driving_mps"]);
}

}  // namespace

extern const MetricGroup ground_metrics;
const MetricGroup ground_metrics{ground_rows,
                                 [](const Measured& run) { return run.driver.world().ground() != nullptr; },
                                 make_counter<GroundCounts>, "ground", ground_in_words};

}  // namespace outrider
