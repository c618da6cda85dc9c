#include "features/victims/victim_log.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "messages/order_words.hpp"
#include "outrider/intent.hpp"
#include "robot/knowledge.hpp"
#include "robot/parts/cell_marks.hpp"
#include "robot/robot_parts.hpp"

namespace outrider {
namespace {

/// A report is sent again when its place moved by this.
constexpr double moved_m = 0.5;
constexpr double lying_radius_m = 0.3;

}  // namespace

void VictimLog::after_drawing(Knowledge& known, const Percept& percept) {
    CellMarks people;
    for (const Sighting& s : percept.sightings)
        if (s.kind == Sighting::Kind::victim)
            people.add_disc(known.map.lattice(), transform(known.pose, s.body_from_other.position()),
                            lying_radius_m + known.briefing.radius_m);
    people.set(known, Mark::rough);
}

void VictimLog::after_choice(Knowledge& known, Intent& intent) {
    const Belief belief(known);
    follow_frame(known);
    if (belief.briefing().is_base()) {
        collect(belief);
        decide(known, intent);
    } else {
        follow_scans(known);
        hear(belief);
        see(known);
    }
    add_words(belief, intent.words);
}

/// Where robots have frames of their own, the map may be in another one than in the step before.
void VictimLog::follow_frame(const Knowledge& known) {
    if (!known.tracker) return;
    const RobotId before = std::exchange(frame_, known.map.frame().robot);
    const std::optional<Pose> moved = before < 0 || before == frame_ ? std::nullopt : known.frames()->place(before);
    if (!moved) return;
    const auto move = [&](Point& p) { p = transform(*moved, p); };
    for (FoundVictim& v : found_) move(v.at);
    for (VictimDecision& d : decisions_) move(d.at);
    for (Sent& s : sent_) move(s.at);
    for (auto& [key, source] : sources_) move(source.news.at);
}

/// Where scans lie elsewhere than before, because a loop was closed or frames moved, so does who was seen from there.
void VictimLog::follow_scans(const Knowledge& known) {
    for (std::size_t i = 0; i < anchors_.size(); ++i) {
        const Anchor& anchor = anchors_[i];
        found_[i].at = transform(known.in_map(known.submaps->taken_at(anchor.scan)), anchor.from_body);
    }
}

/// The one that a sighting belongs to; nullptr: somebody new.
FoundVictim* VictimLog::nearest(Point at, int id) {
    FoundVictim* best = nullptr;
    double least = join_m;
    for (FoundVictim& v : found_) {
        if (id >= 0 && v.id >= 0) {
            if (v.id == id) return &v;  // also where they walked on
            continue;
        }
        if (std::abs(v.at.x - at.x) > least || std::abs(v.at.y - at.y) > least) continue;  // most of a crowd
        const double away = distance(v.at, at);
        if (best ? away >= least : away > least) continue;
        best = &v;
        least = away;
    }
    return best;
}

void VictimLog::see(const Knowledge& mine) {
    const Belief belief(mine);
    for (const Sighting& s : belief.percept().sightings) {
        if (s.kind == Sighting::Kind::team_mate) continue;
        const Point at = transform(belief.pose(), s.body_from_other.position());
        const bool muted = std::any_of(decisions_.begin(), decisions_.end(), [&](const VictimDecision& d) {
            return !d.confirmed && distance(d.at, at) <= mute_m;
        });
        if (muted) continue;
        const bool is_status = s.kind == Sighting::Kind::victim_status;
        FoundVictim* known = nearest(at, is_status ? -1 : s.id);
        if (is_status) {
            if (known) known->status = s.id;
            continue;
        }
        if (!known) {
            known = &found_.emplace_back();
            known->first_step = belief.step();
        }
        if (distance(known->at, at) > join_m) known->looks = 0;  // they walked on
        ++known->looks;
        known->at = known->at + (at - known->at) * (1.0 / known->looks);
        if (s.id >= 0) known->id = s.id;
        if (const TeamMaps* maps = mine.submaps.get()) {
            const std::size_t scan = maps->drawn();
            anchors_.resize(found_.size());
            anchors_[static_cast<std::size_t>(known - found_.data())] = {
                scan, into_body(mine.in_map(maps->taken_at(scan)), known->at)};
        }
    }
    sent_.resize(found_.size());
    for (std::size_t i = 0; i < found_.size(); ++i) {
        const FoundVictim& v = found_[i];
        Sent& sent = sent_[i];
        const bool news =
            sent.version == 0 || v.id != sent.id || v.status != sent.status || distance(v.at, sent.at) > moved_m;
        if (news) sent = {sent.version + 1, sent.received, v.at, v.id, v.status};
    }
}

/// What the base station heard of this robot, and what was decided.
void VictimLog::hear(const Belief& belief) {
    const RobotId base = first_base(belief.briefing());
    if (base < 0) return;
    for (const Word& word : belief.latest(base).words) {
        for (const auto& [number, version] : read_victims_received(word, belief.self()))
            if (number >= 1 && static_cast<std::size_t>(number) <= sent_.size())
                sent_[static_cast<std::size_t>(number) - 1].received = version;
        if (auto decisions = read_victim_decisions(word); !decisions.empty()) decisions_ = std::move(decisions);
    }
    for (const VictimDecision& d : decisions_)
        if (FoundVictim* v = nearest(d.at, -1)) v->state = d.confirmed ? VictimState::confirmed : VictimState::declined;
}

/// The reports of the robots.
void VictimLog::collect(const Belief& belief) {
    for (const auto& record : belief.team())
        for (const Word& word : record->words) {
            const auto news = read_victim(word);
            if (!news) continue;
            const auto [at, fresh] = sources_.try_emplace({record->robot, news->number});
            Source& source = at->second;
            if (!fresh && source.news.version >= news->version) continue;
            if (fresh) {
                const FoundVictim* known = nearest(news->at, news->id);
                source.victim = known ? static_cast<std::size_t>(known - found_.data()) : found_.size();
                if (!known) found_.emplace_back().first_step = belief.step();
            }
            const Point before = found_[source.victim].at;
            if (found_[source.victim].looks > 0 && distance(news->at, before) > join_m)  // they walked on
                for (auto& [key, other] : sources_)
                    if (other.victim == source.victim) other.news.looks = 0;
            source.news = *news;
            place(source.victim);
        }
}

/// Puts together what robots say of somebody.
void VictimLog::place(std::size_t victim) {
    FoundVictim& v = found_[victim];
    Point sum;
    v.looks = 0;
    for (const auto& [key, source] : sources_) {
        if (source.victim != victim) continue;
        sum = sum + source.news.at * static_cast<double>(source.news.looks);
        v.looks += source.news.looks;
        v.id = std::max(v.id, source.news.id);
        v.status = std::max(v.status, source.news.status);
    }
    v.at = sum * (1.0 / v.looks);
}

/// An operator confirms or declines what is reported nearest to a place.
void VictimLog::decide(const Knowledge& known, Intent& intent) {
    unreported_.clear();
    for (const OperatorCommand& command : known.percept->commands) {
        if ((command.behaviour != "confirm" && command.behaviour != "decline") || command.waypoints.empty()) continue;
        // Orders name places of the own frame.
        const Point at = command.waypoints.front();
        const std::string text = take(command, known.tracker ? transform(known.in_map({}), at) : at, known.step);
        if (known.overlays_wanted) intent.overlays.push_back(Overlay::note(Overlay::Meaning::rule, "decision", text));
    }
}

/// What was decided already stays. Where nothing is reported, there is nothing to decline, and who is confirmed was
/// seen by the operator alone. Says what became of it.
std::string VictimLog::take(const OperatorCommand& command, Point at, int step) {
    const bool confirmed = command.behaviour == "confirm";
    FoundVictim* v = nearest(at, -1);
    const std::string text = fmt::format("{} ({:.1f}, {:.1f})", command.behaviour, at.x, at.y);
    if (v && v->state != VictimState::reported) return text + ": decided already";
    if (!v) unreported_.push_back({at, confirmed});
    if (!v && !confirmed) return text + ": nothing is reported there";
    if (!v) {
        v = &found_.emplace_back();
        v->at = at;
        v->first_step = step;
    }
    v->state = confirmed ? VictimState::confirmed : VictimState::declined;
    decisions_.push_back({v->at, confirmed});
    return v->looks > 0 ? text : text + ": by hand, nothing was reported there";
}

/// Of a robot: its reports that were not heard yet. Of a base station: what it heard, and what was decided.
void VictimLog::add_words(const Belief& belief, std::vector<Word>& words) const {
    const RobotId base = first_base(belief.briefing());
    if (base < 0) return;
    if (!belief.briefing().is_base()) {
        for (std::size_t i = 0; i < found_.size(); ++i) {
            const FoundVictim& v = found_[i];
            const Sent& sent = sent_[i];
            if (sent.received < sent.version)
                words.push_back(
                    victim_word({static_cast<int>(i) + 1, sent.version, sent.at, v.looks, sent.id, sent.status}, base));
        }
        return;
    }
    for (const auto& record : belief.team()) {
        VictimsReceived received;
        for (const Word& word : record->words)
            if (const auto news = read_victim(word)) received.emplace_back(news->number, news->version);
        if (!received.empty()) words.push_back(victims_received_word(received, record->robot));
    }
    if (!decisions_.empty()) words.push_back(victim_decisions_word(decisions_));
}

std::unique_ptr<RobotPart> make_victim_log_part(const Briefing&, const RobotOptions& options) {
    return options.has("victims") ? std::make_unique<VictimLog>() : nullptr;
}

}  // namespace outrider
