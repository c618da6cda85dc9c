// Logs of a live team, the tables of one or of both with other values, put on one timeline and run again.
#include <filesystem>

#include "base/input.hpp"
#include "base/sqlite.hpp"
#include "fuzz/changed_database.hpp"
#include "fuzz/fuzz.hpp"
#include "live/join/joined_log.hpp"
#include "live_team.hpp"
#include "log/log_reader.hpp"
#include "outrider/error.hpp"

namespace outrider::fuzz {
namespace {

/// The bytes of the logs of two processes over eight steps.
const std::vector<std::string>& sample_logs() {
    static const std::vector<std::string> logs = [] {
        Notes notes;
        const Scenario scenario = make_scenario(
            parse_config("[team]\nrobots = 2\nstrategy = 'nearest'\n[sensor]\nbeams = 3\n[run]\nstep_s = 0.02\n"
                         "[live]\nvalid_s = 60\n",
                         "team"),
            "team", Grid<std::uint8_t>(24, 16, 0, Lattice{0.1}), notes);
        std::vector<std::string> out;
        for (const std::string& log : LiveTeam(scenario, ScratchFile::folder(), true, 2, 10, 1).logs) {
            Database(log, Database::Mode::create).run("PRAGMA journal_mode = DELETE; PRAGMA page_size = 512; VACUUM");
            out.push_back(read_file(log, "a log of the sample team"));
        }
        return out;
    }();
    return logs;
}

/// The first byte says which logs are changed: bit 0 the first, bit 1 the second.
void join_changed(std::string_view bytes) {
    static const ScratchFile first("join/r1.sqlite"), second("join/r2.sqlite");
    if (bytes.empty()) return;
    const int which = bytes.front();
    bytes.remove_prefix(1);
    write_changed(first, sample_logs()[0], which & 1 ? bytes : "");
    write_changed(second, sample_logs()[1], which & 2 ? bytes : "");
    const std::string team = ScratchFile::folder() + "/join/team.sqlite";
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(team + end);
    LogJoin join({first.path(), second.path()});
    expect(join.write(team, std::atomic<bool>{false}), "nobody interrupted it");
    LogReader log(team);
    expect(log.steps().steps.size() == static_cast<std::size_t>(join.steps()), "a step of the timeline is missing");
}

}  // namespace

std::vector<Target> log_join_targets() {
    return {{"log_join", "logs of a live team with other values in their tables (log join)", join_changed, 512}};
}

}  // namespace outrider::fuzz
