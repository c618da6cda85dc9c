#include "messages/scan_geometry.hpp"

namespace outrider {

ScanGeometry::ScanGeometry(const SensorSpec& spec) : spec_(spec) {
    for (int i = 0; i < spec.beams; ++i) {
        const auto [s, c] = sin_cos(spec.mount.yaw + spec.first_angle + i * spec.step_angle);
        body_.push_back({c, s});
    }
}

void ScanGeometry::directions(double yaw, std::vector<Point>& out) const {
    const auto [s, c] = sin_cos(yaw);
    out.resize(body_.size());
    for (std::size_t i = 0; i < body_.size(); ++i)
        out[i] = {c * body_[i].x - s * body_[i].y, s * body_[i].x + c * body_[i].y};
}

}  // namespace outrider
