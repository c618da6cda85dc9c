#include "log/log_writer.hpp"

#include <algorithm>
#include <cstdio>

#include "base/json.hpp"
#include "base/version.hpp"
#include "log/briefing_codec.hpp"
#include "scenario/provenance.hpp"
#include "scenario/scenario.hpp"

namespace outrider {
namespace {

constexpr int chunk_steps = 64;

constexpr std::string_view schema = R"(
    CREATE TABLE meta(key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE robot(id INTEGER PRIMARY KEY, name TEXT, role TEXT, parent INTEGER, child INTEGER);
    CREATE TABLE event(step INTEGER, kind TEXT, robot INTEGER, json TEXT);
    CREATE TABLE summary(name TEXT, robot INTEGER, value REAL);
    CREATE TABLE chunk(first INTEGER PRIMARY KEY, last INTEGER, codec TEXT, crc INTEGER, blob BLOB);
    CREATE TABLE timing(name TEXT PRIMARY KEY, value REAL) WITHOUT ROWID;
)";
constexpr std::string_view full_schema = R"(
    CREATE TABLE waist(first INTEGER PRIMARY KEY, last INTEGER, codec TEXT, crc INTEGER, hash BLOB, blob BLOB);
    CREATE TABLE tile(id INTEGER PRIMARY KEY, hash BLOB, blob BLOB);
)";

/// The walls as rows of bits, lower left cell first.
std::string pack_walls(const Grid<std::uint8_t>& walls) {
    std::string bits((walls.cells().size() + 7) / 8, '\0');
    for (std::size_t i = 0; i < walls.cells().size(); ++i)
        if (walls.cells()[i]) bits[i / 8] = static_cast<char>(bits[i / 8] | 1 << (i % 8));
    return bits;
}

}  // namespace

LogWriter::LogWriter(const std::string& path, LogLevel level, const Scenario& scenario,
                     const std::vector<Briefing>& briefings, const SimDriver& driver, const Metrics& metrics,
                     Frames frames)
    : db_(path, Database::Mode::create),
      level_(level),
      driver_(driver),
      metrics_(metrics),
      frames_(std::move(frames)),
      finder_(briefings.size()) {
    try {
        write_header(scenario, briefings);
        if (level_ == LogLevel::full) {
            for (const Briefing& b : briefings) starts_.push_back(b.start);
            steps_.emplace(briefings, layout_of(scenario));
        }
        store_ = std::make_unique<ChunkStore>(db_, level_ == LogLevel::full);
    } catch (const RunFailure& failure) {  // nothing has been run yet: the path is wrong, or the disk is full
        for (const char* rest : {"", "-wal", "-shm", "-journal"}) std::remove((path + rest).c_str());
        throw Error(failure.what());
    }
}

StepLayout LogWriter::layout_of(const Scenario& scenario) const {
    StepLayout layout = StepLayout::of(scenario);
    layout.live = frames_ != nullptr;
    return layout;
}

void LogWriter::write_header(const Scenario& scenario, const std::vector<Briefing>& briefings) {
    db_.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE");
    if (db_.prepare("SELECT 1 FROM sqlite_schema").step())
        fail("{}: another program has just begun to write it; choose another name", db_.path());
    db_.run(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", log_application_id,
                        level_ < LogLevel::full ? log_version_plain : layout_of(scenario).version()));
    db_.run(schema);
    db_.run(provenance_schema);
    write_provenance(db_, provenance_of(scenario));
    if (level_ == LogLevel::full) db_.run(full_schema);
    Statement meta = db_.prepare("INSERT INTO meta VALUES(?, ?)");
    const auto put = [&](std::string_view key, auto value) { meta.bind(1, key).bind(2, value).run(); };
    put("scenario", scenario.resolved());
    put("scenario_hash", scenario.hash().hex());
    put("map_hash", map_hash(scenario.walls).hex());
    put("map_width", std::int64_t{scenario.walls.width()});
    put("map_height", std::int64_t{scenario.walls.height()});
    put("map_cell_m", scenario.walls.lattice().cell_m);
    if (const Pose& origin = scenario.map_origin; origin != Pose{}) {
        put("map_origin_x", origin.x);
        put("map_origin_y", origin.y);
        put("map_origin_yaw", origin.yaw);
    }
    Packer packer;
    meta.bind(1, "map").bind_blob(2, packer.pack(pack_walls(scenario.walls), Packer::Method::small)).run();
    for (const auto& [name, layer] : {std::pair("plan", scenario.layers.plan),
                                      {"ground", scenario.layers.ground},
                                      {"glass", scenario.layers.glass}})
        if (layer) {
            const std::string cells(layer->cells().begin(), layer->cells().end());
            meta.bind(1, name).bind_blob(2, packer.pack(cells, Packer::Method::small)).run();
        }
    if (scenario.layers.height) {
        std::string bytes;  // two for each cell, the lower one first
        for (const std::uint16_t height : scenario.layers.height->cells()) {
            bytes.push_back(static_cast<char>(height & 0xff));
            bytes.push_back(static_cast<char>(height >> 8));
        }
        meta.bind(1, "height").bind_blob(2, packer.pack(bytes, Packer::Method::small)).run();
    }
    if (scenario.script) {
        put("imported", scenario.script->origin);
        meta.bind(1, "script").bind_blob(2, packer.pack(scenario.script->bytes(), Packer::Method::small)).run();
    }
    put("team_origin_x", std::int64_t{scenario.team_origin().x});
    put("team_origin_y", std::int64_t{scenario.team_origin().y});
    if (frames_) put("live", "robots that are not simulated; the poses are where they believed to be");
    put("seed", static_cast<std::int64_t>(scenario.run.seed));
    put("level", log_level_names[static_cast<std::size_t>(level_)]);
    put("version", version());
    put("source", source_id());
    put("sensable_cells", metrics_.coverage().sensable());
    if (level_ == LogLevel::full)
        meta.bind(1, "briefings").bind_blob(2, packer.pack(write_briefings(briefings), Packer::Method::small)).run();
    Statement robot = db_.prepare("INSERT INTO robot VALUES(?, ?, ?, ?, ?)");
    for (const TeamMember& m : briefings.at(0).team())
        robot.bind(1, std::int64_t{m.id})
            .bind(2, m.name)
            .bind(3, role_names[static_cast<std::size_t>(m.role)])
            .bind(4, std::int64_t{m.parent})
            .bind(5, std::int64_t{m.child})
            .run();
    db_.run("COMMIT");
}

void LogWriter::on_step(const StepView& view) {
    next_ = view.step + 1;
    hashes_.push_back(view.hash);
    for (const Hash128& h : view.robot_hashes) robot_hashes_.push_back(static_cast<std::uint32_t>(h.low));
    if (level_ >= LogLevel::poses)
        for (const Body& body : driver_.world().bodies()) poses_.push_back(body.pose);
    if (steps_) {
        if (view.step == 0) begin_steps({}, {});
        if (frames_)
            steps_->add(view.percepts, view.decisions, frames_());
        else
            steps_->add(view.percepts, view.decisions, driver_.traffic().bytes_received);
        note_paths();
    }
    for (LogEvent& event : finder_.find(view, metrics_.steps().back(), driver_.traffic().component, &driver_))
        if (!frames_ || event.kind != "died")  // robots of other processes are no loss
            events_.push_back(std::move(event));
    if (view.step == 0 || next_ - first_ >= chunk_steps) close_chunk(view.team, view.decisions);
}

void LogWriter::describe(std::string_view key, const std::string& value) {
    db_.prepare("INSERT INTO meta VALUES(?, ?)").bind(1, key).bind(2, value).run();
}

void LogWriter::note(const std::string& text) {
    constexpr int most_notes = 1000;
    constexpr std::size_t most_bytes = 400;
    std::string plain = text.substr(0, most_bytes);  // whoever wrote it: no log is damaged by it
    for (char& c : plain)
        if (c < ' ' || c > '~') c = '?';
    if (notes_ < most_notes)
        events_.push_back({next_, "note", -1, fmt::format(R"({{"text": {}}})", json_quoted(plain))});
    ++notes_;
}

/// Begins a chunk after the state of this team; before step 0 the robots know nothing.
void LogWriter::begin_steps(std::span<const Robot> team, std::span<const Decision> decisions) {
    step_chunk_ = std::make_unique<StepChunk>();
    std::vector<Pose> poses = starts_;
    if (!team.empty() && (team[0].state().submaps || frames_)) {
        poses = steps_->reckoned();  // what such robots know follows only from all that they saw and heard
    } else if (!team.empty()) {
        for (std::size_t i = 0; i < team.size(); ++i) poses[i] = team[i].belief().pose();
        step_chunk_->keyframe = keyframes_.write(team, decisions);
        step_chunk_->tiles = keyframes_.take_fresh_tiles();
    }
    steps_->begin(poses);
}

/// The corners of the paths of this step; the end of a path is the pose. A corner in the middle of a cell, up to
/// rounding, is stored as that cell.
void LogWriter::note_paths() {
    const Lattice& lattice = driver_.world().lattice();
    for (std::size_t i = 0; i < starts_.size(); ++i) {
        const Move& move = driver_.last_move(static_cast<RobotId>(i));
        const bool moved = move.delta.x != 0 || move.delta.y != 0;
        const std::size_t corners = moved && !move.path.empty() ? move.path.size() - 1 : 0;
        Cell near = lattice.cell_of(driver_.world().bodies()[i].pose.position());
        paths_.integer(static_cast<std::int64_t>(corners));
        for (std::size_t k = 0; k < corners; ++k) {
            const Cell cell = lattice.cell_of(move.path[k]);
            const bool middle = distance(lattice.centre(cell), move.path[k]) < 1e-9;
            paths_.integer(middle);
            if (middle) {
                paths_.integer(cell.x - near.x);
                paths_.integer(cell.y - near.y);
                near = cell;
            } else {
                paths_.number(move.path[k].x);
                paths_.number(move.path[k].y);
            }
        }
    }
}

/// The sections of every level except `none`.
std::string LogWriter::pack_sections() {
    ByteWriter out;
    out.integer(next_ - first_);
    append_hashes(out, hashes_, robot_hashes_);
    out.text("metrics");
    const std::span<const StepMetrics> rows = std::span(metrics_.steps()).subspan(static_cast<std::size_t>(first_));
    const auto column = [&](auto get) {
        std::int64_t last = 0;
        for (const StepMetrics& row : rows) {
            const auto value = static_cast<std::int64_t>(get(row));
            out.integer(value - last);
            last = value;
        }
    };
    column([](const StepMetrics& r) { return r.team_cells; });
    column([](const StepMetrics& r) { return r.base_cells; });
    column([](const StepMetrics& r) { return r.robot_cells_sum; });
    column([](const StepMetrics& r) { return r.messages; });
    column([](const StepMetrics& r) { return r.lost; });
    column([](const StepMetrics& r) { return r.bytes; });
    column([](const StepMetrics& r) { return r.components; });
    column([](const StepMetrics& r) { return r.connected; });
    column([](const StepMetrics& r) { return r.alive; });
    for (const StepMetrics& r : rows) out.number(r.distance_m);
    if (level_ >= LogLevel::poses) {
        out.text("poses");
        for (const Pose& p : poses_) {
            out.number(p.x);
            out.number(p.y);
            out.number(p.yaw);
        }
    }
    if (steps_) {
        out.text("ways");
        out.bytes += paths_.bytes;
    }
    return std::move(out.bytes);
}

void LogWriter::close_chunk(std::span<const Robot> team, std::span<const Decision> decisions) {
    if (next_ == first_) return;
    LogChunk chunk{first_, next_ - 1, pack_sections(), std::move(step_chunk_), std::exchange(events_, {})};
    if (steps_) chunk.steps->columns = steps_->take_columns();
    store_->add(std::move(chunk));
    first_ = next_;
    hashes_.clear();
    robot_hashes_.clear();
    poses_.clear();
    paths_.bytes.clear();
    if (steps_) begin_steps(team, decisions);
}

void LogWriter::finish(EndReason reason, const Run& run, const std::vector<SummaryValue>& summary,
                       const Provenance& reported) {
    close_chunk(run.team, run.decisions);
    store_->finish();
    db_.run("BEGIN");
    Statement meta = db_.prepare("INSERT INTO meta VALUES(?, ?)");
    meta.bind(1, "end_reason").bind(2, end_reason_names[static_cast<std::size_t>(reason)]).run();
    meta.bind(1, "steps_hash").bind(2, run.digest.hex()).run();
    if (!reported.parts.empty()) {
        Provenance all = read_provenance(db_).at(0);
        all.add(reported);
        db_.run("DELETE FROM provenance");
        write_provenance(db_, all);
    }
    Statement row = db_.prepare("INSERT INTO summary VALUES(?, ?, ?)");
    for (const SummaryValue& v : summary)
        row.bind(1, v.metric->name).bind(2, std::int64_t{v.robot}).bind(3, v.value).run();
    Statement timing = db_.prepare("INSERT INTO timing VALUES(?, ?)");
    for (const auto& [name, value] : {std::pair{"sense_s", run.timing.sense_s},
                                      {"decide_s", run.timing.decide_s},
                                      {"act_s", run.timing.act_s},
                                      {"observe_s", run.timing.observe_s}})
        timing.bind(1, name).bind(2, value).run();
    db_.run("COMMIT");
    try {
        db_.run("PRAGMA journal_mode = DELETE");  // one file
    } catch (const RunFailure&) {
        // Another process reads it. All is committed; the last one to close the file cleans up.
    }
}

}  // namespace outrider
