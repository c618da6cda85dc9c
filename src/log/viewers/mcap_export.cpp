#include "log/viewers/mcap_export.hpp"

#include <utility>

#include "log/replay.hpp"
#include "log/viewers/mcap_recorder.hpp"

namespace outrider {

McapExport export_mcap(LogReader& log, const MessageCoding& coding, OutputFile& out,
                       const std::atomic<bool>* interrupted) {
    McapExport result;
    Replay replay(log);
    const LogSteps steps = log.steps();
    McapRecorder recorder(replay.scenario(), coding, out, log.events());
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
    result.damaged = replay.damaged();
    result.damaged.insert(result.damaged.end(), steps.damaged.begin(), steps.damaged.end());
    return result;
}

}  // namespace outrider
