#include "robot/frame_tracker.hpp"

#include "robot/knowledge.hpp"

namespace outrider {
namespace {

std::vector<bool> bases_of(const Briefing& briefing) {
    std::vector<bool> base;
    for (const TeamMember& member : briefing.team()) base.push_back(member.role == Role::base);
    return base;
}

std::array<double, 9> covariance_of(const SightingOptions& sighting) {
    const double m = sighting.sigma_m, rad = radians(sighting.sigma_deg);
    return {m * m, 0, 0, 0, m * m, 0, 0, 0, rad * rad};
}

}  // namespace

FrameTracker::FrameTracker(const Briefing& briefing, const SightingOptions& sighting)
    : self_(briefing.self),
      frames_(self_, bases_of(briefing)),
      finder_(self_),
      sighting_covariance_(covariance_of(sighting)) {}

bool FrameTracker::take_in(const Percept& percept, const TeamMaps& maps, const Pose& own) {
    for (const Received& received : percept.inbox)
        if (const auto& news = received.message->frames) frames_.take_newer(news->relations);
    pair_sightings(percept, own);
    finder_.look(maps, own, frames_);
    return frames_.settle(maps.submap(self_).lattice().cell_m);
}

/// Whom this robot saw said where it was then, in its own frame: so that frame is seen. Messages may come late.
void FrameTracker::pair_sightings(const Percept& percept, const Pose& own) {
    constexpr int latest_steps = 100;
    for (const auto& [sighting, then, step] : sighted_)
        for (const Received& received : percept.inbox) {
            const Message& message = *received.message;
            if (message.from != sighting.id || !message.frames || message.self().step != step) continue;
            const Pose other = compose(then, sighting.body_from_other);
            const Pose frame = compose(other, inverse(message.frames->own));
            frames_.measure(message.from, frame, at_origin(sighting_covariance_, other.position(), frame.position()),
                            other.position());
        }
    std::erase_if(sighted_, [&](const Sighted& s) { return s.step + latest_steps < percept.step; });
    for (const Sighting& sighting : percept.sightings)
        if (sighting.kind == Sighting::Kind::team_mate) sighted_.push_back({sighting, own, percept.step});
}

void FrameTracker::show_team(const Percept& percept, Knowledge& knowledge) const {
    Knowledge::Here& here = *knowledge.here;
    const FrameId frame = knowledge.map.frame();
    const TeamTable& team = knowledge.with_far ? *knowledge.with_far : knowledge.team;
    const TeamTable unknown = initial_team_table(knowledge.briefing);
    for (std::size_t i = 0; i < here.team.size(); ++i) {
        TeamRecord record = *team[i];
        const std::optional<Pose> place = frames_.place(record.frame.robot);
        if (!place || (record.seq == 0 && static_cast<RobotId>(i) != self_)) {
            here.team.set(i, *unknown[i]);
            continue;
        }
        if (record.frame != frame) record.words.clear();  // they name cells of another frame
        record.pose = compose(*place, record.pose);
        if (record.goal) record.goal = transform(*place, *record.goal);
        record.frame = frame;
        here.team.set(i, std::move(record));
    }
    here.inbox.clear();
    for (const Received& received : percept.inbox) {
        const RobotId from = received.message->from;
        if (!frames_.place(from)) continue;
        knowledge.contact[static_cast<std::size_t>(from)] = percept.step;
        if (received.message->frame == frame) here.inbox.push_back(received);
    }
}

std::shared_ptr<const FrameNews> FrameTracker::news(const Pose& own) {
    auto news = std::make_shared<FrameNews>();
    news->own = own;
    news->relations = frames_.relations();
    news->bytes = frame_news_bytes(news->relations, sent_);
    sent_ = news->relations;
    return news;
}

}  // namespace outrider
