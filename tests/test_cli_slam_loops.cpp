// outrider slam --method manifold, from the outside.
#include "helpers.hpp"
#include "program.hpp"
#include "slam_world.hpp"

using namespace outrider;

namespace test_cli_slam_loops {
namespace {

/// A log of three rounds in the ring, with odometry that turns too far; and checked poses a round apart.
void write_ring(const TemporaryFolder& folder) {
    const std::vector<Pose> truth = round_the_ring(3);
    std::string relations;
    const std::size_t round = (truth.size() - 1) / 3;
    for (std::size_t i = 0; i + round < truth.size(); i += 5) {
        const Pose r = compose(inverse(truth[i]), truth[i + round]);
        relations += fmt::format("{} {} {:.6f} {:.6f} 0 0 0 {:.6f}\n", i, i + round, r.x, r.y, r.yaw);
    }
    write_text(folder / "ring.log", carmen_log(ring(), truth, 1.05, truth[0]));
    write_text(folder / "ring.relations", relations);
}

}  // namespace

TEST_CASE("outrider slam closes loops, says so, and compares matchers") {
    const TemporaryFolder folder;
    write_ring(folder);
    const ProgramResult r =
        outrider_in(folder, "slam ring.log --method manifold --relations ring.relations --png ring.png");
    CHECK(r.code == 0);
    CHECK(r.out.find("\npatches              ") != std::string::npos);
    CHECK(r.out.find(" closed ") != std::string::npos);
    CHECK(r.out.find("\nlost ") == std::string::npos);
    const std::size_t at = r.out.find("\nrelations            ");
    REQUIRE(at != std::string::npos);
    CHECK(std::stod(r.out.substr(at + 22)) < 0.1);
    CHECK(read_text(folder / "ring.png").starts_with("\x89PNG"));
    const ProgramResult table = outrider_in(folder, "slam ring.log --relations ring.relations --matchers");
    CHECK(table.code == 0);
    for (const char* name : {"\n  wsm ", "\n  icp ", "\n  mbicp ", "\n  idc ", "\n  multi "})
        CHECK(table.out.find(name) != std::string::npos);
}

TEST_CASE("what the manifold does not take is said before any work") {
    const TemporaryFolder folder;
    write_ring(folder);
    const ProgramResult alone = outrider_in(folder, "slam ring.log --matchers");
    CHECK(alone.code == 2);
    CHECK(alone.err.find("--matchers: expected --relations, too") != std::string::npos);
    const ProgramResult matcher = outrider_in(folder, "slam ring.log --method manifold --set matcher=best");
    CHECK(matcher.code == 2);
    CHECK(matcher.err.find("field, icp, mbicp, idc, wsm") != std::string::npos);
    CHECK(outrider_in(folder, "slam ring.log --method manifold --set patch_m=0").code == 2);
    const ProgramResult run =
        outrider_in(folder, "run " OUTRIDER_SOURCE_DIR
                            "/environments/small_office.toml --steps 2 --set slam.method=manifold "
                            "--set comm.link_bytes=500");
    CHECK(run.code == 2);
    CHECK(run.err.find("comm.link_bytes = 500: with slam.method = manifold maps are sent whole") != std::string::npos);
}

}  // namespace test_cli_slam_loops
