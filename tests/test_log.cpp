#include <filesystem>

#include "helpers.hpp"
#include "log/log_format.hpp"
#include "log/log_reader.hpp"
#include "log/step_fields.hpp"

using namespace outrider;

namespace test_log {
namespace {

Scenario scenario(std::uint64_t seed = 1) {
    Notes notes;
    return make_scenario(
        parse_config(fmt::format("[team]\nrobots=3\n[comm]\nrange_m=5\n[start]\nrandom_heading=true\n[run]\nsteps="
                                 "150\nseed={}\n[[robot]]\n[[robot]]\ndies_at_step=20\n[[robot]]\n",
                                 seed),
                     "s"),
        "s", rooms_map(180, 150, 2), notes);
}

Hash128 digest_of(const std::string& path) { return LogReader(path).digest(); }

}  // namespace

TEST_CASE("numbers survive being written as bytes") {
    ByteWriter out;
    const std::array<std::int64_t, 9> integers{0, 1, -1, 63, -64, 64, INT32_MAX, INT64_MAX, INT64_MIN};
    for (const std::int64_t v : integers) out.integer(v);
    out.number(-0.1);
    out.text("name");
    ByteReader in(out.bytes);
    for (const std::int64_t v : integers) CHECK(in.integer() == v);
    CHECK(in.number() == -0.1);
    CHECK(in.text() == "name");
    CHECK(in.at_end());
    CHECK_THROWS_AS(in.number(), Error);
}

TEST_CASE("a log stores what an overlay means only where the layer's name does not tell it") {
    using enum Overlay::Meaning;
    const Lattice lattice{0.1};
    const auto written = [&](const std::vector<Overlay>& overlays) {
        StepColumns columns;
        ColumnWriter out(columns);
        code_overlays(out, overlays, {}, lattice, {});
        return columns;
    };
    const auto read = [&](const StepColumns& columns) {
        std::vector<Overlay> overlays;
        ColumnReader in(columns);
        code_overlays(in, overlays, {}, lattice, {});
        return overlays;
    };
    const std::vector<Overlay> named{
        Overlay::candidates("way", {{0.05, 0.05}}, {7}), Overlay::rule("the nearest"), Overlay::state("explore"),
        Overlay::polyline(path, "tour", {{0.05, 0.05}, {1.05, 0.05}}),
        Overlay::marks(meeting_through_wall, "rendezvous through walls with child", "meets", {{1, 2}, {3, 4}})};
    CHECK(read(written(named)) == named);
    // As versions wrote that knew no meanings: how many, then the kind of the first one.
    const StepColumns columns = written(named);
    ByteReader integers(columns.integers);
    CHECK(integers.size() == named.size());
    CHECK(integers.whole() == static_cast<int>(Overlay::Kind::points));

    std::vector<Overlay> others;
    for (std::size_t m = 0; m < overlay_meaning_names.size(); ++m)
        for (const auto kind : {Overlay::Kind::points, Overlay::Kind::line, Overlay::Kind::cells, Overlay::Kind::text})
            others.push_back({kind, "candidates", {}, {}, "", static_cast<Overlay::Meaning>(m)});
    CHECK(read(written(others)) == others);
    StepColumns wrong = written({others[0]});
    REQUIRE(wrong.integers.size() > 1);
    wrong.integers[1] = 125;  // a kind that there is not, -63
    CHECK_THROWS_WITH_AS(read(wrong), doctest::Contains("unknown kind of overlay, -63"), Error);
}

TEST_CASE("a log holds what happened: metrics, poses, hashes, events, summary") {
    const TemporaryFolder folder;
    SimulationOptions options;
    options.log_path = folder / "run.sqlite";
    Simulation sim(scenario(), options);
    std::vector<std::vector<Pose>> poses;
    struct Watcher final : Observer {
        Watcher(const SimDriver& d, std::vector<std::vector<Pose>>& p) : driver(d), poses(p) {}
        void on_step(const StepView&) override {
            auto& row = poses.emplace_back();
            for (const Body& b : driver.world().bodies()) row.push_back(b.pose);
        }
        const SimDriver& driver;
        std::vector<std::vector<Pose>>& poses;
    } watcher(sim.driver(), poses);
    sim.add_observer(watcher);
    const EndReason reason = sim.run();

    LogReader log(folder / "run.sqlite");
    CHECK(log.robots() == 4);
    CHECK(log.meta().at("end_reason") == end_reason_names[static_cast<std::size_t>(reason)]);
    CHECK(log.meta().at("steps_hash") == sim.progress().digest.hex());
    CHECK(log.meta().at("scenario") == sim.scenario().resolved());
    const LogSteps steps = log.steps();
    CHECK(steps.damaged.empty());
    REQUIRE(steps.metrics.size() == sim.metrics().steps().size());
    CHECK(steps.poses == poses);
    Hash128 chain;
    for (const Hash128& h : steps.hashes) chain = Hasher()(chain)(h).result();
    CHECK(chain == sim.progress().digest);
    for (std::size_t i = 0; i < steps.metrics.size(); ++i) {
        const StepMetrics &a = steps.metrics[i], &b = sim.metrics().steps()[i];
        CHECK((a.step == b.step && a.team_cells == b.team_cells && a.base_cells == b.base_cells && a.bytes == b.bytes &&
               a.messages == b.messages && a.lost == b.lost && a.components == b.components &&
               a.connected == b.connected && a.alive == b.alive && a.distance_m == b.distance_m &&
               a.team_share == b.team_share && a.robot_cells_sum == b.robot_cells_sum));
    }
    Statement events =
        log.database().prepare("SELECT count(*) FROM event WHERE kind = 'died' AND step = 20 AND robot = 2");
    events.step();
    CHECK(events.integer(0) == 1);
    const auto summary = sim.metrics().summary(reason, 150);
    Statement row = log.database().prepare("SELECT value FROM summary WHERE name = ? AND robot = ?");
    for (const SummaryValue& v : summary) {
        row.bind(1, v.metric->name).bind(2, std::int64_t{v.robot});
        REQUIRE(row.step());
        if (std::isnan(v.value))
            CHECK(row.is_null(0));
        else
            CHECK(row.number(0) == v.value);
        while (row.step()) {
        }
    }
    CHECK_FALSE(std::filesystem::exists(folder / "run.sqlite-wal"));  // one closed file
}

TEST_CASE("the digest of a log is the same for the same run and another for another") {
    const TemporaryFolder folder;
    const auto write = [&](const std::string& name, int threads, std::uint64_t seed, LogLevel level) {
        SimulationOptions options;
        options.log_path = folder / name;
        options.threads = threads;
        options.log_level = level;
        Simulation(scenario(seed), options).run();
        return digest_of(folder / name);
    };
    const Hash128 first = write("a", 1, 1, LogLevel::poses);
    CHECK(write("b", 3, 1, LogLevel::poses) == first);
    CHECK(write("c", 1, 2, LogLevel::poses) != first);
    CHECK(write("d", 1, 1, LogLevel::metrics) != first);
    const auto stored = [&](const char* name) {
        Database db(folder / name, Database::Mode::read);
        Statement sum = db.prepare("SELECT sum(length(blob)) FROM chunk");
        sum.step();
        return sum.integer(0);
    };
    CHECK(stored("d") < stored("a"));
}

TEST_CASE("a log that was cut off holds all committed steps") {
    const TemporaryFolder folder;
    SimulationOptions options;
    options.log_path = folder / "run.sqlite";
    {
        Simulation sim(scenario(), options);
        for (int i = 0; i < 100; ++i) sim.step();
        LogReader reading(folder / "run.sqlite");  // while it is being written
        CHECK(reading.steps().metrics.size() == 65);
    }
    LogReader log(folder / "run.sqlite");
    const LogSteps steps = log.steps();
    CHECK(steps.metrics.size() == 65);  // step 0 at once, then chunks of 64
    CHECK(steps.poses.size() == 65);
    CHECK_FALSE(log.meta().contains("end_reason"));
}

TEST_CASE("a reader that looks at the log all the while does not disturb the run") {
    const TemporaryFolder folder;
    SimulationOptions options;
    options.log_path = folder / "run.sqlite";
    Simulation sim(scenario(), options);
    for (int i = 0; i < 70; ++i) sim.step();
    Database reader(folder / "run.sqlite", Database::Mode::read);
    Statement rows = reader.prepare("SELECT key FROM meta");
    REQUIRE(rows.step());  // and stays in the middle
    CHECK_NOTHROW(sim.run());
    CHECK(LogReader(folder / "run.sqlite").meta().contains("end_reason"));
}

TEST_CASE("what is no log is refused; a damaged chunk is named") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH_AS(LogReader(folder / "none"), doctest::Contains("cannot be read"), Error);
    write_text(folder / "text", "hello");
    CHECK_THROWS_WITH_AS(LogReader(folder / "text"), doctest::Contains("not a log of outrider"), Error);
    write_text(folder / "empty", "");
    CHECK_THROWS_WITH_AS(LogReader(folder / "empty"), doctest::Contains("not a log of outrider"), Error);
    {
        Database other(folder / "other", Database::Mode::create);
        other.run("CREATE TABLE x(y)");
    }
    CHECK_THROWS_WITH_AS(LogReader(folder / "other"), doctest::Contains("not a log of outrider"), Error);
    SimulationOptions options;
    options.log_path = folder / "run";
    Simulation(scenario(), options).run();
    {
        Database db(folder / "run", Database::Mode::create);
        db.run("PRAGMA user_version = 99");
    }
    CHECK_THROWS_WITH_AS(LogReader(folder / "run"), doctest::Contains("newer outrider"), Error);
    {
        Database db(folder / "run", Database::Mode::create);
        db.run("PRAGMA user_version = 1; UPDATE chunk SET blob = zeroblob(length(blob)) WHERE first = 1");
    }
    LogReader damaged(folder / "run");
    CHECK_THROWS_WITH_AS(damaged.digest(), doctest::Contains("run: damaged: steps 1-64: its checksum is wrong"), Error);
    const LogSteps steps = damaged.steps();
    REQUIRE(steps.damaged.size() == 1);
    CHECK(steps.damaged[0] == "steps 1-64: its checksum is wrong");
    // What follows keeps its numbers.
    REQUIRE(steps.steps.size() > 10);
    CHECK(steps.steps[0] == 0);
    CHECK(steps.steps[1] == 65);
    CHECK(steps.metrics[1].step == 65);
    CHECK(steps.hashes.size() == steps.steps.size());
}

TEST_CASE("a damaged map, or what robots perceived, is named by whoever needs it") {
    const TemporaryFolder folder;
    SimulationOptions options;
    options.log_path = folder / "run";
    options.log_level = LogLevel::full;
    Simulation(scenario(), options).run();
    CHECK(LogReader(folder / "run").damaged_parts().empty());
    {
        Database db(folder / "run", Database::Mode::create);
        db.run("UPDATE waist SET blob = zeroblob(length(blob)) WHERE first = 1");
    }
    LogReader blind(folder / "run");
    REQUIRE(blind.damaged_parts().size() == 1);
    CHECK(blind.damaged_parts()[0] == "steps 1-64, what robots perceived and sent: its checksum is wrong");
    CHECK_THROWS_WITH_AS(blind.digest(), doctest::Contains("run: damaged: steps 1-64, what robots perceived"), Error);
    {
        Database db(folder / "run", Database::Mode::create);
        db.run("UPDATE tile SET blob = x'00' WHERE id = 1; UPDATE tile SET hash = zeroblob(16) WHERE id = 2");
    }
    LogReader torn(folder / "run");
    REQUIRE(torn.damaged_parts().size() == 3);
    CHECK(torn.damaged_parts()[1] == "tile 1: a tile of the log ends too early");
    CHECK(torn.damaged_parts()[2] == "tile 2 is not what its hash says");
    {
        Database db(folder / "run", Database::Mode::create);
        db.run("UPDATE meta SET value = zeroblob(length(value)) WHERE key = 'map'");
    }
    for (const char* wrong : {"map_width=x", "map_height=70000", "map_width=-3", "map_height=", "map_cell_m=nan",
                              "map_cell_m=0", "sensable_cells=1e999", "sensable_cells=12 or so"}) {
        const std::string key(wrong, std::string_view(wrong).find('=')), value(wrong + key.size() + 1);
        CAPTURE(key);
        CAPTURE(value);
        {
            Database db(folder / "run", Database::Mode::create);
            db.run(
                fmt::format("CREATE TABLE IF NOT EXISTS kept AS SELECT * FROM meta;"
                            "UPDATE meta SET value = '{}' WHERE key = '{}'",
                            value, key));
        }
        LogReader odd(folder / "run");
        const auto read = [&] {
            odd.steps();
            odd.scenario();
        };
        const std::string why = fmt::format("run: the log's '{}' is damaged: '{}'", key, value);
        CHECK_THROWS_WITH_AS(read(), doctest::Contains(why.c_str()), Error);
        Database db(folder / "run", Database::Mode::create);
        db.run("DELETE FROM meta; INSERT INTO meta SELECT * FROM kept");
    }
    LogReader lost(folder / "run");
    CHECK_THROWS_WITH_AS(lost.digest(), doctest::Contains("run: the map of the log is damaged"), Error);
    CHECK_THROWS_WITH_AS(lost.scenario(), doctest::Contains("run: the map of the log is damaged"), Error);
}

}  // namespace test_log
