#include "player/recorder.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/byte_stream.hpp"
#include "base/json.hpp"
#include "base/version.hpp"
#include "log/event_text.hpp"
#include "wire/packing.hpp"

namespace outrider {
namespace {

enum StandFlag { alive = 1, lost = 2, done = 4, bumped = 8, base_in_contact = 16, relay = 32 };

}  // namespace

void PlayerCaption::renew(const std::vector<std::pair<std::string, std::string>>& values) {
    for (auto& [name, value] : summary)
        for (const auto& [renewed, text] : values)
            if (name == renewed) value = text;
}

PlayerRecorder::PlayerRecorder(const Scenario& scenario, const Grid<std::uint8_t>& walls)
    : scenario_(scenario),
      walls_(walls),
      raster_(player_raster(walls, most_squares)),
      tracks_(scenario.robots.size()),
      scene_(scenario) {
    known_.resize(std::min(tracks_.size(), most_maps + 1), KnownSince(raster_));
    looked_.resize(tracks_.size());
}

PlayerRecorder::Stand PlayerRecorder::stand(const Robot& robot, const Percept& percept, const Decision& decision,
                                            const Pose& pose) const {
    const Point low = walls_.lattice().centre(raster_.low);
    const double cell = walls_.lattice().cell_m;
    const Belief& belief = robot.belief();
    const int flags = (percept.alive ? alive : 0) | (robot.lost() ? lost : 0) | (decision.done ? done : 0) |
                      (percept.bumped ? bumped : 0) |
                      (percept.alive && belief.base_in_contact() ? base_in_contact : 0) |
                      (belief.latest(belief.self()).role == Role::relay ? relay : 0);
    return {static_cast<int>(std::lround(((pose.x - low.x) / cell + 0.5) * player_parts)),
            static_cast<int>(std::lround(((pose.y - low.y) / cell + 0.5) * player_parts)),
            static_cast<int>(std::lround(pose.yaw * 128 / pi)) & 255, flags};
}

void PlayerRecorder::add_aim(const Robot& robot, Track& track) const {
    if (auto aim = changed_aim(robot, *truth_, track.aims.empty() ? Aim{} : track.aims.back().aim))
        track.aims.push_back({steps(), std::move(*aim)});
}

void PlayerRecorder::add_reasons(const Robot& robot, const Decision& decision, Track& track) const {
    if (decision.overlays.empty()) return;
    std::vector<Overlay> overlays = decision.overlays;
    for (Overlay& o : overlays)
        for (Point& p : o.points) p = truth_->point(robot, p);
    if (!track.reasons.empty() && track.reasons.back().overlays == overlays) return;
    track.reasons.push_back({steps(), std::move(overlays)});
}

void PlayerRecorder::add_links(const StepView& view) {
    std::vector<std::pair<RobotId, RobotId>> now = linked_pairs(view), changed;
    std::set_symmetric_difference(now.begin(), now.end(), linked_.begin(), linked_.end(), std::back_inserter(changed));
    for (const auto& [a, b] : changed) links_.push_back({steps(), a, b});
    linked_ = std::move(now);
}

void PlayerRecorder::add(const StepView& view, const StepMetrics& row, std::span<const Pose> poses) {
    if (!truth_) truth_.emplace(scenario_.start_poses(), view.team);
    truth_->update(view.team);
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
        const Robot& robot = view.team[i];
        tracks_[i].stands.push_back(stand(robot, view.percepts[i], view.decisions[i], poses[i]));
        if (view.percepts[i].alive) {
            add_aim(robot, tracks_[i]);
            add_reasons(robot, view.decisions[i], tracks_[i]);
        }
        known_[std::min(i, most_maps)].note(truth_->map(robot), looked_[i], static_cast<std::uint32_t>(steps() + 1));
    }
    add_links(view);
    scene_.add(steps(), {view, *truth_, poses, events_});
    numbers_.push_back(view.step);
    rows_.push_back(row);
}

void PlayerRecorder::forget() {
    truth_.reset();
    for (ChangeCursor& cursor : looked_) cursor = {};
}

void PlayerRecorder::settle(std::span<const Robot> team) {
    if (!truth_) return;
    std::vector<std::vector<const KnownMap*>> maps(known_.size());
    for (std::size_t i = 0; i < team.size(); ++i) maps[std::min(i, most_maps)].push_back(&truth_->map(team[i]));
    for (std::size_t k = 0; k < known_.size(); ++k) known_[k].settle(maps[k]);
}

/// A place in whole cells from the corner of the raster: precise enough for marks.
void PlayerRecorder::append(ByteWriter& out, Point at) const {
    const Cell c = walls_.lattice().cell_of(at) - raster_.low;
    out.integer(c.x);
    out.integer(c.y);
}

/// Of too many points with values the best ones. Whether more is better, the chosen one shows: it is among the best.
void PlayerRecorder::append(ByteWriter& out, const Overlay& o, const std::optional<Point>& goal,
                            const PlayerDetail& detail, PlayerTexts& texts) const {
    const std::size_t most = o.kind == Overlay::Kind::line ? 4 * detail.marks : detail.marks;
    std::vector<std::size_t> shown(o.points.size());
    std::iota(shown.begin(), shown.end(), std::size_t{0});
    if (shown.size() > most && o.values.size() == o.points.size()) {
        std::stable_sort(shown.begin(), shown.end(),
                         [&](std::size_t a, std::size_t b) { return o.values[a] > o.values[b]; });
        const auto chosen = std::find_if(shown.begin(), shown.end(), [&](std::size_t k) {
            return goal && distance(o.points[k], *goal) < 1.5 * walls_.lattice().cell_m;
        });
        if (chosen != shown.end() && 2 * (chosen - shown.begin()) > std::ssize(shown))
            std::reverse(shown.begin(), shown.end());
    }
    shown.resize(std::min(shown.size(), most));
    out.integer(static_cast<int>(o.kind));
    out.integer(static_cast<int>(o.meaning));
    out.integer(texts.number(o.layer));
    out.integer(texts.number(o.text));
    out.integer(static_cast<std::int64_t>(o.points.size()));
    out.integer(std::ssize(shown));
    out.integer(!o.values.empty());
    for (const std::size_t k : shown) {
        append(out, o.points[k]);
        if (!o.values.empty()) out.integer(texts.number(k < o.values.size() ? fmt::format("{:.5g}", o.values[k]) : ""));
    }
}

void PlayerRecorder::append(ByteWriter& out, const Track& track, const PlayerDetail& detail, PlayerTexts& texts) const {
    for (int Stand::*part : {&Stand::x, &Stand::y, &Stand::yaw, &Stand::flags}) {
        int last = 0;
        for (const Stand& s : track.stands) out.integer(s.*part - std::exchange(last, s.*part));
    }
    out.integer(std::ssize(track.aims));
    for (const auto& [step, aim] : track.aims) {
        out.integer(step);
        out.integer(aim.goal.has_value());
        if (!aim.goal) continue;
        append(out, *aim.goal);
        out.integer(std::ssize(aim.path));
        for (const Point& p : aim.path) append(out, p);
    }
    out.integer(std::ssize(track.reasons));
    for (const Reasons& reasons : track.reasons) {
        out.integer(reasons.step);
        out.integer(std::ssize(reasons.overlays));
        std::optional<Point> goal;
        for (const auto& [step, aim] : track.aims)
            if (step <= reasons.step) goal = aim.goal;
        for (const Overlay& o : reasons.overlays) append(out, o, goal, detail, texts);
    }
}

std::string PlayerRecorder::header(const PlayerCaption& caption, const PlayerDetail& detail,
                                   const PlayerTexts& texts) const {
    const auto list = [](const auto& items, auto&& text) {
        std::string out = "[";
        for (const auto& item : items) out += (out.size() > 1 ? "," : "") + text(item);
        return out + "]";
    };
    return fmt::format(
        R"({{"name":{},"width":{},"height":{},"cell_m":{},"factor":{},"step_s":{},"seed":{},"steps":{},"version":{},)"
        R"("command":{},"end":{},"robots":{},"maps":{},"summary":{},"events":{},"layers":{},"texts":{}}})",
        json_quoted(scenario_.name), walls_.width(), walls_.height(), scenario_.map.cell_m,
        raster_.factor * detail.coarser, scenario_.run.step_s, scenario_.run.seed, rows_.size(), json_quoted(version()),
        json_quoted(caption.command), json_quoted(caption.end),
        list(scenario_.robots,
             [](const RobotEntry& r) {
                 return fmt::format(R"({{"name":{},"base":{},"strategy":{}}})", json_quoted(r.name),
                                    r.role == Role::base, json_quoted(r.strategy));
             }),
        known_.size(),
        list(caption.summary,
             [](const auto& entry) {
                 return fmt::format("[{},{}]", json_quoted(entry.first), json_quoted(entry.second));
             }),
        list(events_,
             [&](const LogReader::Event& e) {
                 return fmt::format("[{},{},{},{}]", e.step, json_quoted(e.kind), e.robot_id(),
                                    json_quoted(event_text(scenario_, e.kind, e.robot_id(), e.json)));
             }),
        scene_.layers_json(), list(texts.list(), [](const std::string& text) { return json_quoted(text); }));
}

std::string PlayerRecorder::pack(const PlayerCaption& caption, const PlayerDetail& detail) const {
    ByteWriter out;
    PlayerTexts texts;
    int last = 0;
    for (const int n : numbers_) out.integer(n - std::exchange(last, n));
    const auto column = [&](auto&& value) {
        std::int64_t before = 0;
        for (const StepMetrics& row : rows_) {
            const std::int64_t now = value(row);
            out.integer(now - std::exchange(before, now));
        }
    };
    column([](const StepMetrics& r) { return std::llround(1e5 * r.team_share); });
    column([](const StepMetrics& r) { return std::llround(1e5 * r.base_share); });
    column([](const StepMetrics& r) { return std::int64_t{r.connected}; });
    column([](const StepMetrics& r) { return std::int64_t{r.alive}; });
    column([](const StepMetrics& r) { return std::llround(r.distance_m); });
    column([](const StepMetrics& r) { return static_cast<std::int64_t>(r.bytes / 1000); });
    out.integer(std::ssize(links_));
    for (const LinkChange& l : links_) {
        out.integer(l.step);
        out.integer(l.a);
        out.integer(l.b);
    }
    for (const Track& track : tracks_) append(out, track, detail, texts);

    const PlayerRaster coarse = raster_.joined(detail.coarser);
    std::vector<std::uint32_t> walls(coarse.size());
    for (std::size_t k = 0; k < walls_.cells().size(); ++k)
        if (walls_.cells()[k]) {
            const Cell c = walls_.cell(k) - raster_.low;
            walls[static_cast<std::size_t>(c.y / coarse.factor) * static_cast<std::size_t>(coarse.width) +
                  static_cast<std::size_t>(c.x / coarse.factor)] = 1;
        }
    out.bytes += encode_squares(walls, coarse.width);
    for (const KnownSince& k : known_) out.bytes += encode_squares(k.values(detail.coarser), coarse.width);

    scene_.append(out, raster_.low, walls_.lattice().cell_m, detail.coarser, texts);

    const std::string head = header(caption, detail, texts);
    ByteWriter whole;
    whole.text(head);
    return std::string(Packer().pack(whole.bytes + out.bytes, Packer::Method::small));
}

std::string PlayerRecorder::pack_so_far(std::span<const Robot> team, const PlayerCaption& caption) {
    const std::vector<KnownSince> so_far = known_;
    settle(team);
    std::string packed = pack(caption);
    known_ = so_far;
    return packed;
}

}  // namespace outrider
