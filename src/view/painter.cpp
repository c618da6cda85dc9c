#include "view/painter.hpp"

#include <cmath>

namespace outrider::view {
namespace {

constexpr std::uint32_t packed(Colour c, std::uint32_t opacity = 255) {
    return static_cast<std::uint32_t>(c.red) | static_cast<std::uint32_t>(c.green) << 8 |
           static_cast<std::uint32_t>(c.blue) << 16 | opacity << 24;
}

/// Halves a picture; pixels of ink count three times.
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

}  // namespace

Colour age_colour(const Theme& theme, int steps) {
    return mix(theme.age_new, theme.age_old, std::clamp(std::log2(1.0 + std::max(0, steps)) / 10, 0.0, 1.0));
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

void Painter::plan(const Layers& layers, const Theme& theme) {
    theme_ = &theme;
    const auto robots = [&](std::string_view key) {
        std::vector<std::size_t> out;
        for (std::size_t i = 0; i < layers.robots(); ++i)
            if (layers.shown(key, i)) out.push_back(i);
        return out;
    };
    free_ = robots("free");
    safe_ = robots("safe");
    frontier_ = robots("frontier");
    skeleton_ = robots("skeleton");
    walls_ = layers.shown("walls");
    undelivered_ = layers.shown("undelivered");
    tint_ = layers.shown("tint");
    age_ = layers.shown("age");
}

void Painter::paint(TileCoord t, const Maps& maps, History& history, int now, TilePixels& out) const {
    const Theme& c = *theme_;
    static constexpr RobotTile nothing{};
    std::vector<const RobotTile*> tiles;
    for (std::size_t i = 0; i < maps.robots(); ++i) {
        const RobotTile* found = maps.tile(i, t);
        tiles.push_back(found ? found : &nothing);
    }
    const auto tile = [&](std::size_t robot) -> const RobotTile& { return *tiles[robot]; };
    const Bits* truth = truth_.find(t);
    out.level[0].assign(tile_size * tile_size, 0);
    std::vector<std::uint8_t> ink(tile_size * tile_size, 0);
    const std::unique_ptr<TileHistory> since = age_ ? history.tile(t) : nullptr;

    for (std::size_t row = 0; row < tile_size && truth; ++row) {
        const auto any = [&](const std::vector<std::size_t>& robots, auto&& plane) {
            std::uint64_t bits = 0;
            for (const std::size_t i : robots) bits |= plane(tile(i));
            return bits;
        };
        const auto free_of = [&](const RobotTile& r) {
            return r.claims.known.rows[row] & ~r.claims.occupied.rows[row];
        };
        const std::uint64_t free = any(free_, free_of);
        const std::uint64_t wall = any(free_, [&](const RobotTile& r) { return r.claims.occupied.rows[row]; });
        const std::uint64_t safe = any(safe_, [&](const RobotTile& r) { return r.claims.safe.rows[row]; });
        const std::uint64_t frontier = any(frontier_, [&](const RobotTile& r) { return r.marks[0].rows[row]; });
        const std::uint64_t skeleton = any(skeleton_, [&](const RobotTile& r) { return r.marks[1].rows[row]; });
        std::uint64_t at_base = ~std::uint64_t{0};
        if (undelivered_) {
            at_base = 0;
            for (std::size_t i = 0; i < bases_.size(); ++i)
                if (bases_[i]) at_base |= tile(i).claims.known.rows[row];
        }
        for (std::size_t column = 0; column < tile_size; ++column) {
            const auto is = [&](std::uint64_t bits) { return bits >> column & 1; };
            if (!is(truth->inside.rows[row])) continue;
            const std::size_t k = row * tile_size + column;
            Colour colour = c.unknown;
            bool dark = false;
            if (is(free)) {
                colour = is(at_base) ? c.free : c.undelivered;
                if (tint_ && free_.size() > 1) {
                    int red = 0, green = 0, blue = 0, count = 0;
                    for (const std::size_t i : free_)
                        if (is(free_of(tile(i)))) {
                            const Colour own = view::robot_colour(c, i, bases_[i]);
                            red += own.red, green += own.green, blue += own.blue, ++count;
                        }
                    const auto mean = [&](int sum) { return static_cast<std::uint8_t>(sum / count); };
                    if (static_cast<std::size_t>(count) < free_.size())
                        colour = mix(colour, {mean(red), mean(green), mean(blue)}, 0.5);
                }
                if (since && since->first_step[k] >= 0) colour = age_colour(c, now - since->first_step[k]);
            } else if (is(wall)) {
                colour = c.wall;
                dark = true;
            } else if (walls_ && is(truth->wall.rows[row])) {
                colour = c.hidden_wall;
                dark = true;
            }
            if (is(safe) && !dark) colour = mix(colour, c.safe, 0.75);
            if (is(skeleton)) colour = c.skeleton, dark = true;
            if (is(frontier)) colour = c.frontier, dark = true;
            out.level[0][k] = packed(colour);
            ink[k] = dark;
        }
    }
    for (int level = 1, side = tile_size; level < TilePixels::levels; ++level, side /= 2)
        halve(out.level[static_cast<std::size_t>(level) - 1], side, out.level[static_cast<std::size_t>(level)], ink);
}

}  // namespace outrider::view
