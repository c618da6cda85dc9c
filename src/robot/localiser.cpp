#include "robot/localiser.hpp"

#include "outrider/error.hpp"
#include "robot/knowledge.hpp"
#include "robot/motions.hpp"

namespace outrider {

Localiser::Localiser(const Briefing& briefing, const RobotOptions& options, std::uint64_t seed)
    : turns_overlap_(options.slam.scans_along_path() && options.slam.scan_deg > 0) {
    if (briefing.me().mobile && !briefing.sensors.empty())
        slam_ = make_slam(options.slam, briefing.start, seed + (static_cast<std::uint64_t>(briefing.self) << 32),
                          options.given_map.get());
}

void Localiser::update(const StepScans& scans, Knowledge& known) {
    PoseEstimate& estimate = known.estimate;
    estimate.scans.clear();
    estimate.moved.clear();
    if (slam_) {
        match(scans, known);
    } else {
        estimate.pose = compose(estimate.pose, scans.percept().motion.delta);
        for (const Scan& scan : scans.all()) estimate.scans.push_back(compose(estimate.pose, scan.now_from_then));
    }
    known.pose = known.in_map(estimate.pose);
}

void Localiser::match(const StepScans& scans, Knowledge& known) {
    PoseEstimate& estimate = known.estimate;
    const std::vector<Motion> parts = motions_between(scans.percept());
    std::vector<Point> ends, directions;
    for (std::size_t k = 0; k < scans.all().size(); ++k) {
        const Scan& scan = scans.all()[k];
        const ScanGeometry& geometry = scans.geometry(scan);
        const SensorSpec& sensor = geometry.spec();
        geometry.directions(0, directions);
        ends.clear();
        const Point from = sensor.mount.position();
        for (std::size_t i = 0; i < scan.ranges.size() && sensor.cone == 0; ++i)
            if (const std::uint16_t r = scan.ranges[i]; r != Scan::no_information && r != Scan::nothing)
                ends.push_back(beam_end(from, directions[i], beam_length_m(sensor, r)));
        const bool draw = slam_->update(parts[k], from, ends, static_cast<std::size_t>(scan.sensor));
        estimate.scans.push_back(draw ? std::optional(slam_->pose()) : std::nullopt);
    }
    if (parts.size() > scans.all().size()) slam_->move(parts.back());
    estimate.pose = slam_->pose();
    estimate.covariance = slam_->covariance();
    estimate.lost = slam_->lost();
    known.matches_scans = true;
    if (known.submaps && slam_->counters().corrections != corrections_) note_moved(known);
}

/// A loop was closed: scans may have been taken elsewhere than was thought then.
void Localiser::note_moved(Knowledge& known) {
    corrections_ = slam_->counters().corrections;
    std::vector<Pose> at = slam_->drawn_at();
    std::size_t k = known.submaps->drawn();
    for (std::optional<Pose>& pose : known.estimate.scans)
        if (pose) pose = at.at(k++);
    at.resize(known.submaps->drawn());
    if (known.submaps->misplaced(at)) known.estimate.moved = std::move(at);
}

void Localiser::take_over(const PoseEstimate& estimate, const StepScans& scans, Knowledge& known) {
    OUTRIDER_CHECK(estimate.scans.size(), ==, scans.all().size());
    known.estimate = estimate;
    known.matches_scans = true;
    known.pose = known.in_map(estimate.pose);
}

}  // namespace outrider
