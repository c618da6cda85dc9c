#include "log/viewers/mcap_export.hpp"

#include <utility>

#include "base/version.hpp"
#include "log/replay.hpp"
#include "log/viewers/run_messages.hpp"

namespace outrider {

McapRunFile::McapRunFile(const Scenario& scenario, const MessageCoding& coding, OutputFile& out)
    : mcap_(out, coding.profile, fmt::format("outrider {}", version())), topics_(mcap_, coding) {
    mcap_.add_metadata("outrider", {{"scenario", scenario.name},
                                    {"seed", fmt::format("{}", scenario.run.seed)},
                                    {"step_s", fmt::format("{}", scenario.run.step_s)},
                                    {"time", "nanoseconds of simulated time, from 0"},
                                    {"version", std::string(version())}});
}

McapExport export_mcap(LogReader& log, const MessageCoding& coding, OutputFile& out,
                       const std::atomic<bool>* interrupted) {
    McapExport result;
    Replay replay(log);
    const LogSteps steps = log.steps();
    McapRunFile file(replay.scenario(), coding, out);
    RunMessages recorder(replay.scenario(), file.topics(), log.events());
    int rebuilds = replay.rebuilds();
    for (std::size_t k = 0; k < steps.steps.size(); ++k) {
        if (interrupted && interrupted->load()) {
            result.whole = false;
            return result;
        }
        if (!replay.seek(steps.steps[k])) continue;
        if (std::exchange(rebuilds, replay.rebuilds()) != replay.rebuilds()) recorder.forget();
        recorder.add(replay.view(), steps.poses[k]);
    }
    if (rebuilds != replay.rebuilds()) recorder.forget();  // looking for more, and found damage
    recorder.finish(replay.team());
    file.finish();
    result.damaged = replay.damaged();
    result.damaged.insert(result.damaged.end(), steps.damaged.begin(), steps.damaged.end());
    return result;
}

}  // namespace outrider
