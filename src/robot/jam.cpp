#include "robot/jam.hpp"

namespace outrider {
namespace {

constexpr int stops_to_jam = 12;  // stops; before them, the pilot tries what needs no memory

}  // namespace

void Jam::look(Point here, bool stopped, double cell_m) {
    constexpr double near_cells = 2, gone_cells = 10;
    near_m_ = near_cells * cell_m;
    const double away_m = distance(here, place_);
    if (away_m > near_m_) out_ = false;
    if (stops_ == 0 || away_m > gone_cells * cell_m) {
        stops_ = 0;
        place_ = here;
    }
    if (!stopped) return;
    ++stops_;
    out_ = stops_ >= stops_to_jam;
}

std::optional<Point> Jam::way_out(std::span<const Point> trail) const {
    if (!out_) return {};
    const int tries = (stops_ - stops_to_jam) / 2;
    if (tries % 2 == 0) {
        std::size_t farther = static_cast<std::size_t>(tries / 2);  // back along the trail with each try
        for (std::size_t i = trail.size(); i-- > 0;)
            if (distance(trail[i], place_) > near_m_ && farther-- == 0) return trail[i];
    }
    constexpr double golden_angle = 2.399963;  // multiples of it are spread evenly over the circle
    const auto [s, c] = sin_cos(tries * golden_angle);
    return place_ + Point{c, s} * (2 * near_m_);
}

}  // namespace outrider
