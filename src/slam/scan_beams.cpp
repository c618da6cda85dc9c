#include "slam/scan_beams.hpp"

#include <algorithm>
#include <cmath>

#include "base/wide.hpp"
#include "grid/ray_kernel.hpp"

// The loops below have no branches and no calls, so that the compiler works on as many beams at a time as a register
// holds, with the same bits.

namespace outrider {
namespace {

OUTRIDER_WIDE
void find_ends(Point origin, const Point* __restrict directions, const std::uint16_t* __restrict ranges, int count,
               double unit, double max_range, double* __restrict range, double* __restrict end_x,
               double* __restrict end_y, std::int32_t* __restrict hit) {
    for (int i = 0; i < count; ++i) {
        const std::int32_t r = ranges[i];
        const double measured = r * unit, bounded = max_range < measured ? max_range : measured;
        const double length = r == Scan::nothing ? max_range : bounded;
        range[i] = length;
        const Point end = beam_end(origin, directions[i], length);
        end_x[i] = end.x;
        end_y[i] = end.y;
        hit[i] = (r != Scan::no_information) & (r != Scan::nothing);
    }
}

/// The lowest and highest of some coordinates, as cells.
OUTRIDER_WIDE
std::pair<std::int32_t, std::int32_t> bounds(const double* v, std::size_t count, double begin) {
    auto low = static_cast<std::int32_t>(std::floor(begin)), high = low;
    for (std::size_t i = 0; i < count; ++i) {
        const auto c = static_cast<std::int32_t>(std::floor(v[i]));
        low = c < low ? c : low;
        high = c > high ? c : high;
    }
    return {low, high};
}

OUTRIDER_WIDE
void find_corners(Point origin, const Point* __restrict directions, const double* __restrict range, int sectors,
                  double reach, double* __restrict x, double* __restrict y) {
    for (int i = 0; i < sectors; ++i) {
        const double shorter = range[i + 1] < range[i] ? range[i + 1] : range[i];
        const double length = reach < shorter ? reach : shorter;
        const Point first = beam_end(origin, directions[i], length),
                    second = beam_end(origin, directions[i + 1], length);
        x[2 * i] = first.x;
        y[2 * i] = first.y;
        x[2 * i + 1] = second.x;
        y[2 * i + 1] = second.y;
    }
}

OUTRIDER_WIDE
void find_rows(const double* __restrict y, int count, std::int32_t* __restrict row) {
    for (int i = 0; i < count; ++i) row[i] = static_cast<std::int32_t>(std::ceil(y[i] - 0.5));
}

/// The vectors from each hit to the next; length -1 where there is none.
OUTRIDER_WIDE
void find_spans(const double* __restrict end_x, const double* __restrict end_y, const double* __restrict range,
                const std::int32_t* __restrict hit, int count, double limit, double far, double* __restrict span_x,
                double* __restrict span_y, double* __restrict length) {
    for (int i = 0; i < count; ++i) {
        const double x = end_x[i + 1] - end_x[i], y = end_y[i + 1] - end_y[i], l = std::sqrt(x * x + y * y);
        const double shorter = range[i + 1] < range[i] ? range[i + 1] : range[i];
        const bool is_span = (hit[i] != 0) & (hit[i + 1] != 0) & (shorter > far) & (l < limit);
        span_x[i] = x;
        span_y[i] = y;
        length[i] = is_span ? l : -1;
    }
}

/// Which vectors have one before or after them in nearly the same direction.
OUTRIDER_WIDE
void find_continued(const double* __restrict span_x, const double* __restrict span_y, const double* __restrict length,
                    int count, std::int32_t* __restrict continued) {
    for (int i = 1; i <= count; ++i) {
        const double x = span_x[i], y = span_y[i], l = length[i];
        const bool before = (length[i - 1] >= 0) & (span_x[i - 1] * x + span_y[i - 1] * y >= 0.8 * length[i - 1] * l);
        const bool after = (length[i + 1] >= 0) & (span_x[i + 1] * x + span_y[i + 1] * y >= 0.8 * length[i + 1] * l);
        continued[i - 1] = (l >= 0) & (before | after);
    }
}

}  // namespace

void ScanBeams::take(Point origin, std::span<const Point> directions, std::span<const std::uint16_t> ranges,
                     const Scale& scale) {
    origin_ = origin;
    directions_ = directions;
    const std::size_t n = directions.size();
    for (auto* column : {&range_, &end_x_, &end_y_, &seen_}) column->resize(n);
    for (auto* column : {&candidates_, &x_, &y_, &other_x_, &other_y_}) column->resize(n);
    const int count = static_cast<int>(n);
    find_ends(origin, directions.data(), ranges.data(), count, scale.unit, scale.max_range, range_.data(),
              end_x_.data(), end_y_.data(), candidates_.data());
    ray_kernel().locate({origin, directions.data(), count}, range_.data(), scale.tolerance,
                        {candidates_.data(), x_.data(), y_.data(), other_x_.data(), other_y_.data(), seen_.data()});
    // Every number is written and kept or not: a branch would be guessed wrong too often.
    sure_.resize(n);
    ambiguous_.resize(n);
    std::size_t sure = 0, ambiguous = 0;
    for (std::size_t i = 0; i < n; ++i) {
        if (candidates_[i] < 0) walk_to_hit(i, scale.tolerance);
        sure_[sure] = ambiguous_[ambiguous] = static_cast<std::uint32_t>(i);
        sure += candidates_[i] == 1;
        ambiguous += candidates_[i] == 2;
    }
    sure_.resize(sure);
    ambiguous_.resize(ambiguous);
}

void ScanBeams::walk_to_hit(std::size_t i, double tolerance) {
    const HitCells found = locate_hit(ray(i), range_[i], tolerance);
    candidates_[i] = found.count;
    x_[i] = found.cells[0].x;
    y_[i] = found.cells[0].y;
    other_x_[i] = found.cells[1].x;
    other_y_[i] = found.cells[1].y;
    seen_[i] = found.t;
}

std::pair<Cell, Cell> ScanBeams::extent() const {
    const auto [low_x, high_x] = bounds(end_x_.data(), size(), origin_.x);
    const auto [low_y, high_y] = bounds(end_y_.data(), size(), origin_.y);
    return {{low_x, low_y}, {high_x, high_y}};
}

const ScanBeams::Outline& ScanBeams::outline(double reach) {
    const std::size_t sectors = size() - 1, corners = 2 * sectors + 2;
    Outline& o = outline_;
    o.x.resize(corners);
    o.y.resize(corners);
    o.x.front() = o.x.back() = origin_.x;
    o.y.front() = o.y.back() = origin_.y;
    find_corners(origin_, directions_.data(), range_.data(), static_cast<int>(sectors), reach, o.x.data() + 1,
                 o.y.data() + 1);
    find_edges();
    return o;
}

ScanBeams::Sectors::Sectors(double step_angle, double longest) : reach(longest) {
    constexpr double right_angle = 1.5707;
    const double step = std::abs(step_angle);
    flatness = std::cos(step / 2) * (1 - 1e-9);
    for (std::size_t k = 0; k < seen_within.size(); ++k)
        seen_within[k] = half_diagonal / std::sin(std::min(static_cast<double>(k) * step, right_angle));
}

/// Seen from the sensor, the cells that a beam touches lie in many sectors near by, and far away only in the two beside
/// the beam.
ScanBeams::Stretch ScanBeams::inside_outline(std::size_t i, const Sectors& sectors) const {
    constexpr std::size_t sides = Sectors::looked_at;
    const auto length = [&](std::size_t k) {  // of a sector, at least
        return std::min({range_[k], range_[k + 1], sectors.reach}) * sectors.flatness;
    };
    if (i < sides || i + sides >= size()) return {};
    double to = std::min(length(i - 1), length(i));
    for (std::size_t k = 1; k < sides; ++k)
        if (const double shorter = std::min(length(i - 1 - k), length(i + k)); shorter < sectors.seen_within[k])
            to = std::min(to, shorter);
    return {sectors.seen_within[sides] + Sectors::half_diagonal, to - Sectors::half_diagonal};
}

const ScanBeams::Outline& ScanBeams::whole_outline(double reach) {
    Outline& o = outline_;
    o.x.assign(1, origin_.x);
    o.y.assign(1, origin_.y);
    for (std::size_t i = 0; i < size(); ++i) {
        const double length = std::min(range_[i], reach);
        o.x.push_back(origin_.x + length * directions_[i].x);
        o.y.push_back(origin_.y + length * directions_[i].y);
    }
    o.x.push_back(origin_.x);
    o.y.push_back(origin_.y);
    find_edges();
    return o;
}

/// The rows of the outline's corners, and its edges across the centre lines of rows.
void ScanBeams::find_edges() {
    Outline& o = outline_;
    const std::size_t corners = o.x.size();
    o.row.resize(corners);
    find_rows(o.y.data(), static_cast<int>(corners), o.row.data());
    o.edges.resize(corners);
    std::size_t edges = 0;
    for (std::size_t k = 0; k + 1 < corners; ++k) {
        o.edges[edges] = static_cast<std::int32_t>(k);
        edges += o.row[k] != o.row[k + 1];
    }
    o.edges.resize(edges);
}

const std::vector<std::int32_t>& ScanBeams::along_walls(double limit, double far) {
    const std::size_t spans = size() - 1;
    for (auto* column : {&span_x_, &span_y_, &span_length_}) column->resize(spans + 2);
    joined_.resize(spans);
    span_length_.front() = span_length_.back() = -1;  // none before the first and after the last
    find_spans(end_x_.data(), end_y_.data(), range_.data(), candidates_.data(), static_cast<int>(spans), limit, far,
               span_x_.data() + 1, span_y_.data() + 1, span_length_.data() + 1);
    find_continued(span_x_.data(), span_y_.data(), span_length_.data(), static_cast<int>(spans), joined_.data());
    along_walls_.clear();
    for (std::size_t i = 0; i < spans; ++i)
        if (joined_[i]) along_walls_.push_back(static_cast<std::int32_t>(i));
    return along_walls_;
}

}  // namespace outrider
