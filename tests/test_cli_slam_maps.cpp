// outrider slam --save and --continue: a map that two logs drew.
#include <filesystem>
#include <sstream>

#include "helpers.hpp"
#include "program.hpp"
#include "slam_world.hpp"

using namespace outrider;

namespace test_cli_slam_maps {
namespace {

/// Straight on from a place, and a turn at the end.
std::vector<Pose> path(Pose at, int steps, int turns) {
    std::vector<Pose> out{at};
    for (int k = 0; k < steps; ++k) out.push_back(compose(out.back(), {0.15, 0, 0.01}));
    for (int k = 0; k < turns; ++k) out.push_back(compose(out.back(), {0.05, 0, 0.1}));
    return out;
}

const Pose first_start{2, 5, 0};
constexpr double turns_too_far = 1.02;

/// The largest error of the trajectory in a file, whose frame is that of the first start.
double largest_error(const std::string& text, const std::vector<Pose>& truth, std::size_t from) {
    std::istringstream lines(text);
    double worst = 0;
    std::size_t i = 0;
    std::string line;
    std::getline(lines, line);  // names of the columns
    for (double t, x, y, yaw; lines >> t >> x >> y >> yaw; std::getline(lines, line), ++i) {
        const Pose expected = compose(inverse(first_start), truth.at(i));
        if (i >= from) worst = std::max(worst, distance({x, y}, expected.position()));
    }
    CHECK(i == truth.size());
    return worst;
}

}  // namespace

TEST_CASE("a map that is kept goes on with the next log, from where it ended or from anywhere in it") {
    const TemporaryFolder folder;
    const std::vector<Pose> monday = path(first_start, 35, 40), tuesday = path(monday.back(), 20, 30),
                            wednesday = path({3.5, 6.2, -2.5}, 12, 40);
    write_text(folder / "monday.log", carmen_log(hall(), monday, turns_too_far));
    write_text(folder / "tuesday.log", carmen_log(hall(), tuesday, turns_too_far));
    write_text(folder / "wednesday.log", carmen_log(hall(), wednesday, turns_too_far));
    for (const std::string method : {"scan_match", "particle", "particle_shared", "hyper", "manifold"}) {
        CAPTURE(method);
        const std::string with = " --method " + method + " --set particles=10,shared_particles=100,filters=5 --force";
        CHECK(outrider_in(folder, "slam monday.log --save 1.g2o" + with).code == 0);
        CHECK(outrider_in(folder, "slam tuesday.log --continue 1.g2o --save 2.g2o --trajectory 2.txt" + with).code ==
              0);
        CHECK(largest_error(read_text(folder / "2.txt"), tuesday, 0) < 0.08);
        CHECK(outrider_in(folder,
                          "slam wednesday.log --continue 2.g2o --start unknown --save 3.g2o --map 3 "
                          "--trajectory 3.txt" +
                              with)
                  .code == 0);
        CHECK(largest_error(read_text(folder / "3.txt"), wednesday, 12) < 0.08);
        // All three logs are in it, and another program could read it.
        const auto scans = [&](const char* file) {
            const std::string text = read_text(folder / file);
            std::size_t count = 0;
            for (std::size_t at = 0; (at = text.find("\nROBOTLASER1 ", at)) != std::string::npos; ++at) ++count;
            return count;
        };
        CHECK(scans("1.g2o") > 10);
        CHECK(scans("2.g2o") > scans("1.g2o") + 5);
        CHECK(scans("3.g2o") > scans("2.g2o") + 5);
        CHECK(outrider_in(folder, "graph 3.g2o").code == 0);
        CHECK(outrider_in(folder,
                          "slam wednesday.log --method localise --map-in 1.g2o --start unknown --trajectory "
                          "l.txt --force")
                  .code == 0);
        CHECK(largest_error(read_text(folder / "l.txt"), wednesday, 12) < 0.1);
    }
}

TEST_CASE("what cannot be kept or gone on with is said, and nothing is written") {
    const TemporaryFolder folder;
    write_text(folder / "a.log", carmen_log(hall(), path(first_start, 20, 10), turns_too_far));
    WallPlan other;
    other.chain({{0, 0}, {3, 0.4}, {2.5, 1.6}, {-0.4, 1.9}, {0, 0}});
    write_text(folder / "elsewhere.log", carmen_log(other, path({1, 0.8, 0}, 3, 20), turns_too_far));
    write_text(folder / "bare.g2o", "VERTEX_SE2 0 0 0 0\nVERTEX_SE2 1 1 0 0\nEDGE_SE2 0 1 1 0 0 1 0 0 1 0 1\n");
    const std::string scan = "ROBOTLASER1 0 -1 2 1 20 0 0 3 2 2 2 0 0 0 0 0 0 0 0 0 0 0 0 1 a 1\n";
    write_text(folder / "twice.g2o", "VERTEX_SE2 7 0 0 0\n" + scan + scan);
    write_text(folder / "short.g2o", "VERTEX_SE2 7 0 0 0\nROBOTLASER1 0 -1 2 1 20 0 0 3 2 2\n");
    write_text(folder / "far.g2o", "VERTEX_SE2 7 0 0 0\n" + scan + "VERTEX_SE2 8 2e9 0 0\n");
    write_text(folder / "beside.g2o",
               "VERTEX_SE2 7 0 0 0\nROBOTLASER1 0 -1 2 1 20 0 0 1 2 0 500 0 0 0 0 0 0 0 0 0 0 1 a 1\n");
    CHECK(outrider_in(folder, "slam a.log --save a.g2o").code == 0);
    const std::pair<const char*, const char*> wrong[] = {
        {"slam a.log --continue no.g2o --save b.g2o", "no.g2o: cannot be read"},
        {"slam a.log --continue bare.g2o --save b.g2o", "bare.g2o: no scans (ROBOTLASER1)"},
        {"slam a.log --continue twice.g2o --save b.g2o", "twice.g2o: the scan of node 7: there are two"},
        {"slam a.log --continue short.g2o --save b.g2o", "short.g2o: the scan of node 7: expected a range"},
        {"slam a.log --continue beside.g2o --save b.g2o", "the scan of node 7: its scanner is not on the robot"},
        {"slam a.log --continue far.g2o --save b.g2o", "far.g2o: node 8 is farther than 10 km from the first one"},
        {"slam a.log --continue a.log --save b.g2o", "expected a map saved by outrider slam --save"},
        {"slam a.log --continue a.g2o --save a.g2o --force", "--save"},
        {"slam a.log --save a.g2o", "a.g2o"},
        {"slam a.log --start 0,0,0", "--start: expected --method localise or --continue"},
        {"slam a.log --continue a.g2o --start there", "--start there: expected X,Y,DEG"},
        {"slam a.log --method localise --map-in a.g2o --save b.g2o", "--save: the method localise draws no map"},
        {"slam a.log --method localise --map-in a.g2o --continue a.g2o", "--continue: the method localise"},
        {"slam elsewhere.log --continue a.g2o --start unknown --save b.g2o", "was not found in"}};
    for (const auto& entry : wrong) {
        const std::string command = entry.first, message = entry.second;
        CAPTURE(command);
        const ProgramResult r = outrider_in(folder, command);
        CHECK(r.code == 2);
        CAPTURE(r.err);
        CHECK(r.err.find(message) != std::string::npos);
        CHECK_FALSE(std::filesystem::exists(folder / "b.g2o"));
    }
}

}  // namespace test_cli_slam_maps
