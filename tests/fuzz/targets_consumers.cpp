// What becomes of a log after it was read: tables of SQL with other values, through all that uses them.
#include "base/output.hpp"
#include "fuzz/changed_database.hpp"
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

/// Where one refuses the log, the others go on.
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

void read_changed_tables(std::string_view bytes) {
    static const ScratchFile file("tables.sqlite");
    write_changed(file, sample_log(), bytes);
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
