#include "outrider/map.hpp"
#include "outrider/radio.hpp"

#include "grid/ir2_radio.hpp"
#include "outrider/ray.hpp"

namespace outrider {
namespace {

constexpr double caution = 1.1;
constexpr int unknown_cells_per_wall = 14;

Point middle(Cell c) { return {c.x + 0.5, c.y + 0.5}; }

bool attenuates(CellState state) { return state != CellState::free && state != CellState::safe_free; }

}  // namespace

int believed_walls(const MapView& map, Cell a, Cell b) {
    int walls = 0, unknown = 0;
    bool in_run = false;
    walk_segment(middle(a), middle(b), [&](Cell c, double) {
        const CellState state = map.expected(c);
        if (!attenuates(state)) {
            in_run = false;
            return true;
        }
        if (!in_run) {
            ++walls;
            unknown = 0;
        } else if (state == CellState::unknown && ++unknown % unknown_cells_per_wall == 0) {
            ++walls;
        }
        in_run = true;
        return true;
    });
    return walls;
}

double believed_signal_dbm(const MapView& map, const RadioOptions& radio, double range_m, Cell a, Cell b) {
    if (radio.model == RadioModel::ir2) {
        Ir2Line line = ir2_line(map.lattice(), a, b, [&](Cell c) { return attenuates(map.expected(c)); });
        line.blocked_m *= caution;
        line.free_m *= caution;
        return ir2_dbm(line, {radio.ir2_loss_db, radio.ir2_loss_db});  // the worst that could be drawn
    }
    RadioOptions careful = radio;
    careful.wall_db *= caution;
    const double d = map.lattice().metres(distance(middle(a), middle(b)));
    return path_loss_dbm(careful, range_m / caution, d, believed_walls(map, a, b));
}

bool believed_linked(const MapView& map, const RadioOptions& radio, double range_m, Cell a, Cell b) {
    if (a == b) return range_m > 0;
    const double d = map.lattice().metres(distance(middle(a), middle(b)));
    if (radio.model != RadioModel::path_loss) {
        if (d >= range_m / caution) return false;
        if (radio.model == RadioModel::ir2) return believed_signal_dbm(map, radio, range_m, a, b) > ir2_cutoff_dbm;
        return radio.model == RadioModel::circle || believed_walls(map, a, b) == 0;
    }
    if (d > max_link_m(radio, range_m)) return false;
    return believed_signal_dbm(map, radio, range_m, a, b) > radio.cutoff_dbm;
}

}  // namespace outrider
