#include "behaviours/surroundings.hpp"

#include <algorithm>
#include <cmath>

namespace outrider {

double shortest(const std::vector<Surroundings::Beam>& beams, double from, double to) {
    double least = -1;
    for (const auto& beam : beams)
        if (beam.angle >= from && beam.angle <= to && (least < 0 || beam.length_m < least)) least = beam.length_m;
    return std::max(0.0, least);
}

double mean(const std::vector<Surroundings::Beam>& beams, double from, double to) {
    double sum = 0;
    int count = 0;
    for (const auto& beam : beams)
        if (beam.angle >= from && beam.angle <= to) {
            sum += beam.length_m;
            ++count;
        }
    return count == 0 ? 0 : sum / count;
}

Surroundings look_around(const Belief& belief, bool contact_lately) {
    const Percept& percept = belief.percept();
    const Briefing& briefing = belief.briefing();
    Surroundings out;
    for (const Scan& scan : percept.scans) {
        if (scan.sensor < 0 || static_cast<std::size_t>(scan.sensor) >= briefing.sensors.size()) continue;
        const SensorSpec& sensor = briefing.sensors[static_cast<std::size_t>(scan.sensor)];
        auto& beams = sensor.cone > 0 ? out.sonar : out.laser;
        for (std::size_t i = 0; i < scan.ranges.size(); ++i) {
            if (scan.ranges[i] == Scan::no_information) continue;
            const auto [s, c] =
                sin_cos(wrap_angle(sensor.mount.yaw + sensor.first_angle + sensor.step_angle * static_cast<double>(i)));
            const Point end = sensor.mount.position() + Point{c, s} * beam_length_m(sensor, scan.ranges[i]);
            beams.push_back({bearing({}, end), norm(end)});
        }
    }
    std::vector<bool> seen(briefing.team().size());
    for (const Sighting& s : percept.sightings) {
        const auto id = static_cast<std::size_t>(s.id);
        if (s.kind == Sighting::Kind::victim) out.people.push_back(s.body_from_other.position());
        if (s.kind != Sighting::Kind::team_mate || s.id < 0 || id >= seen.size()) continue;
        seen[id] = true;
        out.mates.push_back({s.id, s.body_from_other, briefing.team()[id].role == Role::base});
    }
    for (const TeamMember& member : briefing.team()) {
        const TeamRecord& record = belief.latest(member.id);
        if (member.id == belief.self() || seen[static_cast<std::size_t>(member.id)] || record.seq == 0 ||
            record.frame != belief.map().frame())
            continue;
        const Point at = into_body(belief.pose(), record.pose.position());
        out.mates.push_back(
            {member.id, {at.x, at.y, wrap_angle(record.pose.yaw - belief.pose().yaw)}, member.role == Role::base});
    }
    out.roll = percept.roll;
    out.pitch = percept.pitch;
    out.time_s = belief.step() * briefing.step_s;
    out.pose = belief.pose();
    out.self = belief.self();
    out.operator_in_contact = contact_lately;
    return out;
}

}  // namespace outrider
