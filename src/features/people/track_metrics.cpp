// Tracks of people against where they are.
#include <array>

#include "features/people/people_tracks.hpp"
#include "features/people/world.hpp"
#include "metrics/group.hpp"
#include "metrics/rows.hpp"

namespace outrider {
namespace {

/// A track farther from everybody is of nobody.
constexpr double near_m = 1;

bool in_view(const World& world, const Briefing& briefing, const Pose& body, Point p) {
    const auto covers = [&](const SensorSpec& sensor) {
        const Pose from = compose(body, sensor.mount);
        const double angle = wrap_angle(bearing(from.position(), p) - from.yaw),
                     last = sensor.first_angle + sensor.step_angle * (sensor.beams - 1);
        return distance(from.position(), p) <= sensor.max_range_m && angle >= sensor.first_angle && angle <= last;
    };
    return std::any_of(briefing.sensors.begin(), briefing.sensors.end(), covers) &&
           world.field().walls_between(world.lattice().cell_of(body.position()), world.lattice().cell_of(p), 0) == 0;
}

struct TrackCounts final : Copied<TrackCounts, Counter> {
    explicit TrackCounts(const Measured& run) { count_in(run); }
    void count_in(const Measured& run) override {
        driver = &run.driver;
        truth = &run.truth;
    }
    void on_step(const StepView& view) override {
        const std::vector<Disc>& people = driver->part<PeopleAndBodies>()->people();
        std::vector<std::uint8_t> seen(people.size());
        const auto counts = [&](std::size_t i) {
            return view.percepts[i].alive && view.team[i].belief().briefing().drives();
        };
        for (std::size_t i = 0; i < view.team.size(); ++i)
            for (std::size_t k = 0; k < people.size(); ++k)
                seen[k] |= counts(i) && in_view(driver->world(), view.team[i].belief().briefing(),
                                                driver->last_move(static_cast<RobotId>(i)).from, people[k].middle);
        for (std::size_t i = 0; i < view.team.size(); ++i)
            if (counts(i)) compare(view.team[i], people, seen);
    }
    void compare(const Robot& robot, const std::vector<Disc>& people, const std::vector<std::uint8_t>& seen) {
        std::vector<std::uint8_t> tracked(people.size());
        for (const PersonTrack& track : robot.part<PeopleTracks>()->tracks()) {
            if (!track.confirmed()) continue;
            const Point at = truth->point(robot, track.filter.place());
            double least = near_m;
            for (std::size_t k = 0; k < people.size(); ++k) {
                const double away = distance(at, people[k].middle);
                tracked[k] |= away <= near_m;
                least = std::min(least, away);
            }
            ++tracks;
            if (least == near_m) {
                ++of_nobody;
            } else {
                squares += least * least;
            }
        }
        for (std::size_t k = 0; k < people.size(); ++k) {
            in_sight += seen[k];
            followed += seen[k] && tracked[k];
        }
    }

    const SimDriver* driver = nullptr;
    const TrueView* truth = nullptr;
    double squares = 0;  ///< of the distances of tracks to people
    // Summed over steps and robots.
    std::int64_t tracks = 0, of_nobody = 0;   ///< confirmed ones
    std::int64_t in_sight = 0, followed = 0;  ///< people in the sight of some robot, and tracked by this one
};

constexpr std::array track_rows{
    MetricInfo{"people_track_error_m", "m", 1,
               "distance of confirmed tracks of people from the nearest one, if within 1 m, rms over steps and robots",
               plain,
               [](Record r) {
                   const auto& c = r.counts<TrackCounts>();
                   return std::sqrt(share_of(c.squares, count(c.tracks - c.of_nobody)));
               }},
    MetricInfo{
        "people_tracked", "share", 1,
        "of the people in sight of some robot, those of whom a robot has a confirmed track within 1 m; mean over "
        "steps and robots",
        more,
        [](Record r) {
            const auto& c = r.counts<TrackCounts>();
            return share_of(count(c.followed), count(c.in_sight));
        }},
    MetricInfo{"people_tracks_false", "share", 1, "confirmed tracks with nobody within 1 m / confirmed tracks", plain,
               [](Record r) {
                   const auto& c = r.counts<TrackCounts>();
                   return share_of(count(c.of_nobody), count(c.tracks));
               }},
};

std::string tracks_in_words(const SummaryWords& run) {
    return fmt::format("people tracked       {} of those in sight, {:.2f} m off; {} of the tracks are of nobody\n",
                       run.percent("people_tracked"), run["people_track_error_m"], run.percent("people_tracks_false"));
}

bool tracks_people(const Measured& run) { return run.team.front().part<PeopleTracks>() != nullptr; }

}  // namespace

extern const MetricGroup people_track_metrics;
const MetricGroup people_track_metrics{track_rows, tracks_people, make_counter<TrackCounts>, "people_tracks",
                                       tracks_in_words};

}  // namespace outrider
