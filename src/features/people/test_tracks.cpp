// Tracks of people: the filter, what scans show, which sighting belongs to whom, and what travels between robots.
#include <cmath>

#include "features/people/options.hpp"
#include "features/people/people_tracks.hpp"
#include "features/people/person_finder.hpp"
#include "helpers.hpp"
#include "log/log_reader.hpp"
#include "log/replay.hpp"
#include "metrics/true_view.hpp"
#include "outrider/rng.hpp"
#include "scene/stage.hpp"

using namespace outrider;

namespace test_tracks {
namespace {

constexpr double agility = 0.4, sigma_m = 0.2;
constexpr Spread noise{sigma_m * sigma_m, 0, sigma_m* sigma_m};

/// One axis of somebody whose velocity varies as the filter expects, over a second.
struct Axis {
    double at = 0, speed = 0;
    void move(Rng& rng) {
        // The noise of place and speed, of covariance agility * (1/3, 1/2; 1/2, 1), by Cholesky.
        const double a = rng.normal(), b = rng.normal(), root = std::sqrt(agility);
        at += speed + root * a / std::sqrt(3);
        speed += root * (a * std::sqrt(3) / 2 + b / 2);
    }
};

/// The variance of a place after a sighting once it changes no more: the Riccati equation of one axis, written out.
double settled_variance() {
    double p = 1, c = 0, v = 1;
    for (int k = 0; k < 200; ++k) {
        p += 2 * c + v + agility / 3;
        c += v + agility / 2;
        v += agility;
        const double s = p + sigma_m * sigma_m, gain = p / s, gain_v = c / s;
        v -= gain_v * c;
        c *= 1 - gain;
        p *= 1 - gain;
    }
    return p;
}

}  // namespace

TEST_CASE("the filter of a person errs as much as theory says, and knows how much") {
    Rng rng(3, 0, Purpose::placement, 0);
    double squares = 0, nees = 0;
    int count = 0;
    for (int run = 0; run < 200; ++run) {
        Axis x, y{0, 1};
        const auto seen = [&] { return Point{x.at + sigma_m * rng.normal(), y.at + sigma_m * rng.normal()}; };
        PersonFilter filter(seen(), noise);
        for (int k = 0; k < 40; ++k) {
            x.move(rng);
            y.move(rng);
            filter.predict(1, agility);
            filter.update(seen(), noise);
            if (k < 15) continue;
            const Point off = filter.place() - Point{x.at, y.at};
            squares += off.x * off.x + off.y * off.y;
            // x and y are apart: the error by the covariance of place and speed of each.
            const auto& p = filter.covariance();
            const auto nees_of = [&](double e, double f, std::size_t i) {
                const double a = p[5 * i], b = p[5 * i + 2], d = p[5 * i + 10];
                return (d * e * e - 2 * b * e * f + a * f * f) / (a * d - b * b);
            };
            nees += nees_of(off.x, filter.velocity().x - x.speed, 0) + nees_of(off.y, filter.velocity().y - y.speed, 1);
            ++count;
            CHECK(p[0] == doctest::Approx(settled_variance()).epsilon(1e-3));
            CHECK(p[1] == doctest::Approx(0));
        }
    }
    CHECK(std::sqrt(squares / (2 * count)) == doctest::Approx(std::sqrt(settled_variance())).epsilon(0.03));
    CHECK(nees / count == doctest::Approx(4).epsilon(0.05));  // the mean of chi squared with four degrees of freedom
}

TEST_CASE("sightings with a long and a short axis are weighed by these") {
    PersonFilter filter({0, 0}, {4, 0, 0.01});
    filter.update({1, 1}, {0.01, 0, 4});
    CHECK(filter.place().x == doctest::Approx(1).epsilon(0.01));
    CHECK(filter.place().y == doctest::Approx(0).epsilon(0.01));
    CHECK(filter.spread().xx == doctest::Approx(0.01).epsilon(0.01));
    CHECK(filter.squared_distance(filter.place(), noise) == doctest::Approx(0));
}

TEST_CASE("the middle of a disc is found from a part of its rim, as well as it says") {
    Rng rng(5, 0, Purpose::placement, 0);
    double nees = 0;
    constexpr int tries = 500;
    for (int k = 0; k < tries; ++k) {
        const Point middle{rng.uniform(2, 8), rng.uniform(-1, 1)};
        const double from = rng.uniform(-1.2, 0), to = from + rng.uniform(0.6, 1.2), away = bearing(middle, {});
        std::vector<Point> rim;
        for (double a = from; a < to; a += 0.2) {
            const auto [s, c] = sin_cos(away + a);
            rim.push_back(middle + Point{c, s} * (0.25 + 0.02 * rng.normal()));
        }
        const auto found = fit_person({}, rim, 0.25);
        if (!found) continue;
        const Point off = found->at - middle;
        const Spread& s = found->spread;
        nees += (s.yy * off.x * off.x - 2 * s.xy * off.x * off.y + s.xx * off.y * off.y) / (s.xx * s.yy - s.xy * s.xy);
        CHECK(norm(off) < 0.35);
    }
    CHECK(nees / tries < 2);    // not surer than it may be,
    CHECK(nees / tries > 0.1);  // nor without any idea
    CHECK_FALSE(fit_person({}, std::vector<Point>{{3, 0}, {3.4, 0}, {3.8, 0}}, 0.25));
    CHECK_FALSE(fit_person({}, std::vector<Point>{{0, 0}}, 0.25));
}

TEST_CASE("what robots pass to and fro makes tracks no surer than the sightings do") {
    Rng rng(8, 0, Purpose::placement, 0);
    std::vector<std::array<PersonSighting, 2>> seen;  // by step and robot
    PeopleTracker once(1);
    std::vector<PeopleTracker> robots(2, PeopleTracker(1));
    const auto add = [&](PeopleTracker& tracker, int step, int robot) {
        tracker.add(step, robot, {seen[static_cast<std::size_t>(step)][static_cast<std::size_t>(robot)]});
    };
    constexpr int last = 29;
    for (int step = 0; step <= last + 1; ++step) {
        auto& now = seen.emplace_back();
        for (PersonSighting& s : now)
            s = {Point{1.0 * step, 0.5 * step} + Point{sigma_m * rng.normal(), sigma_m * rng.normal()}, noise};
        for (int robot = 0; robot < 2; ++robot) {
            PeopleTracker& tracker = robots[static_cast<std::size_t>(robot)];
            if (step <= last) add(tracker, step, robot);
            // A step late, again and again: all that the other one knew of the last steps, also from this robot.
            for (int old = std::max(0, step - 5); old < step; ++old)
                for (int of = 0; of < 2; ++of) add(tracker, old, of);
            tracker.update(step);
            if (step <= last) add(once, step, robot);
        }
        once.update(step);
    }
    REQUIRE(once.tracks().size() == 1);
    CHECK(once.tracks()[0].filter.spread().xx > noise.xx / 2);  // of two sightings, and of what is older a little
    for (const PeopleTracker& tracker : robots) {
        REQUIRE(tracker.tracks().size() == 1);
        CHECK(tracker.tracks()[0].id == TrackId{0, 0, 0});
        CHECK(tracker.tracks()[0].filter.covariance() == once.tracks()[0].filter.covariance());
        CHECK(tracker.tracks()[0].filter.place() == once.tracks()[0].filter.place());
    }
}

TEST_CASE("sightings that come late are put in where they belong, those beyond the window are left out") {
    const auto add = [](PeopleTracker& tracker, int step) { tracker.add(step, 1, {{{1.2 * step, 0}, noise}}); };
    constexpr int window = PeopleTracker::window_steps, last = 20;
    PeopleTracker on_time(1), late(1), too_late(1);
    for (int step = 0; step <= last; ++step) {
        if (step <= last - window + 1) add(on_time, step);
        if (step >= window - 1) add(late, step - window + 1);
        if (step > window) add(too_late, step - window - 1);
        for (PeopleTracker* tracker : {&on_time, &late, &too_late}) tracker->update(step);
        // A track that was seen for long is lost when it could be anywhere; this looks at the beginning of that.
        if (step == last - window + 2) {
            REQUIRE(on_time.tracks().size() == 1);
            CHECK(on_time.tracks()[0].filter.velocity().x == doctest::Approx(1.2).epsilon(0.01));
        }
    }
    CHECK(too_late.tracks().empty());
    REQUIRE(late.tracks().size() == on_time.tracks().size());
    for (std::size_t k = 0; k < late.tracks().size(); ++k) {
        CHECK(late.tracks()[k].id == on_time.tracks()[k].id);
        CHECK(late.tracks()[k].filter.covariance() == on_time.tracks()[k].filter.covariance());
    }
}

TEST_CASE("two people who pass each other keep their tracks, who is gone loses his") {
    PeopleTracker tracker(1);
    const auto place = [](int step, bool first) { return first ? Point{1.2 * step, 0} : Point{24 - 1.2 * step, 1.5}; };
    for (int step = 0; step <= 20; ++step) {
        // In an order that says nothing.
        std::vector<PersonSighting> seen{{place(step, step % 2 > 0), noise}, {place(step, step % 2 == 0), noise}};
        tracker.add(step, 3, seen);
        tracker.update(step);
        REQUIRE(tracker.tracks().size() == 2);
        CHECK(tracker.tracks()[0].confirmed() == (step >= 2));
        for (const PersonTrack& track : tracker.tracks())
            CHECK(distance(track.filter.place(), place(step, track.id.index > 0)) < 0.5);
    }
    // One of them is seen no more: while nobody looks, the track goes on, and is lost when it could be anywhere.
    int step = 21;
    for (; tracker.tracks().size() == 2; ++step) {
        tracker.add(step, 3, {{place(step, true), noise}});
        tracker.update(step);
        REQUIRE(step < 30);
    }
    CHECK(step > 22);
    // The other one is not where a robot looks.
    for (int k = 0; k < 3; ++k, ++step) {
        tracker.update(step);
        for (const PersonTrack& track : tracker.tracks()) tracker.saw_nobody(track.id);
    }
    CHECK(tracker.tracks().empty());
}

TEST_CASE("a person in several parts is one, and who is seen once or twice is not confirmed") {
    PeopleTracker tracker(1);
    for (int step = 0; step < 5; ++step) {
        tracker.add(step, 0, {{{1.2 * step, 0}, noise}, {{1.2 * step + 0.3, 0.1}, noise}});
        if (step < 2) tracker.add(step, 1, {{{20, 20}, noise}});
        tracker.update(step);
        CHECK(tracker.tracks().size() == (step < 3 ? 2 : 1));
    }
    CHECK(tracker.tracks()[0].steps_seen == 5);
}

TEST_CASE("what a robot saw travels as a word, and a damaged one is ignored") {
    const std::vector<StepSightings> seen{{3, {{{1.25, -2.5}, {0.01, -0.002, 0.04}}, {{7, 8}, {0.5, 0, 0.5}}}},
                                          {5, {{{1.5, -3}, {0.01, 0, 0.01}}}}};
    Word word = sightings_word(seen);
    CHECK(read_sightings(word) == seen);
    word.values[2] += 1;
    CHECK(read_sightings(word).empty());
    CHECK(read_sightings(sightings_word({{3, {{{0, 0}, {0.01, 0.02, 0.01}}}}})).empty());  // no covariance
    CHECK(read_sightings({}).empty());
}

namespace {

Scenario hall(bool tracks, double radio_m = 100) {
    std::vector<std::string> rows(40, "#" + std::string(58, '.') + "#");
    rows.front() = rows.back() = std::string(60, '#');
    for (std::size_t y : {9u, 10u, 20u, 21u, 30u}) rows[y].replace(20, 8, "########");
    rows[3][5] = 'B';
    rows[5][5] = '1';
    rows[15][40] = '2';
    rows[35][30] = '3';
    return text_scenario(rows,
                         fmt::format("[sensor]\nbeams = 361\nfov_deg = 360\nrange_m = 10\n[comm]\nrange_m = {}\n"
                                     "base_range_m = {}\n[crowd]\npeople = 5\ntracks = {}\n[run]\nsteps = 60\n",
                                     radio_m, radio_m, tracks),
                         0.5);
}

}  // namespace

TEST_CASE("robots track the people around them, better with messages than alone") {
    const auto summary = [](const Scenario& s) {
        Simulation sim{Scenario(s)};
        return summary_of(sim, sim.run());
    };
    const auto with = summary(hall(true)), alone = summary(hall(true, 0)), off = summary(hall(false));
    CHECK(with.at("people_tracked") > 0.45);
    CHECK(with.at("people_tracked") > alone.at("people_tracked"));
    CHECK(with.at("people_track_error_m") < 0.4);
    CHECK(with.at("people_tracks_false") < 0.15);
    CHECK(off.count("people_tracked") == 0);
    CHECK(off.at("falsely_occupied") == doctest::Approx(with.at("falsely_occupied")));
}

TEST_CASE("a run with tracks is the same at any number of threads and from its log, and a seek finds the same tracks") {
    const TemporaryFolder folder;
    const Scenario s = hall(true);
    const Hash128 digest = run_scenario(s, 1).digest;
    CHECK(run_scenario(s, 2).digest == digest);
    CHECK(run_scenario(s, 3).digest == digest);
    CHECK(run_scenario(hall(false), 1).digest != digest);
    SimulationOptions options;
    options.log_path = folder / "run.sqlite";
    options.log_level = LogLevel::full;
    Simulation sim(s, options);
    scene::Stage stage(s);
    const auto ids = [](std::span<const Robot> team) {
        std::vector<std::tuple<RobotId, TrackId, Point>> out;
        for (const Robot& robot : team)
            for (const PersonTrack& track : robot.part<PeopleTracks>()->tracks())
                out.emplace_back(robot.belief().self(), track.id, track.filter.place());
        return out;
    };
    std::vector<std::vector<std::tuple<RobotId, TrackId, Point>>> live;
    std::size_t shown = 0;
    while (!sim.done()) {
        sim.step();
        live.push_back(ids(sim.team()));
        for (const scene::Layer& layer : stage.all({last_step(sim.progress()), sim.metrics().truth()}))
            if (layer.info->key == "people_tracks") shown += layer.items->size();
    }
    sim.finish();
    CHECK(shown > 100);
    LogReader log(folder / "run.sqlite");
    CHECK(run_scenario(log.scenario(), 1).digest == digest);
    Replay replay(log);
    const int end = static_cast<int>(live.size());
    REQUIRE(end > 20);
    for (const int step : {end / 2, end - 1, end / 3, end - 2}) {
        REQUIRE(replay.seek(step));
        CHECK(ids(replay.team()) == live[static_cast<std::size_t>(step)]);
    }
}

}  // namespace test_tracks
