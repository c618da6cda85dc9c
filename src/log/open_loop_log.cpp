#include "log/open_loop_log.hpp"

#include <algorithm>
#include <cstdio>

#include "base/version.hpp"
#include "log/log_format.hpp"
#include "outrider/error.hpp"
#include "scenario/provenance.hpp"

namespace outrider {
namespace {

/// A closed copy of a log, of all that is committed.
const std::string& copied(LogReader& log, const std::string& path) {
    try {
        log.database().prepare("VACUUM INTO ?").bind(1, path).run();
    } catch (const RunFailure& failure) {  // which names the old log
        for (const char* rest : {"", "-journal"}) std::remove((path + rest).c_str());
        throw RunFailure(fmt::format("{}: the copy of {}", path, failure.what()));
    }
    return path;
}

/// The strategies of the mobile robots now; "A and B" when they differ.
std::string strategies_of(const Scenario& scenario) {
    std::vector<std::string> names;
    for (const RobotEntry& r : scenario.robots)
        if (r.role != Role::base && std::find(names.begin(), names.end(), r.strategy) == names.end())
            names.push_back(r.strategy);
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : " and ") + name;
    return text;
}

StepLayout layout_of(const Scenario& scenario) {
    StepLayout layout = StepLayout::of(scenario);
    layout.open_loop = true;
    return layout;
}

}  // namespace

OpenLoopLog::OpenLoopLog(const std::string& path, LogReader& old, const Scenario& scenario,
                         const std::vector<Briefing>& briefings)
    : old_(old),
      db_(copied(old, path), Database::Mode::create),
      find_(old.database().prepare(
          "SELECT w.first, w.last, w.crc, w.hash, w.blob, c.crc, c.blob FROM waist w JOIN chunk c "
          "ON c.first = w.first AND c.last = w.last WHERE w.first = ?")),
      writer_(briefings, layout_of(scenario)) {
    db_.run(
        fmt::format("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN; PRAGMA user_version = {};"
                    "DELETE FROM waist; DELETE FROM chunk; DELETE FROM summary; DELETE FROM timing;"
                    "DELETE FROM meta WHERE key IN ('end_reason', 'steps_hash', 'script', 'open_loop')",
                    layout_of(scenario).version()));
    Statement meta = db_.prepare("INSERT OR REPLACE INTO meta VALUES(?, ?)");
    const auto put = [&](std::string_view key, const std::string& value) { meta.bind(1, key).bind(2, value).run(); };
    put("open_loop", fmt::format("decisions of {} on the percepts of the log with the digest {}; they lead nowhere",
                                 strategies_of(scenario), old.digest().hex()));
    put("scenario", scenario.resolved());
    put("scenario_hash", scenario.hash().hex());
    put("version", std::string(version()));
    put("source", std::string(source_id()));
    db_.run("DROP TABLE IF EXISTS provenance");
    db_.run(provenance_schema);
    write_provenance(db_, provenance_of(scenario));
    if (scenario.script) {
        Packer packer;
        meta.bind(1, "script").bind_blob(2, packer.pack(scenario.script->bytes(), Packer::Method::small)).run();
    }
    db_.run("COMMIT");
    for (const Briefing& b : briefings) poses_.push_back(b.start);
    store_ = std::make_unique<ChunkStore>(db_, false);
}

/// Chunks are those of the old log, with its keyframes.
void OpenLoopLog::begin_chunk(int step) {
    find_.bind(1, std::int64_t{step});
    if (!find_.step()) fail("{}: the log has no chunk that begins with step {}", old_.path(), step);
    first_ = step;
    last_ = static_cast<int>(find_.integer(1));
    chunk_ = std::make_unique<StepChunk>(unpack_steps(find_.bytes(4), find_.integer(2), find_.bytes(3)));
    if (std::int64_t{checksum(find_.bytes(6))} != find_.integer(5))
        fail("{}: steps {}-{}: the checksum is wrong", old_.path(), first_, last_);
    const std::string bytes = unpack(find_.bytes(6));
    ByteReader in(bytes);
    const std::size_t steps = in.size();
    for (const auto& [section, values] : {std::pair{"hash", 2 * steps}, {"robot_hash", poses_.size() * steps}}) {
        if (in.text() != section) fail("{}: steps {}-{}: expected '{}'", old_.path(), first_, last_, section);
        for (std::size_t i = 0; i < values; ++i) in.integer();
    }
    sections_ = in.rest();
    find_.run();
    writer_.begin(poses_);
}

void OpenLoopLog::add(const StepView& view, const Replay& then) {
    if (!chunk_) begin_chunk(view.step);
    std::vector<std::vector<std::uint64_t>> bytes;
    std::vector<std::optional<Transmission>> sent;
    for (const RobotStep& step : then.recorded()) {
        sent.push_back(step.audible(then.open_loop()));
        auto& received = bytes.emplace_back();
        for (const Reception& h : step.received) received.push_back(h.bytes);
    }
    writer_.add(view.percepts, view.decisions, bytes, sent);
    hashes_.push_back(view.hash);
    for (const Hash128& h : view.robot_hashes) robot_hashes_.push_back(static_cast<std::uint32_t>(h.low));
    if (view.step == last_) close_chunk(view.team);
}

void OpenLoopLog::close_chunk(std::span<const Robot> team) {
    ByteWriter out;
    out.integer(static_cast<std::int64_t>(hashes_.size()));
    append_hashes(out, hashes_, robot_hashes_);
    out.bytes += sections_;
    chunk_->columns = writer_.take_columns();
    store_->add({first_, last_, std::move(out.bytes), std::move(chunk_), {}});
    for (const Hash128& h : hashes_) digest_ = Hasher()(digest_)(h).result();
    steps_ = last_ + 1;
    hashes_.clear();
    robot_hashes_.clear();
    for (std::size_t i = 0; i < team.size(); ++i) poses_[i] = team[i].belief().pose();
}

void OpenLoopLog::finish(bool interrupted) {
    store_->finish();
    store_.reset();
    db_.run("BEGIN");
    Statement meta = db_.prepare("INSERT INTO meta VALUES(?, ?)");
    if (interrupted) {
        db_.run(fmt::format("DELETE FROM event WHERE step >= {}", steps_));
        meta.bind(1, "end_reason").bind(2, end_reason_names[static_cast<std::size_t>(EndReason::interrupted)]).run();
    } else if (const auto reason = old_.meta().find("end_reason"); reason != old_.meta().end())
        meta.bind(1, "end_reason").bind(2, std::string_view(reason->second)).run();
    meta.bind(1, "steps_hash").bind(2, digest_.hex()).run();
    db_.run("COMMIT; PRAGMA journal_mode = DELETE");
}

}  // namespace outrider
