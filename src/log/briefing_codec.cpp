#include "log/briefing_codec.hpp"

#include "log/log_format.hpp"

namespace outrider {

std::string write_briefings(const std::vector<Briefing>& briefings) {
    ByteWriter out;
    const Briefing& first = briefings.at(0);
    out.integer(static_cast<std::int64_t>(briefings.size()));
    for (const TeamMember& m : first.team()) {
        out.text(m.name);
        for (const std::int64_t v :
             {static_cast<std::int64_t>(m.role), std::int64_t{m.parent}, std::int64_t{m.child}, std::int64_t{m.mobile}})
            out.integer(v);
        out.number(m.speed_mps);
        out.number(m.radio_range_m);
    }
    for (const Briefing& b : briefings) {
        OUTRIDER_CHECK(b.prior_map.has_value(), ==, false);  // nothing makes one yet
        out.number(b.radius_m);
        out.integer(static_cast<std::int64_t>(b.kinematics));
        out.number(b.turn_radps);
        out.integer(static_cast<std::int64_t>(b.sensors.size()));
        for (const SensorSpec& s : b.sensors) {
            write_pose(out, s.mount);
            out.number(s.first_angle);
            out.number(s.step_angle);
            out.integer(s.beams);
            out.number(s.range_unit_m);
            out.number(s.max_range_m);
        }
        out.integer(static_cast<std::int64_t>(b.radio.model));
        out.integer(static_cast<std::int64_t>(b.radio.range_rule));
        for (const double v : {b.radio.reference_dbm, b.radio.cutoff_dbm, b.radio.exponent, b.radio.wall_db})
            out.number(v);
        out.integer(b.radio.max_walls);
        out.integer(b.link_bytes);
        out.integer(b.cells_change);
        out.integer(b.deliveries);
        out.number(b.lattice.cell_m);
        out.number(b.step_s);
        out.integer(b.mission_steps);
        out.integer(b.frame.robot);
        out.integer(b.frame.epoch);
        write_pose(out, b.start);
        out.integer(static_cast<std::int64_t>(b.bases.size()));
        for (const auto& [id, pose] : b.bases) {
            out.integer(id);
            write_pose(out, pose);
        }
        out.integer(static_cast<std::int64_t>(b.region.size()));
        for (const Point& p : b.region) {
            out.number(p.x);
            out.number(p.y);
        }
    }
    return std::move(out.bytes);
}

std::vector<Briefing> read_briefings(std::string_view bytes) {
    ByteReader in(bytes);
    std::vector<Briefing> briefings(in.size());
    std::vector<TeamMember> members(briefings.size());
    for (TeamMember& m : members) {
        m.id = static_cast<RobotId>(&m - members.data());
        m.name = in.text();
        m.role = static_cast<Role>(in.integer());
        m.parent = in.whole();
        m.child = in.whole();
        m.mobile = in.integer() != 0;
        m.speed_mps = in.number();
        m.radio_range_m = in.number();
    }
    const auto team = std::make_shared<const std::vector<TeamMember>>(std::move(members));
    for (Briefing& b : briefings) {
        b.self = static_cast<RobotId>(&b - briefings.data());
        b.members = team;
        b.radius_m = in.number();
        b.kinematics = static_cast<Kinematics>(in.integer());
        b.turn_radps = in.number();
        b.sensors.resize(in.size());
        for (SensorSpec& s : b.sensors) {
            s.mount = read_pose(in);
            s.first_angle = in.number();
            s.step_angle = in.number();
            s.beams = in.whole();
            s.range_unit_m = in.number();
            s.max_range_m = in.number();
        }
        b.radio.model = static_cast<RadioModel>(in.integer());
        b.radio.range_rule = static_cast<RangeRule>(in.integer());
        for (double* v : {&b.radio.reference_dbm, &b.radio.cutoff_dbm, &b.radio.exponent, &b.radio.wall_db})
            *v = in.number();
        b.radio.max_walls = in.whole();
        b.link_bytes = in.whole();
        b.cells_change = in.integer() != 0;
        b.deliveries = in.integer() != 0;
        b.lattice.cell_m = in.number();
        b.step_s = in.number();
        b.mission_steps = in.whole();
        b.frame.robot = in.whole();
        b.frame.epoch = in.whole();
        b.start = read_pose(in);
        b.bases.resize(in.size());
        for (auto& [id, pose] : b.bases) {
            id = in.whole();
            pose = read_pose(in);
        }
        b.region.resize(in.size());
        for (Point& p : b.region) {
            p.x = in.number();
            p.y = in.number();
        }
    }
    return briefings;
}

}  // namespace outrider
