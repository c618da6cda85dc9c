// Large turns are split, so that successive scans overlap.
#include "helpers.hpp"
#include "robot/overlap.hpp"

using namespace outrider;

namespace test_overlap {
namespace {

/// A body with one sensor of this field of view; it drives a metre in a step.
Briefing briefing_of(double fov_deg, Kinematics kinematics = Kinematics::holonomic) {
    Briefing b;
    b.members = std::make_shared<const std::vector<TeamMember>>(
        std::vector<TeamMember>{{0, "r", Role::explorer, -1, -1, true, 1.0, 0}});
    b.step_s = 1;
    b.kinematics = kinematics;
    b.sensors = {{{}, -radians(fov_deg) / 2, radians(1), static_cast<int>(fov_deg), 0.001, 20}};
    return b;
}

Command along(std::vector<Point> path) {
    Command command;
    command.speed_mps = 1;
    command.path_body = std::move(path);
    return command;
}

}  // namespace

TEST_CASE("half of the widest field of view is the largest turn; a sensor that looks all around allows any") {
    CHECK(largest_turn(briefing_of(180)) == doctest::Approx(pi / 2));
    CHECK(largest_turn(briefing_of(90)) == doctest::Approx(pi / 4));
    CHECK(largest_turn(briefing_of(360)) == doctest::Approx(2 * pi));
}

TEST_CASE("a way whose heading at the end of the step is within the largest turn stays as it is") {
    for (const std::vector<Point>& path :
         {std::vector<Point>{{2, 0}}, {{0.2, 0}, {0.2, 3}}, {{0.9, 0}, {5, 4.2}}, {}}) {
        const Command command = along(path), same = overlapping(command, briefing_of(181));
        CHECK(same.path_body == command.path_body);
        CHECK_FALSE(same.final_heading);
    }
    Command turn = along({});
    turn.final_heading = -1.5;
    CHECK(overlapping(turn, briefing_of(180)).final_heading == -1.5);
    // It turns back only after this step.
    CHECK_FALSE(overlapping(along({{1.5, 0}, {0, 0.1}}), briefing_of(90)).final_heading);
}

TEST_CASE("a holonomic body drives on and turns by the largest turn; one that has to turn first does not drive") {
    const std::vector<Point> back{{0.25, 0}, {0.25, 0.25}, {-3, 0.25}};
    const Command holonomic = overlapping(along(back), briefing_of(120));
    REQUIRE(holonomic.final_heading);
    CHECK(*holonomic.final_heading == doctest::Approx(radians(60)));
    REQUIRE(holonomic.path_body.size() == 3);
    CHECK(holonomic.path_body[1] == back[1]);
    CHECK(holonomic.path_body[2].x == doctest::Approx(-0.25));  // half a metre is left after the first two corners
    CHECK(holonomic.path_body[2].y == doctest::Approx(0.25));
    const Command right = overlapping(along({{-1, -0.5}}), briefing_of(120, Kinematics::diff_drive));
    CHECK(*right.final_heading == doctest::Approx(-radians(60)));
    CHECK(right.path_body.empty());
    Command turn = along({{0.5, 0}});
    turn.final_heading = 3;  // reached in this step: the turn counts
    CHECK(*overlapping(turn, briefing_of(120)).final_heading == doctest::Approx(radians(60)));
    CHECK(overlapping(turn, briefing_of(120)).path_body == turn.path_body);
    turn.path_body = {{5, 0}};  // not reached
    CHECK(*overlapping(turn, briefing_of(120)).final_heading == 3);
}

}  // namespace test_overlap
