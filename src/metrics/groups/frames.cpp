// Robots that do not know where the others started: each plans in a frame of its own until they meet.
#include <array>
#include <cmath>

#include "metrics/groups/groups.hpp"
#include "metrics/localisation.hpp"
#include "metrics/rows.hpp"
#include "robot/team_frames.hpp"

namespace outrider {
namespace {

struct FrameCounts final : Copied<FrameCounts, Counter> {
    explicit FrameCounts(const Measured& run) { count_in(run); }
    void count_in(const Measured& run) override { team = run.team; }
    /// In how many frames the robots plan.
    void on_step(const StepView& view) override {
        frames = frames_of(team, view.percepts);
        if (frames != 1)
            joined_at = -1;
        else if (joined_at < 0)
            joined_at = view.step;
    }

    std::span<const Robot> team;
    int frames = 0, joined_at = -1;  ///< of the mobile robots in service; -1: not joined
};

double walls_near(Record r, std::size_t i) {
    constexpr int near_cells = 2;
    return 1 - walls_off(r.truth.map(r.team[i]), r.world, near_cells);
}

constexpr std::array frame_rows{
    MetricInfo{"frames_left", "", 1, "frames in which the mobile robots in service plan at the end; 1: all are joined",
               plain, [](Record r) { return count(r.counts<FrameCounts>().frames); }},
    MetricInfo{"joined_at", "steps", 1,
               "first step from which, until the end of the run, all mobile robots in service share one frame", plain,
               [](Record r) {
                   const int at = r.counts<FrameCounts>().joined_at;
                   return at < 0 ? nan : count(at);
               }},
    MetricInfo{"wrong_frames", "", 1,
               "mobile robots that are more than 1 m off at the end, in the frame that they plan in", plain,
               [](Record r) { return count(r.counts<Localisation>().off()); }},
    MetricInfo{"walls_near", "share", 1,
               "wall cells of the map of a mobile robot that are within 2 cells of a true wall; of the team: the least",
               more | mobile, least<walls_near>, walls_near},
    MetricInfo{"joins_undone", "", 1, "relations between frames that robots took back", plain,
               [](Record r) {
                   double undone = 0;
                   for (const Robot& robot : r.team) undone += robot.frames()->undone();
                   return undone;
               }},
};

std::string frames_in_words(const SummaryWords& run) {
    return fmt::format(
        "frames               {:.0f} at the end{}; {:.0f} joins taken back, {:.0f} robots more than 1 m off\n"
        "                     {} of the walls within 2 cells of true ones, in the worst map\n",
        run["frames_left"],
        std::isnan(run["joined_at"]) ? "" : fmt::format(", one since step {:.0f}", run["joined_at"]),
        run["joins_undone"], run["wrong_frames"], run.percent("walls_near"));
}

}  // namespace

const MetricGroup frame_metrics{frame_rows, [](const Measured& run) { return run.truth.own_frames(); },
                                make_counter<FrameCounts>, "unknown_starts", frames_in_words};

}  // namespace outrider
