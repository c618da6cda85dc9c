// What becomes of a log after it was read: tables of SQL with other values, through all that uses them.
#include <charconv>
#include <sstream>

#include "base/output.hpp"
#include "base/sqlite.hpp"
#include "fuzz/fuzz.hpp"
#include "fuzz/samples.hpp"
#include "log/event_text.hpp"
#include "log/replay.hpp"
#include "log/viewers/mcap_export.hpp"
#include "log/viewers/run_messages.hpp"
#include "outrider/error.hpp"
#include "player/page.hpp"
#include "simulation/rerun.hpp"

namespace outrider::fuzz {
namespace {

/// The changed_columns of a log that hold numbers or texts as they are.
constexpr std::array<std::pair<const char*, const char*>, 18> changed_columns{{{"event", "step"},
                                                                               {"event", "kind"},
                                                                               {"event", "robot"},
                                                                               {"event", "json"},
                                                                               {"summary", "name"},
                                                                               {"summary", "robot"},
                                                                               {"summary", "value"},
                                                                               {"robot", "id"},
                                                                               {"robot", "name"},
                                                                               {"robot", "role"},
                                                                               {"robot", "parent"},
                                                                               {"robot", "child"},
                                                                               {"chunk", "first"},
                                                                               {"chunk", "last"},
                                                                               {"waist", "first"},
                                                                               {"waist", "last"},
                                                                               {"meta", "value"},
                                                                               {"tile", "id"}}};

/// Another change of the tables goes on where one is refused.
template <class Use>
void use(Use&& used) {
    try {
        used();
    } catch (const Error&) {
    } catch (const RunFailure&) {
    }
}

/// The page that plays the run, as outrider replay --html makes it.
void play_on_page(LogReader& log) {
    const Scenario scenario = log.scenario();
    Grid<std::uint8_t> walls = scenario.walls;
    walls.set_origin(Cell{} - scenario.team_origin());
    PlayerRecorder recorder(scenario, walls);
    Replay replay(log);
    const LogSteps steps = log.steps();
    for (std::size_t k = 0; k < steps.steps.size(); ++k)
        if (replay.seek(steps.steps[k])) recorder.add(replay.view(), steps.metrics[k], steps.poses[k]);
    recorder.settle(replay.team());
    for (const LogReader::Event& event : log.events()) recorder.add(event);
    const PlayedRun played{recorder, {}};
    player_page(std::span(&played, 1));
}

void run_again(LogReader& log) {
    SimulationOptions options;
    options.threads = 1;
    options.orders = log.orders();
    options.stop_after = 5;
    Simulation sim(log.scenario(), options);
    const LogSteps steps = log.steps();
    HashCheck check(steps);
    sim.add_observer(check);
    sim.run();
}

/// Lines "COLUMN ROW VALUE" with numbers for the first two: that column of that row becomes the value.
void read_changed_tables(std::string_view bytes) {
    static const ScratchFile file("tables.sqlite");
    file.write(sample_log());
    {
        Database db(file.path(), Database::Mode::create);
        db.run("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF");
        std::istringstream lines{std::string(bytes)};
        int changes = 0;
        for (std::string line; changes < 8 && std::getline(lines, line); ++changes) {
            std::istringstream words(line);
            std::size_t column = 0, row = 0;
            std::string value;
            words >> column >> row;
            std::getline(words >> std::ws, value);
            const auto& [table, name] = changed_columns[column % changed_columns.size()];
            const bool rowless = std::string_view(table) == "meta";
            use([&] {
                Statement put =
                    db.prepare(fmt::format("UPDATE OR IGNORE {0} SET {1} = ? WHERE {2} IN (SELECT {2} FROM {0} "
                                           "LIMIT 1 OFFSET {3})",
                                           table, name, rowless ? "key" : "rowid", row % 32));
                std::int64_t whole_value = 0;
                double real = 0;
                const char* end = value.data() + value.size();
                if (std::from_chars(value.data(), end, whole_value).ptr == end && !value.empty())
                    put.bind(1, whole_value).run();
                else if (std::from_chars(value.data(), end, real).ptr == end && !value.empty())
                    put.bind(1, real).run();
                else
                    put.bind(1, value).run();
            });
        }
    }
    LogReader log(file.path());
    const Scenario scenario = log.scenario();
    use([&] {
        for (const LogReader::Event& e : log.events()) event_text(scenario, e.kind, e.robot_id(), e.json);
    });
    use([&] { log.summary(); });
    use([&] { play_on_page(log); });
    for (const MessageCoding* coding : {&foxglove_coding(), &ros2_coding()})
        use([&] {
            OutputFile out(ScratchFile::folder() + "/any.mcap", true);
            export_mcap(log, *coding, out);
        });
    use([&] { run_again(log); });
}

}  // namespace

std::vector<Target> consumer_targets() {
    return {
        {"log_tables", "tables of a log with other values (page, MCAP, events, run again)", read_changed_tables, 512}};
}

}  // namespace outrider::fuzz
