#include "scenario/entries.hpp"

#include <algorithm>

namespace outrider {

void SensorOptions::apply_preset() {
    const SensorPreset keep = preset;
    switch (preset) {
        case SensorPreset::standard:
        case SensorPreset::none:
            *this = {};
            break;
        case SensorPreset::lms200:
            *this = {.beams = 181, .fov_deg = 180, .range_m = 8, .range_unit_m = 0.001, .smoke = SmokeEffect::stop};
            break;
        case SensorPreset::urg04lx:
            *this = {.beams = 667, .fov_deg = 239.76, .range_m = 5.6, .range_unit_m = 0.001};
            break;
        case SensorPreset::utm30lx:
            *this = {.beams = 1081, .fov_deg = 270, .range_m = 30, .range_unit_m = 0.001};
            break;
        case SensorPreset::sonar:
            *this = {.beams = 16,
                     .fov_deg = 337.5,
                     .range_m = 5,
                     .range_unit_m = 0.01,
                     .smoke = SmokeEffect::ignore,
                     .cone_deg = 15};
            break;
    }
    preset = keep;
}

SensorSpec SensorOptions::spec() const {
    SensorSpec spec;
    spec.mount = {mount_x_m, mount_y_m, radians(mount_yaw_deg)};
    spec.first_angle = -radians(fov_deg / 2);
    spec.step_angle = radians(fov_deg / (beams - 1));
    spec.beams = beams;
    spec.range_unit_m = range_unit_m;
    spec.max_range_m = range_m;
    spec.cone = radians(cone_deg);
    if (level == Levelling::none) spec.tilts_at_m = height_m;
    return spec;
}

std::vector<SensorOptions> RobotEntry::sensors() const {
    std::vector<SensorOptions> out;
    if (sensor.preset != SensorPreset::none) out.push_back(sensor);
    for (const SensorOptions& further : further_sensors)
        if (further.preset != SensorPreset::none) out.push_back(further);
    return out;
}

std::vector<SensorSpec> RobotEntry::sensor_specs() const {
    std::vector<SensorSpec> out;
    for (const SensorOptions& s : sensors()) out.push_back(s.spec());
    return out;
}

std::vector<SmokeEffect> RobotEntry::smoke_effects() const {
    std::vector<SmokeEffect> out;
    for (const SensorOptions& s : sensors()) out.push_back(s.smoke);
    return out;
}

double RobotEntry::sees_m() const {
    double farthest = 0;
    for (const SensorSpec& spec : sensor_specs()) farthest = std::max(farthest, spec.max_range_m);
    return farthest;
}

}  // namespace outrider
