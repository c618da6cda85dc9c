// Which failures a scenario has.
#include "features/failures/world.hpp"
#include "outrider/detail/settings.hpp"
#include "scenario/cost.hpp"
#include "scenario/feature.hpp"

namespace outrider {
namespace {

const std::vector<EventEntry>& sure_failures(const Scenario& s) { return s.lists.get<EventEntry>(); }

void read_events(ConfigTable&, Scenario& s) {
    for (const EventEntry& event : sure_failures(s)) {
        if (std::none_of(s.robots.begin(), s.robots.end(), [&](const RobotEntry& r) { return r.name == event.robot; }))
            fail("{}: robot = {}: nobody is called so", event.where, toml_quoted(event.robot));
        if (event.until >= 0 && event.until <= event.step)
            fail("{}: until = {}: expected a step after {}, or -1 for never", event.where, event.until, event.step);
        if (event.until >= 0 && event.kind == FailureKind::dead)
            fail("{}: until = {}: a dead robot stays dead; expected -1", event.where, event.until);
    }
}

/// Before they are drawn.
void check_failures(const Scenario& s) {
    const auto& o = s.features.get<FailureOptions>();
    if (!o.any()) return;
    const double steps = s.run.steps, between = 3600 / (o.rate_per_hour * s.run.step_s);
    const double each = o.repair_steps > 0 ? steps / (1 + between + o.repair_steps) : 1;
    expect_affordable_count(s, fmt::format("failure.rate_per_hour = {}", o.rate_per_hour),
                            static_cast<double>(s.robots.size()) * each, 2 * sizeof(Failure));
}

std::string given_failures(const Scenario& s) {
    if (!can_fail(s)) return {};
    return sure_failures(s).empty() ? "failure.rate_per_hour" : "[[event]]";
}

std::unique_ptr<WorldPart> make_failing_robots(const Scenario& s, const World&) {
    return can_fail(s) ? std::make_unique<FailingRobots>(failures_of(s), s.robots.size()) : nullptr;
}

std::unique_ptr<WorldPart> make_dying_robots(const Scenario& s, const World&) {
    if (!any_robot(s, [](const RobotEntry& r) { return r.dies_at_step >= 0; })) return nullptr;
    return std::make_unique<DyingRobots>(by_robot(s, [](const RobotEntry& r) { return r.dies_at_step; }));
}

}  // namespace

bool can_fail(const Scenario& s) { return s.features.any("failure") || !sure_failures(s).empty(); }

std::vector<Failure> failures_of(const Scenario& s) {
    const auto fails = by_robot(s, [](const RobotEntry& r) -> std::uint8_t { return r.role != Role::base; });
    std::vector<Failure> out =
        draw_failures(s.features.get<FailureOptions>(), fails, s.run.steps, s.run.step_s, s.run.seed);
    for (const EventEntry& e : sure_failures(s)) {
        const auto who =
            std::find_if(s.robots.begin(), s.robots.end(), [&](const RobotEntry& r) { return r.name == e.robot; });
        out.push_back(
            {static_cast<RobotId>(who - s.robots.begin()), e.kind, e.step, e.until < 0 ? Failure::for_good : e.until});
    }
    return out;
}

ScenarioFeature failures_scenario() {
    return {.section = "failure",
            .after = "battery",
            .options = make_options<FailureOptions>,
            .list = {"event", "each failure that is sure to happen", make_list<EventEntry>},
            .parts = {{"failures", "failure.rate_per_hour = 10", given_failures}},
            .read = read_events,
            .check = check_failures,
            .world = {{Turn::failures, make_failing_robots}, {Turn::failures, make_dying_robots}}};
}

}  // namespace outrider
