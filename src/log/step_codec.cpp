#include "log/step_codec.hpp"
#include "scenario/exclusions.hpp"

#include "log/step_fields.hpp"
#include "scenario/scenario.hpp"

namespace outrider {
namespace {

std::vector<StepTrack> tracks_of(const std::vector<Briefing>& briefings) {
    std::vector<StepTrack> tracks(briefings.size());
    for (std::size_t i = 0; i < briefings.size(); ++i)
        for (const SensorSpec& sensor : briefings[i].sensors) {
            tracks[i].sensors.emplace_back(sensor.step_angle);
            tracks[i].unit_cells.push_back(sensor.range_unit_m / briefings[i].lattice.cell_m);
            tracks[i].beams.push_back(static_cast<std::size_t>(sensor.beams));
        }
    return tracks;
}

}  // namespace

StepLayout StepLayout::of(const Scenario& scenario) {
    return {.pose_estimate = scenario.slam.method != SlamMethod::known,
            .past_moves = scenario.keeps_submaps(),
            .second_channel = scenario.features.any("radio2"),
            .ground = has_part(scenario, "ground") || has_part(scenario, "hazards"),
            .steps = has_part(scenario, "step_finding")};
}

int StepLayout::version() const {
    if (live) return log_version_live;
    if (ground || second_channel) return log_version_layers;
    if (pose_estimate) return log_version_lost;
    return open_loop ? log_version_open_loop : log_version_full;
}

StepWriter::StepWriter(const std::vector<Briefing>& briefings, const StepLayout& layout)
    : tracks_(tracks_of(briefings)), now_(briefings.size()), lattice_(briefings.at(0).lattice), layout_(layout) {
    layout_.robots = briefings.size();
}

void StepWriter::begin(std::span<const Pose> poses) {
    columns_ = {};
    out_.begin();
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
        tracks_[i].last = {};
        tracks_[i].reckoned = poses[i];
    }
}

void StepWriter::add(std::span<const Percept> percepts, std::span<const Decision> decisions,
                     std::span<const std::vector<std::uint64_t>> bytes,
                     std::span<const std::optional<Transmission>> sent_then) {
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
        now_[i].take(percepts[i], decisions[i], bytes[i]);
        if (layout_.open_loop) now_[i].sent_then = sent_then[i];
    }
    code();
}

void StepWriter::add(std::span<const Percept> percepts, std::span<const Decision> decisions,
                     std::span<const std::vector<std::string>> frames) {
    for (std::size_t i = 0; i < tracks_.size(); ++i) now_[i].take(percepts[i], decisions[i], frames[i]);
    code();
}

void StepWriter::code() {
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
        const RobotStep& now = now_[i];
        code_step(out_, now, tracks_[i], i, now_, lattice_, layout_);
    }
    for (std::size_t i = 0; i < tracks_.size(); ++i) std::swap(tracks_[i].last, now_[i]);
}

StepReader::StepReader(const std::vector<Briefing>& briefings, StepColumns columns, std::span<const Pose> poses,
                       int first, const StepLayout& layout)
    : columns_(std::move(columns)),
      in_(columns_),
      tracks_(tracks_of(briefings)),
      now_(briefings.size()),
      step_(first),
      lattice_(briefings.at(0).lattice),
      layout_(layout) {
    layout_.robots = briefings.size();
    for (std::size_t i = 0; i < tracks_.size(); ++i) tracks_[i].reckoned = poses[i];
}

const std::vector<RobotStep>& StepReader::next() {
    in_.begin_step();
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
        tracks_[i].last = now_[i];
        code_step(in_, now_[i], tracks_[i], i, now_, lattice_, layout_);
        now_[i].percept.step = step_;
    }
    ++step_;
    return now_;
}

}  // namespace outrider
