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

FrontierFeatures describe(const Belief& belief, const Frontier& frontier, double way_m, const Mates& mates) {
    const Lattice& lattice = belief.map().lattice();
    const Point at = belief.pose().position(), to = lattice.centre(frontier.goal);
    const double range = range_m(belief), range_cells = sensor_range_cells(belief), far = distance(at, to);
    const auto nearer =
        std::count_if(mates.places.begin(), mates.places.end(), [&](Point p) { return distance(p, to) < far; });
    const std::optional<Point>& own_goal = belief.latest(belief.self()).goal;
    const double turn = far > 0 ? std::abs(wrap_angle(bearing(at, to) - belief.pose().yaw)) / pi : 0;
    const double sight = unknown_in_sight(belief.map(), frontier.goal, range_cells, 32);

    FrontierFeatures out{};
    const auto set = [&](FrontierFeature f, float value) { out[static_cast<std::size_t>(f)] = value; };
    set(FrontierFeature::dx, signed_length(to.x - at.x, range));
    set(FrontierFeature::dy, signed_length(to.y - at.y, range));
    set(FrontierFeature::way, length(way_m, range));
    set(FrontierFeature::size, length(lattice.metres(frontier.size), range));
    set(FrontierFeature::sight, feature(sight / (pi * range_cells * range_cells)));
    set(FrontierFeature::mate, length(nearest(mates.places, to), range));
    set(FrontierFeature::claim, length(nearest(mates.goals, to), range));
    const double heard = std::max<double>(1, static_cast<double>(mates.places.size()));
    set(FrontierFeature::nearer, feature(static_cast<double>(nearer) / heard));
    set(FrontierFeature::target, own_goal ? length(distance(*own_goal, to), range) : max_feature);
    set(FrontierFeature::home, length(distance(belief.home(), to), range));
    set(FrontierFeature::turn, feature(turn));
    set(FrontierFeature::leftover, frontier.leftover ? 1 : 0);
    return out;
}

/// 64 cells of a row from any cell on.
template <class WordAt>
std::uint64_t cells_from(Cell first, const WordAt& word_at) {
    const Cell aligned{first.x & ~63, first.y};
    const int shift = first.x & 63;
    const std::uint64_t low = word_at(aligned) >> shift;
    return shift == 0 ? low : low | word_at({aligned.x + 64, aligned.y}) << (64 - shift);
}

static_assert(std::endian::native == std::endian::little);

/// Eight cells as eight bytes of 0 or 255, the first one lowest.
std::uint64_t bytes_of(std::uint64_t eight_cells) {
    std::uint64_t spread = (eight_cells & 0xff) * 0x0101010101010101u & 0x8040201008040201u;  // bit i in byte i
    spread = (spread + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;                       // as 0 or 1
    return spread * 255;
}

/// A channel whose cells are the bits of `word_at`.
template <class WordAt>
void draw_cells(const WindowShape& shape, Cell low, const WordAt& word_at, std::span<std::uint8_t> out) {
    const int cells = shape.pixels * shape.scale, per_word = 64 / shape.scale;
    const auto pixels = static_cast<std::size_t>(shape.pixels);
    std::vector<int> counts(shape.scale > 1 ? pixels : 0);
    const std::uint64_t all = (std::uint64_t{1} << shape.scale) - 1;
    for (int row = 0; row < cells; ++row) {
        const std::size_t line = static_cast<std::size_t>(row / shape.scale) * pixels;
        for (int column = 0; column < cells; column += 64) {
            const std::uint64_t word = cells_from({low.x + column, low.y + row}, word_at);
            if (word == 0) continue;
            const int width = std::min(per_word, shape.pixels - column / shape.scale);
            if (shape.scale == 1) {
                for (int i = 0; i < width; i += 8) {
                    const std::uint64_t bytes = bytes_of(word >> i);  // the first cell lowest, so first in memory
                    std::memcpy(&out[line + static_cast<std::size_t>(column + i)], &bytes, 8);
                }
            } else {
                for (int i = 0; i < width; ++i)
                    counts[static_cast<std::size_t>(column / shape.scale + i)] +=
                        std::popcount(word >> (i * shape.scale) & all);
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
        const double way_m = lattice.metres(search.cost(i) / static_cast<double>(straight_cost));
        choices.push_back({frontiers[i], describe(belief, frontiers[i], way_m, mates)});
    }
    return choices;
}

OwnFeatures own_features(const Belief& belief) {
    const Briefing& briefing = belief.briefing();
    const double range = range_m(belief);
    const Pose& pose = belief.pose();
    const auto [s, c] = sin_cos(pose.yaw);
    const Point start = briefing.start.position();
    int others = 0, heard = 0;
    for (const TeamMember& member : briefing.team()) {
        if (member.id == belief.self() || !member.mobile || member.role == Role::base) continue;
        ++others;
        heard += belief.in_contact(member.id);
    }
    OwnFeatures out{};
    const auto set = [&](OwnFeature f, float value) { out[static_cast<std::size_t>(f)] = value; };
    set(OwnFeature::x, signed_length(pose.x - start.x, range));
    set(OwnFeature::y, signed_length(pose.y - start.y, range));
    set(OwnFeature::cos_yaw, static_cast<float>(c));
    set(OwnFeature::sin_yaw, static_cast<float>(s));
    set(OwnFeature::home, length(distance(belief.home(), pose.position()), range));
    set(OwnFeature::mates, others > 0 ? static_cast<float>(heard) / static_cast<float>(others) : 0);
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

    const auto occupied_at = [&](Cell first) {
        const auto rows = map.occupied_rows(block_of(first));
        return rows.empty() ? 0 : rows[static_cast<std::size_t>(first.y & 63)];
    };
    const auto frontier_at = [&](Cell first) {
        const NavTile* tile = nav.tile(tile_of(first));
        const auto row = static_cast<std::size_t>(row_in_tile(first));
        return tile ? tile->frontier[row] & tile->reached[row] : 0;
    };
    draw_cells(
        shape, low, [&](Cell first) { return map.known_word(first) & ~occupied_at(first); }, channel(0));
    draw_cells(shape, low, occupied_at, channel(1));
    draw_cells(shape, low, frontier_at, channel(2));

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
