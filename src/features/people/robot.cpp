// Team-mates in the view of a range finder: no walls. Beams that end at one say nothing: within 0.22 m of a disc as
// large as the robot itself, 0.2 m at least.
#include <algorithm>

#include "robot/knowledge.hpp"
#include "robot/robot_parts.hpp"

namespace outrider {
namespace {

/// The team-mates in view, those that last said where they are, and the bases; from the body.
std::vector<Point> known_mates(const Knowledge& known, const Percept& percept) {
    std::vector<Point> mates;
    for (const Sighting& s : percept.sightings)
        if (s.kind == Sighting::Kind::team_mate) mates.push_back(s.body_from_other.position());
    const auto add = [&](RobotId robot, const Pose& pose) {
        if (robot != known.briefing.self) mates.push_back(into_body(known.pose, pose.position()));
    };
    for (const auto& [base, pose] : known.briefing.bases) add(base, pose);
    const TeamTable& team = known.here ? known.here->team : known.team;
    for (std::size_t i = 0; i < team.size(); ++i)
        if (const TeamRecord& record = *team[i]; record.seq > 0) add(record.robot, record.pose);
    return mates;
}

class CutMates final : public Copied<CutMates, RobotPart> {
  public:
    void before_drawing(Knowledge& known, StepScans& scans) override {
        constexpr double margin_m = 0.22;
        const double reach_m = std::max(0.2, known.briefing.radius_m) + margin_m;
        const std::vector<Point> mates = known_mates(known, scans.percept());
        std::vector<Point> directions;
        for (Scan& scan : scans.change()) {
            const ScanGeometry& sensor = scans.geometry(scan);
            const Point origin = sensor.origin(scan.now_from_then);
            sensor.directions(scan.now_from_then.yaw, directions);
            for (std::size_t i = 0; i < scan.ranges.size(); ++i) {
                std::uint16_t& range = scan.ranges[i];
                if (range == Scan::no_information || range == Scan::nothing) continue;
                const Point end = beam_end(origin, directions[i], beam_length_m(sensor.spec(), range));
                if (std::any_of(mates.begin(), mates.end(), [&](Point mate) { return distance(end, mate) < reach_m; }))
                    range = Scan::no_information;
            }
        }
    }
};

}  // namespace

std::unique_ptr<RobotPart> make_cut_mates_part(const Briefing&, const RobotOptions& options) {
    return options.cut_mates ? std::make_unique<CutMates>() : nullptr;
}

}  // namespace outrider
