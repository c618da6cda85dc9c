#include "log/briefing_codec.hpp"

#include <cmath>

#include "log/log_format.hpp"
#include "messages/record_codec.hpp"

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
        if (b.radio.model == RadioModel::ir2) out.number(b.radio.ir2_loss_db);
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

namespace {

/// Throws Error where a robot with this briefing could not draw a map.
void expect_sound(const Briefing& b) {
    constexpr double longest_m = 1e5, most_beam_cells = 1e5;
    const auto robot = [&](RobotId id) { return id >= -1 && id < std::ssize(b.team()); };
    const TeamMember& me = b.me();
    const double cell_m = b.lattice.cell_m;
    bool sound = cell_m >= 1e-4 && cell_m <= 1e4 && b.step_s > 0 && std::isfinite(b.step_s) && b.mission_steps >= 0 &&
                 robot(me.parent) && robot(me.child) && b.frame.robot >= 0 && robot(b.frame.robot) &&
                 std::isfinite(b.radius_m);
    for (const auto& [id, pose] : b.bases) sound &= robot(id);
    for (const SensorSpec& s : b.sensors)
        sound &= s.beams >= 0 && s.beams <= most_beams && s.range_unit_m > 0 && s.max_range_m >= 0 &&
                 s.max_range_m <= longest_m && s.max_range_m <= most_beam_cells * cell_m &&
                 std::isfinite(s.range_unit_m) && is_angle(s.first_angle) && is_angle(s.beams * s.step_angle) &&
                 norm(s.mount.position()) <= longest_m && is_angle(s.mount.yaw);
    if (!sound) fail("the log's briefing of robot {} holds numbers that cannot be", b.self);
    expect_on_map(b.lattice, b.start);
    for (const auto& [id, pose] : b.bases) expect_on_map(b.lattice, pose);
}

}  // namespace

std::vector<Briefing> read_briefings(std::string_view bytes) {
    ByteReader in(bytes);
    constexpr std::size_t least_bytes = 150;  // of a briefing, with the robot's entry in the list of the team
    std::vector<Briefing> briefings(in.size(least_bytes));
    if (briefings.empty()) fail("a log of no robot");
    std::vector<TeamMember> members(briefings.size());
    for (TeamMember& m : members) {
        m.id = static_cast<RobotId>(&m - members.data());
        m.name = in.text();
        m.role = read_choice<Role>(in);
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
        b.kinematics = read_choice<Kinematics>(in);
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
        b.radio.model = read_choice<RadioModel>(in);
        b.radio.range_rule = read_choice<RangeRule>(in);
        for (double* v : {&b.radio.reference_dbm, &b.radio.cutoff_dbm, &b.radio.exponent, &b.radio.wall_db})
            *v = in.number();
        b.radio.max_walls = in.whole();
        if (b.radio.model == RadioModel::ir2) b.radio.ir2_loss_db = in.number();
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
    for (const Briefing& b : briefings) expect_sound(b);
    return briefings;
}

}  // namespace outrider
