// How the motion of a step is shared out among the parts between its scans.
#include "helpers.hpp"
#include "robot/motions.hpp"

using namespace outrider;

namespace test_motions {
namespace {

/// Scans at these places of the way, seen from its beginning, and the end of the way.
Percept moved(const std::vector<Pose>& scanned, const Pose& end) {
    Percept percept;
    percept.motion.delta = end;
    for (std::size_t i = 0; i < 9; ++i) percept.motion.covariance[i] = 0.01 * static_cast<double>(i + 1);
    for (const Pose& at : scanned) {
        Scan scan;
        scan.now_from_then = at == end ? Pose{} : compose(inverse(end), at);
        percept.scans.push_back(scan);
    }
    return percept;
}

}  // namespace

TEST_CASE("the parts of a motion lead where the whole does, and share its variance by distance and turn") {
    const Pose end{1.0, 0.4, 0.6};
    const Percept percept = moved({{0.2, 0.1, 0.1}, {0.6, 0.1, 0.3}}, end);
    const std::vector<Motion> parts = motions_between(percept);
    REQUIRE(parts.size() == 3);
    Pose at;
    double travelled = 0, turn = 0;
    for (const Motion& part : parts) {
        at = compose(at, part.delta);
        travelled += norm(part.delta.position());
        turn += std::abs(part.delta.yaw) + 0.1 * norm(part.delta.position());
    }
    CHECK(distance(at.position(), end.position()) < 1e-12);
    CHECK(at.yaw == doctest::Approx(end.yaw));
    std::array<double, 9> sums{};
    for (const Motion& part : parts) {
        const double length = norm(part.delta.position());
        for (std::size_t i = 0; i < 8; ++i)
            CHECK(part.covariance[i] == doctest::Approx(percept.motion.covariance[i] * length / travelled));
        CHECK(part.covariance[8] ==
              doctest::Approx(percept.motion.covariance[8] * (std::abs(part.delta.yaw) + 0.1 * length) / turn));
        for (std::size_t i = 0; i < 9; ++i) sums[i] += part.covariance[i];
    }
    for (std::size_t i = 0; i < 9; ++i) CHECK(sums[i] == doctest::Approx(percept.motion.covariance[i]));
}

TEST_CASE("one scan at the end, or none, makes one part with all of the variance") {
    for (const bool scanned : {false, true}) {
        const Pose end{0.5, -0.2, 0.3};
        const Percept percept = moved(scanned ? std::vector<Pose>{end} : std::vector<Pose>{}, end);
        const std::vector<Motion> parts = motions_between(percept);
        REQUIRE(parts.size() == 1);
        CHECK(parts[0].delta == end);
        CHECK(parts[0].covariance == percept.motion.covariance);
    }
    // Two scans of which the second is at the end: no third part.
    CHECK(motions_between(moved({{0.2, 0, 0}, {0.5, 0, 0}}, {0.5, 0, 0})).size() == 2);
    // A robot that stood: parts without motion, and without variance but in the part that is the whole.
    for (const Motion& part : motions_between(moved({{}, {}}, {}))) CHECK(part.delta == Pose{});
}

}  // namespace test_motions
