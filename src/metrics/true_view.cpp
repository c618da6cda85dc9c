#include "metrics/true_view.hpp"

#include <bit>

namespace outrider {

TrueView::TrueView(std::span<const Pose> starts, std::span<const Robot> team) {
    bool own = false;
    for (const Robot& robot : team) {
        const Briefing& briefing = robot.belief().briefing();
        const Pose& start = starts[static_cast<std::size_t>(briefing.self)];
        own |= !(start == briefing.start);
        starts_.push_back(compose(start, inverse(briefing.start)));
    }
    if (!own) starts_.clear();
    for (std::size_t i = 0; i < starts_.size(); ++i) {
        const Briefing& briefing = team[i].belief().briefing();
        maps_.emplace_back(briefing.lattice, FrameId{}, briefing.cells_change);
    }
}

Pose TrueView::team_from_map(std::span<const Pose> starts, const Robot& robot) {
    if (!robot.frames()) return {};
    const auto leader = static_cast<std::size_t>(robot.map().frame().robot);
    return compose(starts[leader], inverse(robot.belief().briefing().start));
}

void TrueView::update(std::span<const Robot> team) {
    for (std::size_t i = 0; i < maps_.size(); ++i) maps_[i].follow(team[i].map(), frame(team[i]));
}

const KnownMap& TrueView::map(const Robot& robot) const {
    return own_frames() ? maps_[static_cast<std::size_t>(robot.belief().self())].map() : robot.map();
}

Point TrueView::point(const Robot& robot, Point p) const { return own_frames() ? transform(frame(robot), p) : p; }

Point TrueView::own_point(const Robot& robot, Point p) const {
    return own_frames() ? transform(starts_[static_cast<std::size_t>(robot.belief().self())], p) : p;
}

Pose TrueView::pose(const Robot& robot, const Pose& p) const { return own_frames() ? compose(frame(robot), p) : p; }

TileTable<BitTile> TrueView::carried_footprint(const Robot& robot) const {
    const Lattice& lattice = robot.map().lattice();
    TileTable<BitTile> carried;
    for (const ScanMapper& mapper : robot.mappers())
        for (const auto& [t, cells] : mapper.footprint())
            for (int row = 0; row < tile_size; ++row)
                for (std::uint64_t bits = cells.rows[static_cast<std::size_t>(row)]; bits; bits &= bits - 1) {
                    const Point centre = lattice.centre(cell_of(t, std::countr_zero(bits), row));
                    const Cell there = lattice.cell_of(transform(frame(robot), centre));
                    carried.at(tile_of(there)).set(there);
                }
    return carried;
}

}  // namespace outrider
