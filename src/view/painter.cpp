#include "view/painter.hpp"

#include <cmath>

namespace outrider::view {
namespace {

constexpr std::uint32_t packed(Colour c, std::uint32_t opacity = 255) {
    return static_cast<std::uint32_t>(c.red) | static_cast<std::uint32_t>(c.green) << 8 |
           static_cast<std::uint32_t>(c.blue) << 16 | opacity << 24;
}

/// Halves a picture; drawn pixels count three times.
void halve(const std::vector<std::uint32_t>& from, int side, std::vector<std::uint32_t>& to,
           std::vector<std::uint8_t>& ink) {
    const int half = side / 2;
    to.resize(static_cast<std::size_t>(half) * static_cast<std::size_t>(half));
    std::vector<std::uint8_t> ink_out(to.size());
    for (int y = 0; y < half; ++y)
        for (int x = 0; x < half; ++x) {
            std::uint32_t sum[4] = {}, weights = 0, opacity = 0;
            std::uint8_t any = 0;
            for (int k = 0; k < 4; ++k) {
                const auto i = static_cast<std::size_t>((2 * y + k / 2) * side + 2 * x + k % 2);
                const std::uint32_t p = from[i], alpha = p >> 24, weight = alpha * (ink[i] ? 3 : 1);
                any |= ink[i];
                opacity += alpha;
                weights += weight;
                for (int c = 0; c < 3; ++c) sum[c] += (p >> (8 * c) & 255) * weight;
            }
            std::uint32_t out = (opacity + 2) / 4 << 24;
            for (int c = 0; c < 3 && weights > 0; ++c) out |= (sum[c] + weights / 2) / weights << (8 * c);
            const auto i = static_cast<std::size_t>(y * half + x);
            to[i] = out;
            ink_out[i] = any;
        }
    ink = std::move(ink_out);
}

std::uint64_t free_of(const RobotTile& tile, std::size_t row) {
    return tile.claims.known.rows[row] & ~tile.claims.occupied.rows[row];
}

}  // namespace

Colour age_colour(const Theme& theme, int steps) {
    return mix(theme.age_new, theme.age_old, std::clamp(std::log2(1.0 + std::max(0, steps)) / 10, 0.0, 1.0));
}

Colour prior_colour(const Theme& theme, bool wall) { return mix(theme.unknown, theme.accent, wall ? 0.6 : 0.12); }

Colour cleared_colour(const Theme& theme, Colour cell) { return mix(cell, theme.accent, 0.22); }

Colour visits_colour(const Theme& theme, std::uint32_t times) {
    return mix(theme.visited_once, theme.visited_often, std::min(1.0, std::log2(std::max(1u, times)) / 4));
}

Painter::Painter(const Grid<std::uint8_t>& walls, std::vector<std::uint8_t> bases) : bases_(std::move(bases)) {
    for (std::size_t i = 0; i < walls.cells().size(); ++i) {
        const Cell c = walls.cell(i);
        Bits& bits = truth_.at(tile_of(c));
        bits.inside.set(c);
        if (walls.cells()[i]) bits.wall.set(c);
    }
    low_ = tile_of(walls.origin());
    high_ = tile_of(walls.origin() + Cell{walls.width() - 1, walls.height() - 1});
}

void Painter::set_prior(const Grid<std::uint8_t>& plan) {
    for (std::size_t i = 0; i < plan.cells().size(); ++i) {
        if (plan.cells()[i] == 0) continue;
        Bits& bits = truth_.at(tile_of(plan.cell(i)));
        (plan.cells()[i] == 1 ? bits.prior_free : bits.prior_wall).set(plan.cell(i));
    }
}

void Painter::set_wall(Cell c, bool wall) {
    Bits& bits = truth_.at(tile_of(c));
    if (wall)
        bits.wall.set(c);
    else
        bits.wall.reset(c);
}

void Painter::plan(const Layers& layers, const Theme& theme) {
    theme_ = &theme;
    const auto robots = [&](LayerId id) {
        std::vector<std::size_t> out;
        for (std::size_t i = 0; i < layers.robots(); ++i)
            if (layers.shown(id, i)) out.push_back(i);
        return out;
    };
    free_ = robots(LayerId::free);
    safe_ = robots(LayerId::safe);
    frontier_ = robots(LayerId::frontier);
    skeleton_ = robots(LayerId::skeleton);
    difference_ = robots(LayerId::difference);
    wrong_ = robots(LayerId::wrong);
    cleared_ = robots(LayerId::cleared);
    visitors_.assign(robots(LayerId::visits).empty() ? 0 : layers.robots(), 0);
    for (const std::size_t i : robots(LayerId::visits)) visitors_[i] = 1;
    walls_ = layers.shown(LayerId::walls);
    prior_ = layers.shown(LayerId::prior);
    undelivered_ = layers.shown(LayerId::undelivered);
    tint_ = layers.shown(LayerId::tint);
    age_ = layers.shown(LayerId::age);
}

Painter::Row Painter::row_of(const Bits& truth, std::size_t row, const std::vector<const RobotTile*>& tiles) const {
    const auto any = [&](const std::vector<std::size_t>& robots, auto&& plane) {
        std::uint64_t bits = 0;
        for (const std::size_t i : robots) bits |= plane(*tiles[i]);
        return bits;
    };
    const auto free = [&](const RobotTile& r) { return free_of(r, row); };
    Row out{truth.inside.rows[row], truth.wall.rows[row]};
    out.free = any(free_, free);
    out.wall = any(free_, [&](const RobotTile& r) { return r.claims.occupied.rows[row]; });
    out.safe = any(safe_, [&](const RobotTile& r) { return r.claims.safe.rows[row]; });
    out.frontier = any(frontier_, [&](const RobotTile& r) { return r.marks[0].rows[row]; });
    out.skeleton = any(skeleton_, [&](const RobotTile& r) { return r.marks[1].rows[row]; });
    out.cleared = any(cleared_, [&](const RobotTile& r) { return r.marks[2].rows[row]; });
    out.wrong = (any(wrong_, free) & out.true_wall) |
                (any(wrong_, [&](const RobotTile& r) { return r.claims.occupied.rows[row]; }) & ~out.true_wall);
    std::uint64_t base_known = 0, base_free = 0;
    for (std::size_t i = 0; i < bases_.size(); ++i)
        if (bases_[i]) base_known |= tiles[i]->claims.known.rows[row], base_free |= free(*tiles[i]);
    out.at_base = undelivered_ ? base_known : ~std::uint64_t{0};
    if (!difference_.empty()) {
        out.ahead = any(difference_, free) & ~base_known;
        out.behind = base_free & ~any(difference_, [&](const RobotTile& r) { return r.claims.known.rows[row]; });
    }
    return out;
}

/// The past state, from what is known now: a cell that is free today is taken to have been free then.
Painter::Row Painter::past_row(const Bits& truth, std::size_t row, const std::vector<const RobotTile*>& tiles,
                               const TileHistory* since, int now) const {
    Row out{truth.inside.rows[row], truth.wall.rows[row]};
    std::uint64_t known = 0;
    for (std::size_t column = 0; column < tile_size && since; ++column) {
        const std::size_t k = row * tile_size + column;
        const auto then = [&](std::int32_t step) { return std::uint64_t{step >= 0 && step <= now} << column; };
        known |= then(since->first_step[k]);
        out.at_base |= then(since->base_step[k]);
    }
    for (const RobotTile* tile : tiles) {
        out.free |= free_of(*tile, row) & known;
        out.wall |= tile->claims.occupied.rows[row] & known;
    }
    return out;
}

void Painter::paint(TileCoord t, const MapState& state, TilePixels& out) const {
    const Theme& c = *theme_;
    static constexpr RobotTile nothing{};
    std::vector<const RobotTile*> tiles;
    for (std::size_t i = 0; i < state.maps.robots(); ++i) {
        const RobotTile* found = state.maps.tile(i, t);
        tiles.push_back(found ? found : &nothing);
    }
    const Bits* truth = truth_.find(t);
    out.level[0].assign(tile_size * tile_size, 0);
    std::vector<std::uint8_t> ink(tile_size * tile_size, 0);
    const std::unique_ptr<TileHistory> since = age_ || state.past ? state.history.tile(t) : nullptr;
    const Visits::Tile* visits = state.visits && !visitors_.empty() ? state.visits->tile(t) : nullptr;

    for (std::size_t row = 0; row < tile_size && truth; ++row) {
        const Row bits = state.past ? past_row(*truth, row, tiles, since.get(), state.now) : row_of(*truth, row, tiles);
        for (std::size_t column = 0; column < tile_size; ++column) {
            const auto is = [&](std::uint64_t plane) { return plane >> column & 1; };
            const auto hatch = [&](bool rising) {
                return on_hatch(static_cast<int>(column), static_cast<int>(row), rising);
            };
            if (!is(bits.inside)) continue;
            const std::size_t k = row * tile_size + column;
            Colour colour = c.unknown;
            bool dark = false;
            if (is(bits.free)) {
                colour = is(bits.at_base) ? c.free : hatch(true) ? c.undelivered_line : c.undelivered;
                if (tint_ && free_.size() > 1 && !state.past) colour = tinted(colour, tiles, row, column);
                if (since && age_ && since->first_step[k] >= 0)
                    colour = age_colour(c, state.now - since->first_step[k]);
            } else if (is(bits.wall)) {
                colour = c.wall;
                dark = true;
            } else if (prior_ && is(truth->prior_wall.rows[row])) {
                colour = prior_colour(c, true);
                dark = true;
            } else if (walls_ && is(bits.true_wall)) {
                colour = c.hidden_wall;
                dark = true;
            } else if (prior_ && is(truth->prior_free.rows[row])) {
                colour = prior_colour(c, false);
            }
            if (is(bits.ahead)) colour = c.ahead;
            if (is(bits.behind)) colour = c.behind;
            if (is(bits.wrong)) colour = c.error, dark = true;
            if (is(bits.cleared) && !dark) colour = cleared_colour(c, colour);
            if (is(bits.safe) && !dark) colour = hatch(false) ? c.safe_line : mix(colour, c.safe, 0.75);
            if (visits && (*visits)[k] > 0) colour = visits_colour(c, (*visits)[k]), dark = true;
            if (is(bits.skeleton)) colour = c.skeleton, dark = true;
            if (is(bits.frontier)) colour = c.frontier, dark = true;
            out.level[0][k] = packed(colour);
            ink[k] = dark;
        }
    }
    for (int level = 1, side = tile_size; level < TilePixels::levels; ++level, side /= 2)
        halve(out.level[static_cast<std::size_t>(level) - 1], side, out.level[static_cast<std::size_t>(level)], ink);
}

/// Mixed with the colours of the robots that know a cell, unless all do.
Colour Painter::tinted(Colour colour, const std::vector<const RobotTile*>& tiles, std::size_t row,
                       std::size_t column) const {
    int red = 0, green = 0, blue = 0, count = 0;
    for (const std::size_t i : free_)
        if (free_of(*tiles[i], row) >> column & 1) {
            const Colour own = outrider::robot_colour(*theme_, i, bases_[i]);
            red += own.red, green += own.green, blue += own.blue, ++count;
        }
    if (count == 0 || static_cast<std::size_t>(count) == free_.size()) return colour;
    const auto mean = [&](int sum) { return static_cast<std::uint8_t>(sum / count); };
    return mix(colour, {mean(red), mean(green), mean(blue)}, 0.5);
}

}  // namespace outrider::view
