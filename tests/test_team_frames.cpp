// Frames of robots that do not know where the others started.
#include "helpers.hpp"
#include "robot/team_frames.hpp"

using namespace outrider;

namespace test_team_frames {
namespace {

constexpr double cell_m = 0.1;

std::array<double, 9> known_to(double m, double rad) { return {m * m, 0, 0, 0, m * m, 0, 0, 0, rad * rad}; }

bool near(const std::optional<Pose>& a, const Pose& b, double m = 1e-9) {
    return a && distance(a->position(), b.position()) < m && std::abs(wrap_angle(a->yaw - b.yaw)) < m;
}

std::vector<bool> robots(std::size_t count) { return std::vector<bool>(count, false); }

/// Everybody tells everybody what they know.
void talk(std::vector<TeamFrames>& team) {
    for (TeamFrames& to : team)
        for (const TeamFrames& from : team) to.take_newer(from.relations());
}

}  // namespace

TEST_CASE("alone, a robot plans in its own frame, and knows no other") {
    TeamFrames frames(2, robots(4));
    CHECK_FALSE(frames.settle(cell_m));
    CHECK(frames.leader() == 2);
    CHECK(near(frames.place(2), {}));
    for (const RobotId other : {0, 1, 3}) CHECK_FALSE(frames.place(other));
}

TEST_CASE("robots that are joined in a chain share the frame of the lowest, each the same one") {
    // Frames of 0 to 3 in the world, and what 1 sees of 0, 2 of 1 and 2 of 3.
    const std::vector<Pose> world{{1, 2, 0.3}, {-4, 0.5, -2}, {7, 7, 1.5}, {0, -9, 3}};
    const auto seen = [&](std::size_t from, std::size_t to) { return compose(inverse(world[from]), world[to]); };
    std::vector<TeamFrames> team;
    for (RobotId i = 0; i < 4; ++i) team.emplace_back(i, robots(4));
    team[1].measure(0, seen(1, 0), known_to(0.05, 0.01), {});
    team[2].measure(1, seen(2, 1), known_to(0.05, 0.01), {});
    team[2].measure(3, seen(2, 3), known_to(0.05, 0.01), {});
    CHECK(team[2].settle(cell_m));
    CHECK(team[2].leader() == 1);
    CHECK_FALSE(team[2].place(0));
    talk(team);
    for (TeamFrames& frames : team) {
        CHECK(frames.settle(cell_m));
        CHECK(frames.leader() == 0);
        for (std::size_t i = 0; i < 4; ++i) CHECK(near(frames.place(static_cast<RobotId>(i)), seen(0, i), 1e-6));
        CHECK_FALSE(frames.settle(cell_m));  // nothing new
    }
}

TEST_CASE("a base station leads nobody who draws a map") {
    TeamFrames frames(1, {true, false, false});
    frames.measure(0, {3, 0, 0}, known_to(0.05, 0.01), {});
    CHECK(frames.settle(cell_m));
    CHECK(frames.leader() == 1);
    CHECK(near(frames.place(0), {3, 0, 0}));
}

TEST_CASE("one look is not enough, several are, and the more there are the better it is known") {
    Rng rng(5, 0, Purpose::sighting, 0);
    const Pose truth{3, -2, 1};
    TeamFrames frames(0, robots(2));
    double off = 0;
    for (int k = 0; k < 400; ++k) {
        const Pose seen{truth.x + 0.1 * rng.normal(), truth.y + 0.1 * rng.normal(), truth.yaw + 0.035 * rng.normal()};
        frames.measure(1, seen, known_to(0.1, 0.035), {});
        frames.settle(cell_m);
        if (k == 0) CHECK_FALSE(frames.place(1));
        if (k == 20) CHECK(frames.place(1));
        if (k >= 20) off = distance(frames.place(1)->position(), truth.position());
    }
    CHECK(off < 0.08);  // half a cell may be left until the frame is used anew
    CHECK(near(frames.place(1), truth, 0.08));
}

TEST_CASE("a wrong join is taken back when newer measurements contradict it, and everybody hears of it") {
    std::vector<TeamFrames> team;
    for (RobotId i = 0; i < 2; ++i) team.emplace_back(i, robots(2));
    team[1].measure(0, {5, 5, 0}, known_to(0.03, 0.005), {});
    talk(team);
    for (TeamFrames& f : team) CHECK(f.settle(cell_m));
    const Pose right{-3, 5, 1};
    team[1].measure(0, right, known_to(0.03, 0.005), {});
    team[1].measure(0, right, known_to(0.03, 0.005), {});
    CHECK_FALSE(team[1].settle(cell_m));  // twice may be chance
    team[1].measure(0, right, known_to(0.03, 0.005), {});
    talk(team);
    for (TeamFrames& f : team) {
        CHECK(f.settle(cell_m));
        CHECK(f.leader() == (&f == &team[0] ? 0 : 1));
    }
    CHECK(team[1].undone() == 1);
    team[1].measure(0, right, known_to(0.03, 0.005), {});
    talk(team);
    for (TeamFrames& f : team) CHECK(f.settle(cell_m));
    CHECK(near(team[1].place(1), inverse(right), 1e-6));
}

TEST_CASE("only who measured a relation changes it; what arrives late or twice changes nothing") {
    TeamFrames frames(0, robots(3));
    FrameRelation relation{1, 2, {1, 0, 0}, known_to(0.03, 0.005), true, 5};
    frames.take_newer(std::vector{relation});
    FrameRelation older = relation;
    older.version = 4;
    older.measured = {9, 9, 0};
    FrameRelation mine{0, 1, {2, 0, 0}, known_to(0.03, 0.005), true, 9};  // somebody says that this robot measured it
    FrameRelation nobody{1, 7, {2, 0, 0}, known_to(0.03, 0.005), true, 1};
    frames.take_newer(std::vector{older, relation, mine, nobody});
    REQUIRE(frames.relations().size() == 1);
    CHECK(frames.relations()[0] == relation);
    frames.settle(cell_m);
    CHECK(frames.leader() == 0);
    CHECK_FALSE(frames.place(1));
}

TEST_CASE("the error of a frame grows with its distance by the error of the heading") {
    const Matrix3 near_by = at_origin(known_to(0.1, 0.02), {4, 3}, {4, 3}),
                  far = at_origin(known_to(0.1, 0.02), {0, 0}, {30, 0});
    CHECK(near_by[0] == doctest::Approx(0.01));
    CHECK(far[0] == doctest::Approx(0.01));
    CHECK(far[4] == doctest::Approx(0.01 + 0.36));
}

}  // namespace test_team_frames
