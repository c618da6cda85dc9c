#include "messages/hashes.hpp"

#include "messages/frame_news.hpp"
#include "messages/map_payload.hpp"

namespace outrider {
namespace {

void add(Hasher& h, const Pose& p) { h(p.x)(p.y)(p.yaw); }
void add(Hasher& h, const Point& p) { h(p.x)(p.y); }

void add(Hasher& h, const TeamRecord& r) {
    h(r.robot)(r.seq)(r.step)(r.frame.robot)(r.frame.epoch)(r.role)(r.done)(r.goal.has_value());
    add(h, r.pose);
    if (r.goal) add(h, *r.goal);
    h(r.words.size());
    for (const Word& w : r.words) h(w.topic)(w.to)(std::span<const std::int64_t>(w.values));
}

}  // namespace

Hash128 hash_of(const Message& m) {
    Hasher h;
    h(m.from)(m.to)(m.frame.robot)(m.frame.epoch);
    add(h, m.self());
    for (std::size_t i = 0; i < m.records.size(); ++i)
        h(m.records.seq(i));  // r's record is hashed with r's own message
    h(m.share)(m.summary_tiles)(m.payload != nullptr);
    if (m.payload) h(m.payload->map->name());
    if (m.frames) {
        add(h, m.frames->own);
        for (const FrameRelation& r : m.frames->relations) {
            h(r.from)(r.to)(r.version)(r.stands);
            add(h, r.measured);
            for (const double v : r.covariance) h(v);
        }
    }
    if (m.payload && m.payload->submaps)
        for (std::size_t i = 0; i < m.records.size(); ++i)
            if (const MapSnapshot* submap = m.payload->submaps->find(static_cast<RobotId>(i))) h(submap->name());
    return h.result();
}

Hash128 hash_of(const Decision& d) {
    Hasher h;
    h(d.done)(d.command.speed_mps)(d.command.valid_s)(d.command.final_heading.has_value());
    h(d.command.final_heading.value_or(0))(d.command.path_body.size());
    for (const Point& p : d.command.path_body) add(h, p);
    h(d.outbox.size());
    for (const auto& message : d.outbox) h(hash_of(*message));
    return h.result();
}

Hash128 hash_of(const Percept& p) {
    Hasher h;
    h(p.step)(p.alive)(p.bumped)(p.battery)(p.pitch)(p.roll);
    add(h, p.motion.delta);
    for (const double v : p.motion.covariance) h(v);
    h(p.scans.size());
    for (const Scan& s : p.scans) {
        h(s.sensor)(s.age_s)(std::span<const std::uint16_t>(s.ranges));
        add(h, s.now_from_then);
    }
    h(p.links.size());
    for (const LinkReport& l : p.links) h(l.robot)(l.signal_dbm);
    h(p.sightings.size());
    for (const Sighting& s : p.sightings) {
        h(s.kind)(s.id);
        add(h, s.body_from_other);
    }
    h(p.inbox.size());
    for (const Received& r : p.inbox) {
        const RobotId from = r.message->from;
        h(from)(r.message->records.seq(static_cast<std::size_t>(from)))(r.all_tiles)(r.tiles.size());
        for (const TileCoord t : r.tiles) h(t.x)(t.y);
    }
    h(p.commands.size());
    for (const OperatorCommand& c : p.commands) {
        h(std::string_view(c.behaviour))(c.forward)(c.turn)(c.waypoints.size());
        for (const Point& w : c.waypoints) add(h, w);
        if (c.to >= 0) h(c.to);
    }
    // None of these is there without ground that differs and a second channel: the hash is that of before.
    for (const Point& r : p.rough) add(h, r);
    for (const Point& s : p.steps) add(h, s);
    for (const TeamRecord& r : p.received_far) add(h, r);
    return h.result();
}

}  // namespace outrider
