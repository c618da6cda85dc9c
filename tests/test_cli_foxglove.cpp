// outrider run --foxglove: the whole run reaches a viewer that was written from the protocol's specification.
#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>

#include "base/json.hpp"
#include "program.hpp"

using namespace outrider;

namespace test_cli_foxglove {
namespace {

double number(const Json& json, const std::string& key) {
    const Json* part = json.find(key);
    INFO(key);
    REQUIRE(part);
    REQUIRE(part->number());
    return *part->number();
}

/// Starts a run and a viewer, which waits for its address, and waits for both.
ProgramResult watch(const TemporaryFolder& folder, const std::string& run) {
    return shell_in(folder, fmt::format("timeout 100 '{}' run {} --foxglove 0 2>run.txt >run_out.txt & "
                                        "timeout 100 /usr/bin/env python3 '{}/tests/foxglove_client.py' run.txt; "
                                        "code=$?; wait; exit $code",
                                        OUTRIDER_PROGRAM, run, OUTRIDER_SOURCE_DIR));
}

}  // namespace

TEST_CASE("a viewer sees every step of a run, as the log has it, and the last maps") {
    const TemporaryFolder folder;
    const std::string scenario = OUTRIDER_SOURCE_DIR "/environments/small_office.toml --steps 60 --quiet ";
    const ProgramResult viewer = watch(folder, scenario + "--speed 20 --log full --log-file run.sqlite");
    CAPTURE(viewer.err);
    CAPTURE(read_text(folder / "run.txt"));
    REQUIRE(viewer.code == 0);
    const Json seen = parse_json(viewer.out);
    CHECK(*seen.find("name")->text() == "Outrider: small_office");
    CHECK(seen.find("statuses")->array()->size() == 6);  // one for each piece of nonsense
    const Json& counts = *seen.find("counts");
    // The viewer subscribes while the first steps go by, later on a slow machine; from then on it sees all of them.
    const auto scans = static_cast<int>(number(counts, "/r1/scan"));
    CHECK(scans >= 20);
    CHECK(scans <= 60);
    CHECK(number(counts, "/true_map") == 1);
    CHECK(number(counts, "/r1/map") >= 2);
    CHECK(number(counts, "/events") >= 1);
    CHECK(number(seen, "last_time_s") >= 59);

    // The same as the log exports: the track, and what each robot knew at the end.
    REQUIRE(outrider_in(folder, "log export run.sqlite -o exported").code == 0);
    std::map<int, Point> exported;
    std::istringstream rows(read_text(folder / "exported/poses.csv"));
    for (std::string row; std::getline(rows, row);) {
        int step = 0, robot = 0;
        Point p;
        if (std::sscanf(row.c_str(), "%d,%d,r1,%lf,%lf", &step, &robot, &p.x, &p.y) == 4) exported[step] = p;
    }
    REQUIRE(exported.size() == 60);
    const Json::Array& poses = *seen.find("poses")->find("/r1/true_pose")->array();
    int compared = 0, last = -1;
    for (const Json& pose : poses) {
        const Json::Array& p = *pose.array();
        const auto end = exported.find(static_cast<int>(std::lround(*p[0].number())) - 1);
        if (end == exported.end()) continue;  // where it started
        CHECK(distance(end->second, {*p[1].number(), *p[2].number()}) < 1e-6);
        CHECK((last < 0 || end->first == last + 1));  // none is left out
        last = end->first;
        ++compared;
    }
    CHECK(compared >= scans - 1);
    const std::string pgm = read_text(folder / "exported/belief_1.pgm");
    std::size_t known = 0;
    for (std::size_t k = pgm.size() - 240 * 180; k < pgm.size(); ++k)
        known += static_cast<unsigned char>(pgm[k]) != 205;
    CHECK(number(*seen.find("grids")->find("/r1/map"), "known") == static_cast<double>(known));

    // Watched or not, the run is the same.
    REQUIRE(outrider_in(folder, "run " + scenario + "--log full --log-file alone.sqlite").code == 0);
    CHECK(outrider_in(folder, "log digest run.sqlite").out == outrider_in(folder, "log digest alone.sqlite").out);
    CHECK(read_text(folder / "run.txt").find("note: foxglove: viewer 1: expected JSON: line 1") != std::string::npos);
}

TEST_CASE("a run is held to the speed that was asked for, and a port that is taken is an error") {
    const TemporaryFolder folder;
    const std::string run = OUTRIDER_SOURCE_DIR "/environments/small_office.toml --quiet --steps 11 ";
    write_text(folder / "kept.sqlite", "an old log");
    const ProgramResult viewer = shell_in(
        folder,
        fmt::format("date +%s%N >from.txt; {{ timeout 100 '{0}' run {1} --log none --speed 10 --foxglove 0 2>run.txt; "
                    "date +%s%N >to.txt; }} & "
                    "for k in $(seq 1200); do grep -q ws:// run.txt && break; sleep 0.05; done; "
                    "'{0}' run {1} --log metrics --log-file kept.sqlite --force --foxglove $(grep -o "
                    "'127.0.0.1:[0-9]*' run.txt | cut -d: -f2) 2>second.txt; "
                    "timeout 100 /usr/bin/env python3 '{2}/tests/foxglove_client.py' run.txt; wait",
                    OUTRIDER_PROGRAM, run, OUTRIDER_SOURCE_DIR));
    const double seconds = (std::stod(read_text(folder / "to.txt")) - std::stod(read_text(folder / "from.txt"))) * 1e-9;
    CHECK(seconds > 1.0);  // eleven steps of a second, ten times as fast
    CHECK(read_text(folder / "second.txt").find("cannot listen at 127.0.0.1:") != std::string::npos);
    CHECK(read_text(folder / "kept.sqlite") == "an old log");  // nothing is lost by that
}

}  // namespace test_cli_foxglove
