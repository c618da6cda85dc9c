#include "metrics/localisation.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace outrider {

bool localises(const Measured& run) {
    return run.truth.own_frames() ||
           std::any_of(run.team.begin(), run.team.end(), [](const Robot& robot) { return robot.slam() != nullptr; });
}

Localisation::Localisation(const Measured& run) : truth_(run.driver.world().poses()), tracks_(truth_.size()) {
    count_in(run);
}

void Localisation::on_step(const StepView& view) {
    constexpr std::size_t ring = relation_steps + 1;
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
        const Belief& belief = view.team[i].belief();
        if (view.percepts[i].alive && belief.briefing().me().mobile) {
            Track& t = tracks_[i];
            const Pose pose = believed_->pose(view.team[i], belief.pose());
            const double off = distance(pose.position(), truth_[i].position());
            t.squares += off * off;
            t.last = off;
            t.largest = std::max(t.largest, off);
            t.truth.resize(ring);
            t.belief.resize(ring);
            const std::size_t now = static_cast<std::size_t>(t.steps) % ring, then = (now + 1) % ring;
            t.truth[now] = truth_[i];
            t.belief[now] = pose;
            if (++t.steps > relation_steps) {
                const Pose is = compose(inverse(t.truth[then]), t.truth[now]),
                           believed = compose(inverse(t.belief[then]), t.belief[now]),
                           error = compose(inverse(is), believed);
                const double metres = norm(error.position());
                ++t.relations;
                t.bad_relations += metres > lost_m;
                t.relative_squares += metres * metres;
                t.turn_squares += error.yaw * error.yaw;
            }
        }
        truth_[i] = world_->bodies()[i].pose;
    }
}

double Localisation::rms_m() const {
    double squares = 0, steps = 0;
    for (const Track& t : tracks_) {
        squares += t.squares;
        steps += t.steps;
    }
    return steps > 0 ? std::sqrt(squares / steps) : 0;
}

double Localisation::rms_m(std::size_t robot) const {
    const Track& t = tracks_[robot];
    return t.steps > 0 ? std::sqrt(t.squares / t.steps) : 0;
}

double Localisation::largest_m() const {
    double most = 0;
    for (const Track& t : tracks_) most = std::max(most, t.largest);
    return most;
}

int Localisation::off() const {
    return static_cast<int>(
        std::count_if(tracks_.begin(), tracks_.end(), [](const Track& t) { return t.last > lost_m; }));
}

double Localisation::relative_m() const {
    double squares = 0, relations = 0;
    for (const Track& t : tracks_) {
        squares += t.relative_squares;
        relations += t.relations;
    }
    return relations > 0 ? std::sqrt(squares / relations) : 0;
}

double Localisation::relative_rad() const {
    double squares = 0, relations = 0;
    for (const Track& t : tracks_) {
        squares += t.turn_squares;
        relations += t.relations;
    }
    return relations > 0 ? std::sqrt(squares / relations) : 0;
}

int Localisation::lost() const {
    return static_cast<int>(std::count_if(tracks_.begin(), tracks_.end(),
                                          [](const Track& t) { return t.bad_relations > lost_share * t.relations; }));
}

double walls_off(const KnownMap& map, const World& world, int off_cells) {
    const WallField& field = world.field();
    std::int64_t walls = 0, off = 0;
    map.cells().for_each([&](TileCoord t, const CellTile& tile) {
        for (int row = 0; row < tile_size; ++row)
            for (std::uint64_t bits = tile.occupied.rows[static_cast<std::size_t>(row)]; bits; bits &= bits - 1) {
                const Cell c = cell_of(t, std::countr_zero(bits), row) - field.origin();
                const int outside = std::max({-c.x, c.x - field.width() + 1, -c.y, c.y - field.height() + 1});
                ++walls;
                off += outside > 0 ? outside > off_cells : field.distance(c + field.origin()) > off_cells;
            }
    });
    return walls > 0 ? static_cast<double>(off) / static_cast<double>(walls) : 0;
}

}  // namespace outrider
