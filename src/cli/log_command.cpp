// outrider log
#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/json.hpp"
#include "base/output.hpp"
#include "base/percentile.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/log_export.hpp"
#include "cli/log_mcap.hpp"
#include "live/join/joined_log.hpp"
#include "log/log_reader.hpp"
#include "log/replay.hpp"
#include "outrider/error.hpp"
#include "outrider/rng.hpp"
#include "scenario/provenance.hpp"

namespace outrider {
namespace {

void print_info(LogReader& log) {
    for (const auto& [key, value] : log.meta())
        if (key != "scenario") print_plain("{:<16}{}\n", key, value);
    for (const ProvenancePart& part : log.provenance().parts) print_plain("{:<16}{}\n", "decided by", part.text());
    const LogSteps steps = log.steps();
    print_plain("{:<16}{}{}\n", "steps", steps.metrics.size(),
                log.meta().contains("end_reason") ? "" : "; the run was cut off here, the log has no end");
    for (const std::string& damaged : steps.damaged) print_plain("{:<16}{}\n", "damaged", damaged);
    for (const std::string& damaged : log.damaged_parts()) print_plain("{:<16}{}\n", "damaged", damaged);
}

std::string info_json(LogReader& log) {
    Json::Object out;
    for (const auto& [key, value] : log.meta())
        if (key != "scenario") out.emplace_back(key, Json{value});
    Json::Array decided_by, damaged;
    for (const ProvenancePart& part : log.provenance().parts) decided_by.push_back({part.text()});
    const LogSteps steps = log.steps();
    for (const std::string& part : steps.damaged) damaged.push_back({part});
    for (const std::string& part : log.damaged_parts()) damaged.push_back({part});
    out.insert(
        out.end(),
        {{"decided_by", {decided_by}}, {"steps", {static_cast<double>(steps.metrics.size())}}, {"damaged", {damaged}}});
    return json_text({out}) + "\n";
}

void print_events(LogReader& log) {
    print_plain("step,kind,robot,json\n");
    for (const LogReader::Event& e : log.events()) {
        print_plain("{},{},{},{}\n", e.step, csv_field(e.kind), e.robot_id(), csv_field(e.json));
    }
}

/// How long a seek to a step takes, wherever it is.
void print_seeks(LogReader& log, int count) {
    using Clock = std::chrono::steady_clock;
    const auto seconds_since = [](Clock::time_point start) {
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    const auto opening = Clock::now();
    Replay replay(log);
    const double opened_s = seconds_since(opening);
    Statement end = log.database().prepare("SELECT max(last) FROM waist");
    if (!end.step() || end.integer(0) < 0 || end.integer(0) >= INT32_MAX || end.is_null(0))
        fail("{}: the log holds no steps", log.path());
    const auto steps = static_cast<std::uint32_t>(end.integer(0) + 1);
    Rng rng(1, 0, Purpose::placement, 0);
    std::vector<double> seeks_ms;
    for (int k = 0; k < count; ++k) {
        const auto step = static_cast<int>(rng.below(steps));
        const auto start = Clock::now();
        if (replay.seek(step)) seeks_ms.push_back(1000 * seconds_since(start));
    }
    for (const std::string& damaged : replay.damaged()) print_plain("{:<16}{}\n", "damaged", damaged);
    if (seeks_ms.empty()) fail("{}: no step can be read", log.path());
    std::sort(seeks_ms.begin(), seeks_ms.end());
    print_plain(
        "{} seeks to random steps of {}, {} robots: median {:.1f} ms, p99 {:.1f} ms, at most {:.1f} ms; opened in "
        "{:.1f} ms\n",
        seeks_ms.size(), steps, log.robots(), percentile(seeks_ms, 0.5), percentile(seeks_ms, 0.99), seeks_ms.back(),
        1000 * opened_s);
}

struct LogFlags {
    std::optional<std::string> what, output, mcap, geo;
    std::vector<std::string> files;
    std::optional<int> count;
    bool ros2 = false, json = false, force = false;
    void fields(Flags& f) {
        f.positional("what", what);
        f.positional("files", files);
        f("o,output", output, "PATH", "with export: folder to write to; with join: the log to write");
        f("mcap", mcap, "FILE.mcap",
          "with export: write maps, scans, poses, goals, links and reasons of all steps for Foxglove");
        f("ros2", ros2, "with --mcap: as messages of ROS 2, for rviz and rosbag2");
        f("geo", geo, "LAT,LON[,BEARING]",
          "with export: where the lower left corner of the map lies on earth; none: metres, and 0 N, 0 E in GPX");
        f("json", json, "with info: as JSON");
        f("count", count, 1, 1'000'000, "N", "with seek: how many");
        f("force", force, "with export and join: overwrite files that exist");
    }
};

int export_to(LogReader& log, const LogFlags& flags) {
    if (!flags.output && !flags.mcap) fail("nowhere to write to: give -o DIR, or --mcap FILE.mcap");
    std::optional<Placement> placement;
    if (flags.geo) placement = Placement::parse(*flags.geo);
    const int code = flags.mcap ? write_mcap(log.path(), *flags.mcap, flags.ros2, flags.force) : 0;
    if (code != 130 && flags.output) export_log(log, *flags.output, flags.force, placement);
    return code;
}

int join(const LogFlags& flags) {
    if (!flags.output) fail("nowhere to write to: outrider log join LOG LOG... -o TEAM.sqlite");
    expect_distinct(flags, {"output"}, flags.files);
    const std::atomic<bool>& interrupted = catch_interrupts();
    LogJoin logs(flags.files);
    prepare_database(*flags.output, flags.force);
    const TakenName name(*flags.output);
    const bool whole = logs.write(name.path(), interrupted);
    for (const LogJoin::Part& part : logs.parts())
        print_plain("{}: {}, {} steps from step {} on{}\n", part.path, part.robots, part.steps(), part.at.front(),
                    part.pauses() > 0 ? fmt::format(", {} times a step behind the others", part.pauses()) : "");
    print_plain("log {}\n", name.path());
    return whole ? 0 : 130;
}

int show_log(const LogFlags& flags) {
    constexpr std::array<std::string_view, 6> known{"info", "events", "digest", "seek", "export", "join"};
    if (!flags.what || flags.files.empty())
        fail("expected outrider log info LOG, or events, digest, seek, export or join; see outrider log --help");
    const std::string& what = *flags.what;
    if (std::find(known.begin(), known.end(), what) == known.end())
        fail("outrider log {}: expected info, events, digest, seek, export or join", what);
    if (flags.mcap && what != "export") fail("--mcap: expected outrider log export LOG --mcap FILE.mcap");
    if (flags.ros2 && !flags.mcap) fail("--ros2: expected --mcap FILE.mcap, too");
    if (flags.json && what != "info") fail("--json: expected outrider log info LOG --json; events are CSV");
    if (what == "join") return join(flags);
    if (flags.files.size() > 1) fail("outrider log {}: expected one log; several are for outrider log join", what);
    const std::string& file = flags.files.front();
    if (flags.mcap) expect_distinct(flags, {"mcap"}, {file});
    LogReader log(file);
    if (what == "info" && flags.json) print_plain("{}", Lines{info_json(log)});
    if (what == "info" && !flags.json) print_info(log);
    if (what == "events") print_events(log);
    if (what == "digest") print_plain("{}\n", log.digest().hex());
    if (what == "seek") print_seeks(log, flags.count.value_or(300));
    return what == "export" ? export_to(log, flags) : 0;
}

}  // namespace

Subcommand log_command() {
    return subcommand<LogFlags, show_log>(
        {"log",
         "What a log holds.\n\n  outrider log info LOG            where it is from, how far it goes\n"
         "  outrider log events LOG          what happened, as CSV\n"
         "  outrider log digest LOG          canonical hash of all but the timing: same scenario, seed and\n"
         "                                   version give the same digest\n"
         "  outrider log seek LOG            how long it takes to get to a random step of a full log\n"
         "  outrider log export LOG -o DIR   every table as CSV, the map for ROS and as GeoTIFF, the scenario,\n"
         "                                   tracks as GPX and MapInfo MIF/MID; of a full log a CARMEN log and\n"
         "                                   the last map of each robot, for ROS and as GeoTIFF\n"
         "  outrider log export LOG --mcap F.mcap [--ros2]   all steps for Foxglove, or for rviz\n"
         "  outrider log join LOG LOG... -o TEAM.sqlite      the logs of the processes of a live team as one\n",
         "[OPTION...] info|events|digest|seek|export|join LOG..."},
        "what a log holds: info, events, digest, export; join");
}

}  // namespace outrider
