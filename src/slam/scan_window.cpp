#include "slam/scan_window.hpp"

#include <algorithm>
#include <cmath>

#include "base/wide.hpp"

namespace outrider {
namespace {

using Rows = std::array<std::uint64_t, tile_size>;

/// Turns toggles into filled runs: each bit becomes the parity of the toggles up to it, beginning with `carry` (all
/// ones in the rows where the fill goes on from the tile before). Leaves no toggle. Whether anything is filled.
OUTRIDER_WIDE bool fill_rows(std::uint64_t* __restrict toggles, Rows& __restrict carry, Rows& __restrict filled) {
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < tile_size; ++i) {
        std::uint64_t word = toggles[i];
        word ^= word << 1;
        word ^= word << 2;
        word ^= word << 4;
        word ^= word << 8;
        word ^= word << 16;
        word ^= word << 32;
        word ^= carry[i];
        toggles[i] = 0;
        filled[i] = word;
        carry[i] = 0 - (word >> 63);
        any |= word;
    }
    return any != 0;
}

/// The minor cells in which the ray leaves its columns from `first` on, counted from `across`, as word (words of a line
/// lie `apart`) and bit; see Ray::exit.
OUTRIDER_WIDE void find_exits(const Ray& ray, int across, int apart, int first, int columns, std::int32_t* words,
                              std::uint64_t* bits) {
    const double base = ray.base, slope = ray.slope;
    for (int j = 0; j < columns; ++j) {
        const int out = static_cast<int>(std::floor(base + (first + j) * slope)) - across;
        words[j] = (out >> 6) * apart;
        bits[j] = std::uint64_t{1} << (out & 63);
    }
}

/// Sets the cells in which a ray enters and leaves its columns: one, or two side by side.
void set_cells(std::uint64_t* line, int step, int columns, std::int32_t word, std::uint64_t bit,
               const std::int32_t* words, const std::uint64_t* bits) {
    for (int j = 0; j < columns; ++j, line += step) {
        if (word == words[j]) {
            line[word] |= bit | bits[j];
        } else {
            line[word] |= bit;
            line[words[j]] |= bits[j];
        }
        word = words[j];
        bit = bits[j];
    }
}

/// Adds the marks of a tile to `sum`; leaves none.
OUTRIDER_WIDE bool take_marks(std::uint64_t* __restrict rows, std::uint64_t* __restrict columns, Rows& __restrict sum) {
    std::uint64_t any = 0, any_column = 0;
    for (std::size_t i = 0; i < tile_size; ++i) {
        any |= rows[i];
        any_column |= columns[i];
    }
    if (any)
        for (std::size_t i = 0; i < tile_size; ++i) {
            sum[i] |= rows[i];
            rows[i] = 0;
        }
    if (any_column) {
        Rows turned;
        for (std::size_t i = 0; i < tile_size; ++i) {
            turned[i] = columns[i];
            columns[i] = 0;
        }
        turned = transposed(turned);
        for (std::size_t i = 0; i < tile_size; ++i) sum[i] |= turned[i];
    }
    return (any | any_column) != 0;
}

}  // namespace

void ScanWindow::begin(Cell low, Cell high) {
    min_ = tile_of({low.x - 2, low.y - 2});
    const TileCoord max = tile_of({high.x + 2, high.y + 2});
    width_ = max.x - min_.x + 1;
    height_ = max.y - min_.y + 1;
    for (Tile& t : tiles_)
        if (t.used) {
            t.claims = {};
            t.used = false;
        }
    tiles_.resize(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
    toggles_.resize(tiles_.size() * tile_size);
    for (int row = 0, i = 0; row < height_; ++row)
        for (int column = 0; column < width_; ++column, ++i)
            tiles_[static_cast<std::size_t>(i)].at = {min_.x + column, min_.y + row};
}

/// For each row whose centre line an edge crosses (half open, so that joined edges count once), toggles the first cell
/// whose centre is not left of the crossing. Then fills from each toggled cell to the next.
void ScanWindow::fill(const ScanBeams::Outline& outline, BitTile CellTile::*plane) {
    const Cell origin = cell_of(min_, 0, 0);
    const int rows = height_ * tile_size;
    std::uint64_t* const toggles = toggles_.data();
    int lowest = rows, highest = -1;
    for (const std::int32_t edge : outline.edges) {
        auto a = static_cast<std::size_t>(edge), b = a + 1;
        if (outline.y[a] > outline.y[b]) std::swap(a, b);
        const int first = outline.row[a] - origin.y, end = outline.row[b] - origin.y;
        const double slope = (outline.x[b] - outline.x[a]) / (outline.y[b] - outline.y[a]);
        double x = outline.x[a] + (outline.row[a] + 0.5 - outline.y[a]) * slope - 0.5;
        lowest = std::min(lowest, first);
        highest = std::max(highest, end - 1);
        for (int row = first; row < end; ++row, x += slope) {
            const int column = static_cast<int>(std::ceil(x)) - origin.x;
            toggles[(column >> 6) * rows + row] ^= std::uint64_t{1} << (column & 63);
        }
    }
    for (int ty = lowest >> 6; ty <= highest >> 6; ++ty) {
        Rows carry{};
        for (int tx = 0; tx < width_; ++tx) {
            Tile& t = tiles_[static_cast<std::size_t>(ty * width_ + tx)];
            t.used |= fill_rows(toggles + tx * rows + ty * tile_size, carry, (t.claims.*plane).rows);
        }
    }
}

void ScanWindow::mark_ray(const Ray& ray, double end, bool inclusive, const ScanBeams::Stretch& without) {
    const auto before = [&](double t) { return inclusive ? t <= end : t < end; };
    if (!before(0)) return;
    int last = std::max(0, static_cast<int>(std::floor(end / ray.t_per_column - ray.first)));  // one early, or right
    while (before(ray.t_column(last + 1))) ++last;
    while (last > 0 && !before(ray.t_column(last))) --last;
    int pause = last, again = last;  // columns from `pause` to before `again` lie whole in the stretch
    if (without.from < without.to) {
        const auto column = [&](double t) { return t / ray.t_per_column - ray.first; };
        pause = std::clamp(static_cast<int>(std::ceil(column(without.from))) + 1, 0, last);
        again = std::clamp(static_cast<int>(std::floor(column(without.to))), pause, last);
    }
    if (pause < again) mark_columns(ray, 0, pause);
    mark_columns(ray, pause < again ? again : 0, last);
    mark(ray, last, ray.entry(last));  // there the ray may end before it crosses into a second cell
    if (const int in = ray.entry(last), out = ray.exit(last); in == out || before(ray.t_minor(std::max(in, out))))
        mark(ray, last, out);
}

/// Marks all cells that the ray touches in columns from `begin` to before `end`.
void ScanWindow::mark_columns(const Ray& ray, int begin, int end) {
    if (begin >= end) return;
    const int columns = end - begin;
    if (bits_.size() < static_cast<std::size_t>(columns)) {
        bits_.resize(static_cast<std::size_t>(2 * columns));
        words_.resize(bits_.size());
    }
    const Cell low = cell_of(min_, 0, 0);
    const int across = ray.x_major ? low.y : low.x, in = ray.entry(begin) - across, apart = lines(ray);
    find_exits(ray, across, apart, begin, columns, words_.data(), bits_.data());
    set_cells(line_of(ray, begin), ray.major_step, columns, (in >> 6) * apart, std::uint64_t{1} << (in & 63),
              words_.data(), bits_.data());
}

/// The first word of the cells in a column of a ray.
std::uint64_t* ScanWindow::line_of(const Ray& ray, int column) {
    const Cell low = cell_of(min_, 0, 0);
    const int line = (ray.x_major ? ray.start.x - low.x : ray.start.y - low.y) + column * ray.major_step;
    return (ray.x_major ? columns_ : rows_).data() + line;
}

void ScanWindow::mark(const Ray& ray, int column, int minor) {
    const Cell low = cell_of(min_, 0, 0);
    const int across = minor - (ray.x_major ? low.y : low.x);
    line_of(ray, column)[(across >> 6) * lines(ray)] |= std::uint64_t{1} << (across & 63);
}

void ScanWindow::begin_rays() {
    rows_.resize(std::max(rows_.size(), tiles_.size() * tile_size));
    columns_.resize(rows_.size());
}

void ScanWindow::finish_rays() {
    for (int ty = 0; ty < height_; ++ty)
        for (int tx = 0; tx < width_; ++tx) {
            Tile& t = tiles_[static_cast<std::size_t>(ty * width_ + tx)];
            t.used |= take_marks(rows_.data() + (tx * height_ + ty) * tile_size,
                                 columns_.data() + (ty * width_ + tx) * tile_size, t.claims.known.rows);
        }
}

}  // namespace outrider
