#include "outrider/features.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "outrider/behaviours.hpp"

namespace outrider {
namespace {

float feature(double value) { return static_cast<float>(std::min(value, double{max_feature})); }

float length(double metres, double range_m) { return feature(metres / range_m); }

float signed_length(double metres, double range_m) {
    return std::clamp(static_cast<float>(metres / range_m), -max_feature, max_feature);
}

double range_m(const Belief& belief) { return belief.map().lattice().metres(sensor_range_cells(belief)); }

double nearest(const std::vector<Point>& places, Point to) {
    double least = std::numeric_limits<double>::infinity();
    for (const Point p : places) least = std::min(least, distance(p, to));
    return least;
}

/// Where the other robots that drive are, and where they go, as last heard.
struct Mates {
    std::vector<Point> places, goals;

    explicit Mates(const Belief& belief) {
        for (const auto& record : belief.team()) {
            const TeamMember& member = belief.briefing().team()[static_cast<std::size_t>(record->robot)];
            if (record->robot == belief.self() || record->seq == 0 || record->frame != belief.map().frame()) continue;
            if (!member.mobile || member.role == Role::base) continue;
            places.push_back(record->pose.position());
            if (record->goal) goals.push_back(*record->goal);
        }
    }
};

FrontierFeatures describe(const Belief& belief, const Frontier& frontier, double travelled_m, const Mates& mates) {
    const Lattice& lattice = belief.map().lattice();
    const Point at = belief.pose().position(), to = lattice.centre(frontier.goal);
    const double range = range_m(belief), range_cells = sensor_range_cells(belief), far = distance(at, to);
    const auto nearer =
        std::count_if(mates.places.begin(), mates.places.end(), [&](Point p) { return distance(p, to) < far; });
    const std::optional<Point>& own_goal = belief.latest(belief.self()).goal;
    const double turn = far > 0 ? std::abs(wrap_angle(bearing(at, to) - belief.pose().yaw)) / pi : 0;
    const double sight = belief.unknown_in_sight(frontier.goal, 32);

    FrontierFeatures out{};
    const auto set = [&](FrontierFeature f, float value) { out[static_cast<std::size_t>(f)] = value; };
    set(FrontierFeature::dx, signed_length(to.x - at.x, range));
    set(FrontierFeature::dy, signed_length(to.y - at.y, range));
    set(FrontierFeature::way, length(travelled_m, range));
    set(FrontierFeature::size, length(lattice.metres(frontier.size), range));
    set(FrontierFeature::sight, feature(sight / (pi * range_cells * range_cells)));
    set(FrontierFeature::mate, length(nearest(mates.places, to), range));
    set(FrontierFeature::claim, length(nearest(mates.goals, to), range));
    const double mates_known = std::max<double>(1, static_cast<double>(mates.places.size()));
    set(FrontierFeature::nearer, feature(static_cast<double>(nearer) / mates_known));
    set(FrontierFeature::target, own_goal ? length(distance(*own_goal, to), range) : max_feature);
    set(FrontierFeature::home, length(distance(belief.home(), to), range));
    set(FrontierFeature::turn, feature(turn));
    set(FrontierFeature::leftover, frontier.leftover ? 1 : 0);
    return out;
}

static_assert(std::endian::native == std::endian::little);

/// Eight cells as eight bytes of 0 or 255, the first one lowest.
std::uint64_t bytes_of(std::uint64_t eight_cells) {
    std::uint64_t spread = (eight_cells & 0xff) * 0x0101010101010101u & 0x8040201008040201u;  // bit i in byte i
    spread = (spread + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;                       // as 0 or 1
    return spread * 255;
}

/// 64 rows of 64 cells, the lowest row first.
using BlockRows = std::array<std::uint64_t, 64>;

/// A channel whose cells are bits of blocks: read(low, rows) fills in the block at `low`, or returns false when it is
/// empty.
template <class Read>
void draw_cells(const WindowShape& shape, Cell low, const Read& read, std::span<std::uint8_t> out) {
    const int cells = shape.pixels * shape.scale, per_word = 64 / shape.scale, shift = low.x & 63;
    const auto pixels = static_cast<std::size_t>(shape.pixels), across = static_cast<std::size_t>((cells + 63) / 64);
    const Cell corner = low - Cell{shift, low.y & 63};
    std::vector<BlockRows> blocks(across + 1);  // of a row of blocks; the window begins `shift` cells into the first
    std::vector<int> counts(shape.scale > 1 ? pixels : 0);
    const std::uint64_t all = (std::uint64_t{1} << shape.scale) - 1;
    for (int row = 0; row < cells; ++row) {
        const int y = (low.y + row) & 63;
        if (row == 0 || y == 0)
            for (std::size_t k = 0; k < blocks.size(); ++k)
                if (!read(Cell{corner.x + 64 * static_cast<int>(k), low.y + row - y}, blocks[k])) blocks[k].fill(0);
        const std::size_t line = static_cast<std::size_t>(row / shape.scale) * pixels;
        for (std::size_t k = 0; k < across; ++k) {
            const std::uint64_t left = blocks[k][static_cast<std::size_t>(y)] >> shift,
                                right = blocks[k + 1][static_cast<std::size_t>(y)];
            const std::uint64_t word = shift == 0 ? left : left | right << (64 - shift);
            if (word == 0) continue;
            const int first = static_cast<int>(k) * per_word, width = std::min(per_word, shape.pixels - first);
            if (shape.scale == 1) {
                for (int i = 0; i < width; i += 8) {
                    const std::uint64_t bytes = bytes_of(word >> i);  // the first cell lowest, so first in memory
                    std::memcpy(&out[line + static_cast<std::size_t>(first + i)], &bytes, 8);
                }
            } else {
                for (int i = 0; i < width; ++i)
                    counts[static_cast<std::size_t>(first + i)] += std::popcount(word >> (i * shape.scale) & all);
            }
        }
        if (shape.scale == 1 || row % shape.scale != shape.scale - 1) continue;
        const int full = shape.scale * shape.scale;
        for (std::size_t i = 0; i < pixels; ++i)
            out[line + i] = static_cast<std::uint8_t>(std::exchange(counts[i], 0) * 255 / full);
    }
}

}  // namespace

std::vector<FrontierChoice> frontier_choices(const Belief& belief, int most) {
    const std::vector<Frontier> frontiers = candidate_frontiers(belief);
    std::vector<Cell> goals;
    for (const Frontier& f : frontiers) goals.push_back(f.goal);
    const Mates mates(belief);
    const Lattice& lattice = belief.map().lattice();
    std::vector<FrontierChoice> choices;
    PathSearch search = belief.search(belief.cell(), goals);
    while (std::ssize(choices) < most) {
        const int next = search.find_next();
        if (next < 0) break;
        const auto i = static_cast<std::size_t>(next);
        const double travelled_m = lattice.metres(search.cost(i) / static_cast<double>(straight_cost));
        choices.push_back({frontiers[i], describe(belief, frontiers[i], travelled_m, mates)});
    }
    return choices;
}

OwnFeatures own_features(const Belief& belief) {
    const Briefing& briefing = belief.briefing();
    const double range = range_m(belief);
    const Pose& pose = belief.pose();
    const auto [s, c] = sin_cos(pose.yaw);
    const Point start = briefing.start.position();
    int others = 0, mates_known = 0;
    for (const TeamMember& member : briefing.team()) {
        if (member.id == belief.self() || !member.mobile || member.role == Role::base) continue;
        ++others;
        mates_known += belief.in_contact(member.id);
    }
    OwnFeatures out{};
    const auto set = [&](OwnFeature f, float value) { out[static_cast<std::size_t>(f)] = value; };
    set(OwnFeature::x, signed_length(pose.x - start.x, range));
    set(OwnFeature::y, signed_length(pose.y - start.y, range));
    set(OwnFeature::cos_yaw, static_cast<float>(c));
    set(OwnFeature::sin_yaw, static_cast<float>(s));
    set(OwnFeature::home, length(distance(belief.home(), pose.position()), range));
    set(OwnFeature::mates, others > 0 ? static_cast<float>(mates_known) / static_cast<float>(others) : 0);
    set(OwnFeature::base, belief.base_in_contact() ? 1 : 0);
    set(OwnFeature::elapsed, feature(static_cast<double>(belief.step()) / std::max(1, briefing.mission_steps)));
    return out;
}

void draw_window(const Belief& belief, const WindowShape& shape, std::span<const Cell> track,
                 std::span<std::uint8_t> out) {
    const auto side = static_cast<std::size_t>(shape.pixels), area = side * side;
    OUTRIDER_CHECK(shape.pixels % 8, ==, 0);
    OUTRIDER_CHECK(out.size(), ==, window_channel_names.size() * area);
    std::fill(out.begin(), out.end(), std::uint8_t{0});
    const MapView map = belief.map();
    const NavMap& nav = belief.nav();
    const int half = shape.pixels * shape.scale / 2;
    const Cell low{belief.cell().x - half, belief.cell().y - half};
    const auto channel = [&](std::size_t k) { return out.subspan(k * area, area); };

    draw_cells(
        shape, low,
        [&](Cell block, BlockRows& rows) {
            const auto known = map.known_rows(block), occupied = map.occupied_rows(block);
            if (known.empty()) return false;
            for (std::size_t y = 0; y < rows.size(); ++y) rows[y] = known[y] & ~(occupied.empty() ? 0 : occupied[y]);
            return true;
        },
        channel(0));
    draw_cells(
        shape, low,
        [&](Cell block, BlockRows& rows) {
            const auto occupied = map.occupied_rows(block);
            std::ranges::copy(occupied, rows.begin());
            return !occupied.empty();
        },
        channel(1));
    draw_cells(
        shape, low,
        [&](Cell block, BlockRows& rows) {
            const NavTile* tile = nav.tile(tile_of(block));
            if (!tile) return false;
            const NavTile::Rows& reached = nav.reached_rows(tile_of(block));
            for (std::size_t y = 0; y < rows.size(); ++y) rows[y] = tile->frontier[y] & reached[y];
            return true;
        },
        channel(2));

    const auto mark = [&](std::size_t k, Cell c) {
        const int x = c.x - low.x, y = c.y - low.y;
        if (x < 0 || y < 0 || x >= 2 * half || y >= 2 * half) return;
        channel(k)[static_cast<std::size_t>(y / shape.scale) * side + static_cast<std::size_t>(x / shape.scale)] = 255;
    };
    const Mates mates(belief);
    const Lattice& lattice = map.lattice();
    for (const Point p : mates.places) mark(3, lattice.cell_of(p));
    for (const Point p : mates.goals) mark(4, lattice.cell_of(p));
    mark(5, lattice.cell_of(belief.home()));
    for (const Cell c : track) mark(6, c);
}

}  // namespace outrider
