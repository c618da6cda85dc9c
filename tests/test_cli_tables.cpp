// Logs whose tables hold numbers that cannot be: each command that reads them refuses, or leaves out what is damaged.
#include <filesystem>

#include "base/sqlite.hpp"
#include "log/log_reader.hpp"
#include "outrider/error.hpp"
#include "program.hpp"

using namespace outrider;

namespace test_cli_tables {
namespace {

/// The full log of a base station and two robots over a few steps, with an order and events.
void write_log(const std::string& path) {
    SimulationOptions options;
    options.log_path = path;
    options.log_level = LogLevel::full;
    OperatorCommand stop;
    stop.behaviour = "stop";
    options.orders = {{2, 1, stop}};
    Simulation sim(text_scenario({"####################", "#B1................#", "#.2................#",
                                  "#..................#", "####################"},
                                 "[run]\nsteps = 6\n"),
                   options);
    sim.run();
    Database(path, Database::Mode::create).run("PRAGMA journal_mode = DELETE");
}

/// All that read a log; FILE is the log.
const std::vector<std::string> readers{"log info FILE",
                                       "log events FILE",
                                       "log digest FILE",
                                       "log seek FILE --count 5",
                                       "log export FILE -o out --force",
                                       "log export FILE --mcap run.mcap --force",
                                       "log export FILE --mcap run.mcap --ros2 --force",
                                       "replay FILE",
                                       "replay FILE --html run.html --force",
                                       "replay FILE --png pictures --force",
                                       "why FILE --robot r1 --step 3",
                                       "rerun FILE",
                                       "branch FILE --step 2 --strategy stay --force -o branch.sqlite"};

class Victim {
  public:
    Victim() { write_log(good_); }
    /// The exit codes and what was said of all readers, after these statements.
    std::vector<ProgramResult> after(const std::string& sql) {
        std::filesystem::copy_file(good_, folder_ / "log.sqlite", std::filesystem::copy_options::overwrite_existing);
        Database(folder_ / "log.sqlite", Database::Mode::create).run(sql);
        std::vector<ProgramResult> out;
        for (std::string line : readers) {
            line.replace(line.find("FILE"), 4, "log.sqlite");
            CAPTURE(sql);
            CAPTURE(line);
            out.push_back(outrider_in(folder_, line, "ulimit -v 3000000; timeout 20"));
            CAPTURE(out.back().err);
            CHECK(out.back().code >= 0);
            CHECK(out.back().code <= 2);
            CHECK(out.back().err.find("check failed") == std::string::npos);
        }
        return out;
    }
    const std::string& good() const { return good_; }

  private:
    TemporaryFolder folder_;
    std::string good_ = folder_ / "good.sqlite";
};

int refusals(const std::vector<ProgramResult>& results, const std::string& text) {
    int count = 0;
    for (const ProgramResult& r : results) count += r.code == 2 && r.err.find(text) != std::string::npos;
    return count;
}

}  // namespace

TEST_CASE("a robot that a table names is one of the team, or the log is refused") {
    Victim victim;
    for (const ProgramResult& r : victim.after("")) CHECK(r.code == 0);
    for (const std::string number : {"3", "39", "99", "-2", "2147483648", "4294967296", "9223372036854775807"}) {
        const std::string said = "names robot " + number + "; there are 3, from 0 on";
        CHECK(refusals(victim.after("UPDATE event SET robot = " + number), "table 'event' " + said) >= 7);
        CHECK(refusals(victim.after("UPDATE summary SET robot = " + number), "table 'summary' " + said) == 2);
    }
    for (const std::string value : {"NULL", "'x'", "1.5", "x'01'"})
        CHECK(refusals(victim.after("UPDATE event SET robot = " + value), "a robot is no whole number") >= 7);
}

TEST_CASE("the team of a log is that of its scenario, and its level holds what it should") {
    Victim victim;
    for (const std::string sql :
         {"DELETE FROM robot WHERE id = 2", "INSERT INTO robot VALUES(3, 'r9', 'explorer', -1, -1)"})
        CHECK(refusals(victim.after(sql), "the log's table 'robot' has ") >= 9);
    CHECK(refusals(victim.after("DELETE FROM meta WHERE key = 'level'"), "the log has no 'level'") ==
          static_cast<int>(readers.size()));
    CHECK(refusals(victim.after("UPDATE meta SET value = 'fuller' WHERE key = 'level'"), "is unknown") ==
          static_cast<int>(readers.size()));
    for (const std::string level : {"none", "metrics", "poses"})
        victim.after("UPDATE meta SET value = '" + level + "' WHERE key = 'level'");
}

TEST_CASE("no number in a table of a log makes a reader fall over") {
    Victim victim;
    for (const std::string column :
         {"event SET step", "chunk SET first", "chunk SET last", "waist SET first", "waist SET last"})
        for (const std::string value : {"-1", "2147483647", "9223372036854775807"})
            victim.after("UPDATE OR IGNORE " + column + " = " + value);
    for (const std::string column : {"chunk SET last", "waist SET last"})  // no numbers
        for (const std::string value : {"'x'", "x'ff'", "NULL"}) victim.after("UPDATE " + column + " = " + value);
    for (const std::string order : {R"({"behaviour": "go", "forward": 0, "turn": 0, "way_points": [[1e300, 0]]})",
                                    R"({"behaviour": "stop", "forward": 0, "turn": 0, "way_points": [], "to": 77})",
                                    R"({"behaviour": "stop", "forward": 1e308, "turn": -1e308, "way_points": []})"})
        victim.after("UPDATE event SET json = '" + order + "' WHERE kind = 'operator'");
    victim.after("UPDATE event SET step = 'x'");
    victim.after("UPDATE event SET kind = 'operator'");
    victim.after("UPDATE event SET kind = 'changed'");
}

TEST_CASE("a log keeps what it says of robots in a type that only a range check makes") {
    CHECK(Index<Robot>::of(3, 4)->number() == 3);
    CHECK(!Index<Robot>::of(4, 4));
    CHECK(!Index<Robot>::of(-1, 4));
    CHECK(!Index<Robot>::of(INT64_MIN, SIZE_MAX));
    CHECK_THROWS_WITH_AS(Index<Robot>::read(9, 4, "log.sqlite: table 'event'", "robot"),
                         "log.sqlite: table 'event' names robot 9; there are 4, from 0 on", Error);
    const std::vector<int> shorter{1, 2};
    CHECK_THROWS_AS(Index<Robot>::of(3, 4)->in(shorter), CheckFailure);
}

TEST_CASE("a place beyond all maps, or none, is a cell off all maps") {
    const Lattice lattice{0.1};
    CHECK(lattice.cell_of({0.25, -0.05}) == Cell{2, -1});
    for (const double far : {1e300, -1e300, 1e9, -1e9, std::nan("")}) {
        const Cell c = lattice.cell_of({far, -far});
        CHECK(std::abs(std::int64_t{c.x} - c.y) <= INT32_MAX);
        CHECK(std::abs(c.x) >= (1 << 30) - 1);
    }
}

}  // namespace test_cli_tables
