#include "log/replay.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/parallel.hpp"
#include "log/briefing_codec.hpp"
#include "log/step_chunk.hpp"
#include "log/tile_codec.hpp"
#include "messages/map_payload.hpp"

namespace outrider {
namespace {

constexpr std::size_t most_tiles = 1 << 16;  // kept in memory

std::vector<Briefing> briefings_of(LogReader& log) {
    if (log.level() != LogLevel::full)
        fail("{}: its level is '{}'; only a log of the level full (run --log full) holds what robots perceived",
             log.path(), log.meta().at("level"));
    const auto briefings = log.unpacked("briefings");
    if (!briefings) fail("{}: the log has no briefings", log.path());
    return read_briefings(*briefings);
}

/// The message that others received in an open loop instead of this one: the same except for the state that its
/// sender reports and how much of the map it shared.
std::shared_ptr<const Message> as_then(const Message& message, const Transmission& then, const RobotState& sender) {
    auto out = std::make_shared<Message>(message);
    TeamRecord me = message.self();
    me.role = then.role;
    me.goal = then.goal;
    me.done = then.done;
    me.words = then.words;
    out->records.set(static_cast<std::size_t>(message.from), std::move(me));
    out->share = then.share;
    out->summary_tiles = then.summary_tiles;
    out->payload = nullptr;
    if (then.share != Share::none) {
        auto payload = std::make_shared<MapPayload>();
        payload->map = std::make_shared<const MapSnapshot>(sender.map);
        payload->submaps = sender.submaps;
        out->payload = std::move(payload);
    }
    return out;
}

}  // namespace

Replay::Replay(LogReader& log)
    : scenario_(log.scenario()),
      briefings_(briefings_of(log)),
      find_chunk_(log.database().prepare(
          "SELECT first, last, crc, hash, blob FROM waist WHERE last >= ? ORDER BY first LIMIT 1")),
      find_tile_(log.database().prepare("SELECT hash, blob FROM tile WHERE id = ?")),
      word_damage_(scenario_.comm, scenario_.run.seed) {
    layout_ = StepLayout::of(scenario_);
    layout_.open_loop = log.meta().contains("open_loop");
    layout_.lost = log.layout_version() >= log_version_lost;
    layout_.live = log.meta().contains("live");
    layout_.most_cells = cells_away(scenario_.walls.width(), scenario_.walls.height());
    if (layout_.pose_estimate && log.layout_version() < log_version_localised)
        fail(
            "{}: written when logs did not say yet where robots that match scans found themselves to be; outrider "
            "rerun writes a new one",
            log.path());
    if (briefings_.size() != scenario_.robots.size()) fail("{}: the log's briefings are damaged", log.path());
    const std::shared_ptr<const KnownMap> plan = prior_map(scenario_);
    for (std::size_t i = 0; i < briefings_.size(); ++i) {
        if (briefings_[i].lattice != scenario_.walls.lattice())
            fail("{}: the briefing of robot {} is not for the map of the log", log.path(), i);
        if (scenario_.robots[i].has_plan) briefings_[i].prior_map = plan;
        if (!log.meta().contains("recording"))                           // whose scanners no scenario describes
            briefings_[i].sensors = scenario_.robots[i].sensor_specs();  // whose beams may be cones
    }
    damaged_words_.resize(briefings_.size());
    percepts_.resize(briefings_.size());
    decisions_.resize(briefings_.size());
    restore({});
}

std::string_view Replay::tile(std::int64_t id) {
    if (const auto found = tiles_.find(id); found != tiles_.end()) return found->second;
    find_tile_.bind(1, id);
    if (!find_tile_.step()) fail("tile {} is missing", id);
    const std::string name(find_tile_.bytes(0)), packed(find_tile_.bytes(1));
    find_tile_.run();  // to its end even if the tile is damaged: the query is used again
    return tiles_.emplace(id, checked_tile(id, name, packed)).first->second;
}

/// Robots as a keyframe describes them; without a keyframe, as before step 0.
void Replay::restore(std::string_view keyframe) {
    ++rebuilds_;
    if (tiles_.size() > most_tiles) tiles_.clear();
    // They match no scans: the log says where they were.
    RobotOptions options = robot_options(scenario_);
    options.submaps = layout_.past_moves;
    team_.clear();
    for (const Briefing& briefing : briefings_) team_.emplace_back(briefing, options, nullptr, scenario_.run.seed);
    inboxes_.clear();
    if (layout_.live)
        for (const Briefing& briefing : briefings_) inboxes_.emplace_back(briefing);
    in_flight_.assign(1 + static_cast<std::size_t>(scenario_.comm.latency_steps), Messages(team_.size()));
    if (keyframe.empty()) return;
    const std::vector<KeyframeEntry> entries =
        read_keyframe(keyframe, briefings_.size(), [this](std::int64_t id) { return tile(id); });
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const RobotState& state = entries[i].state;
        expect_on_map(briefings_[i].lattice, state.pose, layout_.most_cells);
        team_[i].restore(state);
        if (!entries[i].share) continue;
        auto message = std::make_shared<Message>();
        message->from = static_cast<RobotId>(i);
        message->frame = state.map.frame;
        message->records = state.team;
        message->share = *entries[i].share;
        message->summary_tiles = entries[i].summary_tiles;
        if (message->share != Share::none) {
            auto payload = std::make_shared<MapPayload>();
            payload->map = std::make_shared<const MapSnapshot>(state.map);
            message->payload = std::move(payload);
        }
        in_flight_.back()[i] = std::move(message);
    }
}

/// Opens the first readable chunk that holds this step or later ones.
bool Replay::open_chunk(int at_or_after) {
    for (;;) {
        find_chunk_.bind(1, std::int64_t{at_or_after});
        if (!find_chunk_.step()) return false;
        const std::int64_t from = find_chunk_.integer(0), to = find_chunk_.integer(1);
        if (to < at_or_after || to >= INT32_MAX) {  // no number, which SQL takes for a large one
            find_chunk_.run();
            return false;
        }
        recorded_ = nullptr;  // it lies in the chunk that is closed now
        const auto first = static_cast<int>(std::clamp<std::int64_t>(from, 0, to)), last = static_cast<int>(to);
        std::string wrong;
        try {
            if (from != first) fail("its steps cannot be");
            StepChunk chunk = unpack_steps(find_chunk_.bytes(4), find_chunk_.integer(2), find_chunk_.bytes(3));
            if (needs_all_steps() && first != step_ + 1)
                fail("cannot be replayed without the steps before them: {}",
                     layout_.past_moves           ? "loops that were closed there move the past"
                     : layout_.live               ? "messages build on those that were received there"
                     : scenario_.maps_by_motion() ? "what robots note depends on what they did and saw there"
                                                  : "messages that were sent there arrive later");
            if (!needs_all_steps() || first == 0) restore(chunk.keyframe);
            std::vector<Pose> poses;
            if (needs_all_steps() && chunk_)
                poses = chunk_->reckoned();
            else
                for (const Robot& robot : team_) poses.push_back(robot.belief().pose());
            chunk_ = std::make_unique<StepReader>(briefings_, std::move(chunk.columns), poses, first, layout_);
        } catch (const Error& error) {
            wrong = fmt::format("steps {}-{}: {}", first, last, error.what());
        }
        while (find_chunk_.step()) {
        }
        step_ = first - 1;
        last_ = last;
        if (wrong.empty()) return true;
        if (std::find(damaged_.begin(), damaged_.end(), wrong) == damaged_.end()) damaged_.push_back(wrong);
        chunk_.reset();
        at_or_after = last + 1;
    }
}

bool Replay::next() {
    if ((!chunk_ || step_ >= last_) && !open_chunk(step_ + 1)) return false;
    advance();
    return true;
}

bool Replay::seek(int step) {
    if (step == step_ && recorded_) return true;
    if (needs_all_steps()) {  // from the beginning, or on from here
        if (step < 0) return false;
        if (!chunk_ || step <= step_) {
            step_ = -1;
            chunk_.reset();
            recorded_ = nullptr;
        }
        while (step_ < step)
            if (!next()) return false;
        return true;
    }
    if (!chunk_ || step <= step_ || step > last_) {
        recorded_ = nullptr;
        if (step < 0 || !open_chunk(step)) return false;
        if (step_ >= step) {  // the chunk that held it is damaged
            chunk_.reset();
            return false;
        }
    }
    while (step_ < step) advance();
    return true;
}

void Replay::advance() {
    recorded_ = &chunk_->next();
    ++step_;
    const Messages& arriving = in_flight_.front();
    Messages sent(team_.size());
    parallel_for(static_cast<int>(team_.size()), [&](int k) {
        const auto i = static_cast<std::size_t>(k);
        const RobotStep& step = (*recorded_)[i];
        Percept& percept = percepts_[i];
        percept = step.percept;
        for (const Reception& received : step.received) {
            const auto from = static_cast<std::size_t>(received.from);
            if (from >= arriving.size() || !arriving[from])
                fail("step {}: a message was received that nobody sent", step_);
            percept.inbox.push_back({arriving[from].get(), received.all_tiles, received.tiles});
        }
        if (layout_.live) inboxes_[i].take(step_, step.frames, percept.inbox);
        word_damage_.apply(k, step_, percept.inbox, damaged_words_[i]);
        std::tie(decisions_[i], sent[i]) = retrace(team_[i], percept, step);
        if (!percept.alive) return;
        if (!step.audible(layout_.open_loop))
            sent[i] = nullptr;
        else if (layout_.open_loop)
            sent[i] = as_then(*sent[i], *step.sent_then, team_[i].state());
    });
    arrived_ = std::move(in_flight_.front());
    in_flight_.pop_front();
    in_flight_.push_back(std::move(sent));
}

StepView Replay::view() {
    hashes_.clear();
    Hasher all;
    for (std::size_t i = 0; i < team_.size(); ++i) {
        hashes_.push_back(hash_robot(percepts_[i], decisions_[i], team_[i]));
        all(hashes_.back());
    }
    return {step_, percepts_, decisions_, team_, hashes_, all.result()};
}

}  // namespace outrider
