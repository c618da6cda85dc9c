// People in the way, or robots that are in each other's way.
#include <array>

#include "features/people/world.hpp"
#include "metrics/group.hpp"
#include "metrics/rows.hpp"

namespace outrider {
namespace {

struct HoldUpCounts final : Copied<HoldUpCounts, Counter> {
    void on_step(const StepView& view) override {
        for (const Percept& p : view.percepts) held_up += p.bumped;
    }
    std::int64_t held_up = 0;  ///< robot-steps in which something stopped it
};

constexpr std::array crowd_rows{
    MetricInfo{"held_up_steps", "robot-steps", 1, "somebody, another robot or a wall stopped a robot", plain,
               [](Record r) { return count(r.counts<HoldUpCounts>().held_up); }},
};

std::string hold_ups_in_words(const SummaryWords& run) {
    return fmt::format("others in the way    robots were held up in {:.0f} robot-steps\n", run["held_up_steps"]);
}

}  // namespace

extern const MetricGroup crowd_metrics;
const MetricGroup crowd_metrics{crowd_rows, has_part<PeopleAndBodies>, make_counter<HoldUpCounts>, "people",
                                hold_ups_in_words};

}  // namespace outrider
