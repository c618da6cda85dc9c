#include "slam/counted_patch.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr int size = CountedMap::patch_size;
constexpr double farthest_m = 200;

/// A byte of 1 for each set bit of a byte.
constexpr std::array<std::uint64_t, 256> make_spread() {
    std::array<std::uint64_t, 256> out{};
    for (std::size_t b = 0; b < 256; ++b)
        for (int i = 0; i < 8; ++i)
            if (b >> i & 1) out[b] |= std::uint64_t{1} << (8 * i);
    return out;
}
constexpr auto spread = make_spread();

/// Whether a beam from the sensor to this point is short enough to be drawn.
bool is_near(Point p, Point sensor) {
    return std::abs(p.x - sensor.x) <= farthest_m && std::abs(p.y - sensor.y) <= farthest_m;
}

}  // namespace

/// Memory that an insertion works in.
struct CountedMap::Work {
    Cell low;                         // of the window; a multiple of the patch size
    int words = 0, rows = 0;          // 32 cells each; rows of cells
    std::vector<std::uint32_t> free;  // bits
    std::vector<Cell> hit_cells, appeared, vanished, cleared;
    struct Item {
        Cell cell, wall;
    };
    std::vector<std::vector<Item>> queue;  // by squared distance
};

CountedMap::CountedMap(const CountedMapOptions& options) : options_(options), lattice_{options.cell_m} {
    const int horizon = static_cast<int>(std::ceil(options.horizon_m / options.cell_m - 1e-9));
    OUTRIDER_CHECK(horizon, >=, 1);
    OUTRIDER_CHECK(horizon, <=, 100);
    OUTRIDER_CHECK(options.memory, >=, 2);
    OUTRIDER_CHECK(options.memory, <=, 127);
    shape_ = std::make_shared<const Shape>(horizon, options.horizon_m, options.cell_m);
}
CountedMap::CountedMap(const CountedMapOptions& options, const Grid<std::uint8_t>& cells) : CountedMap(options) {
    OUTRIDER_CHECK(cells.lattice().cell_m, ==, options.cell_m);
    make_work();
    work_->appeared.clear();
    work_->vanished.clear();
    for (std::size_t i = 0; i < cells.cells().size(); ++i) {
        const std::uint8_t value = cells.cells()[i];
        if (value > 1) continue;
        const Cell c = cells.cell(i);
        Patch& patch = writable(patch_of(c.x), patch_of(c.y));
        patch.seen[cell_in_patch(c)] = 1;
        patch.hits[cell_in_patch(c)] = value;
        if (value) work_->appeared.push_back(c);
    }
    update_distances();
}
CountedMap::CountedMap(CountedMap&&) noexcept = default;
CountedMap& CountedMap::operator=(CountedMap&&) noexcept = default;
CountedMap::~CountedMap() = default;

CountedMap CountedMap::fork() {
    patches_.for_each_item([](Entry& e) { e.own = false; });
    CountedMap copy(*this);
    copy.work_ = nullptr;  // two maps may be written at the same time
    return copy;
}

CountedMap::Patch& CountedMap::writable(int px, int py) {
    Entry& e = patches_.at({px, py});
    if (!e.own) {
        const Patch* old = e.patch ? e.patch.get() : unpacked(e);
        e.patch = old ? std::make_shared<Patch>(*old) : std::make_shared<Patch>();
        e.own = true;
        e.packed = nullptr;
    }
    e.touched = insertions_;
    return *e.patch;
}

/// nullptr: there is none.
const CountedMap::Patch* CountedMap::unpacked(const Entry& e) const {
    if (!e.packed) return nullptr;
    e.patch = e.packed->open();
    e.touched = insertions_;
    return e.patch.get();
}

void CountedMap::pack_cold(int insertions) {
    patches_.for_each_item([&](Entry& e) {
        if (!e.patch || insertions_ - e.touched < insertions) return;
        if (!e.packed) e.packed = Packed::of(e.patch);
        e.patch = nullptr;
        e.own = false;
    });
}

int CountedMap::seen(Cell c) const {
    const Patch* p = find(patch_of(c.x), patch_of(c.y));
    return p ? p->seen[cell_in_patch(c)] : 0;
}
int CountedMap::hits(Cell c) const {
    const Patch* p = find(patch_of(c.x), patch_of(c.y));
    return p ? p->hits[cell_in_patch(c)] : 0;
}
double CountedMap::share(Point p) const {
    const Cell c = lattice_.cell_of(p);
    const Patch* patch = find(patch_of(c.x), patch_of(c.y));
    const std::size_t k = cell_in_patch(c);
    return patch && patch->hits[k] > 0 ? static_cast<double>(patch->hits[k]) / patch->seen[k] : 0;
}

std::vector<std::pair<Cell, double>> CountedMap::hit_cells() const {
    std::vector<std::pair<Cell, double>> out;
    patches_.for_each([&](TileCoord t, const Entry& e) {
        const Patch* patch = e.patch ? e.patch.get() : unpacked(e);
        if (!patch) return;
        for (std::size_t k = 0; k < patch->hits.size(); k += 8) {
            std::uint64_t eight;
            std::memcpy(&eight, &patch->hits[k], 8);
            if (eight == 0) continue;
            for (std::size_t i = k; i < k + 8; ++i)
                if (patch->hits[i] > 0)
                    out.emplace_back(Cell{t.x * size + static_cast<int>(i & 31), t.y * size + static_cast<int>(i >> 5)},
                                     static_cast<double>(patch->hits[i]) / patch->seen[i]);
        }
    });
    return out;
}

std::size_t CountedMap::seen_cells() const {
    std::size_t n = 0;
    patches_.for_each([&](TileCoord, const Entry& e) {
        if (const Patch* patch = e.patch ? e.patch.get() : unpacked(e))
            n += patch->seen.size() - static_cast<std::size_t>(std::count(patch->seen.begin(), patch->seen.end(), 0));
    });
    return n;
}

std::uint16_t CountedMap::near(Cell c) const {
    const Patch* p = find(patch_of(c.x), patch_of(c.y));
    return p ? p->near[cell_in_patch(c)] : std::uint16_t{0};
}
void CountedMap::set_near(Cell c, std::uint16_t index) {
    writable(patch_of(c.x), patch_of(c.y)).near[cell_in_patch(c)] = index;
}
bool CountedMap::occupied(Cell c) const { return squared_distance_at(c) == 0; }
int CountedMap::squared_distance_at(Cell c) const { return shape_->squared[near(c)]; }

CountedMap::Sample CountedMap::sample(Point p) const {
    const double inverse = 1 / lattice_.cell_m;
    const double x = p.x * inverse - 0.5, y = p.y * inverse - 0.5, fx = std::floor(x), fy = std::floor(y);
    const Cell c{static_cast<int>(fx), static_cast<int>(fy)};
    const double u = x - fx, v = y - fy;
    const std::vector<double>& metres = shape_->metres;
    double d00, d10, d01, d11;
    if ((c.x & 31) != 31 && (c.y & 31) != 31) [[likely]] {
        const Patch* patch = find(patch_of(c.x), patch_of(c.y));
        if (!patch) return {options_.horizon_m, 0, 0};
        const std::uint16_t* at = patch->near.data() + cell_in_patch(c);
        d00 = metres[at[0]];
        d10 = metres[at[1]];
        d01 = metres[at[size]];
        d11 = metres[at[size + 1]];
    } else {
        d00 = metres[near(c)];
        d10 = metres[near({c.x + 1, c.y})];
        d01 = metres[near({c.x, c.y + 1})];
        d11 = metres[near({c.x + 1, c.y + 1})];
    }
    const double low = d00 + u * (d10 - d00), high = d01 + u * (d11 - d01);
    return {low + v * (high - low), ((1 - v) * (d10 - d00) + v * (d11 - d01)) * inverse, (high - low) * inverse};
}

void CountedMap::make_work() {
    if (work_) return;
    work_ = std::make_shared<Work>();
    work_->queue.resize(static_cast<std::size_t>(shape_->horizon * shape_->horizon + 1));
}

void CountedMap::insert(Point origin, std::span<const Point> hits, bool surfaces) {
    insert_unsettled(origin, hits, surfaces);
    update_distances();
}

void CountedMap::settle() {
    make_work();
    const auto sort_once = [](std::vector<Cell>& cells) {
        std::sort(cells.begin(), cells.end());
        cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    };
    sort_once(work_->appeared);
    sort_once(work_->vanished);
    std::erase_if(work_->appeared, [&](Cell c) { return !often_hit(c) || occupied(c); });
    std::erase_if(work_->vanished, [&](Cell c) { return often_hit(c); });
    update_distances();
}

bool CountedMap::often_hit(Cell c) const { return hits(c) > options_.occupied_share * seen(c); }

bool CountedMap::open_window(Point origin, std::span<const Point> ends, std::span<const Point> more) {
    make_work();
    Work& w = *work_;
    Point low = origin, high = origin;
    std::size_t usable = 0;
    for (const auto points : {ends, more})
        for (const Point p : points) {
            if (!is_near(p, origin)) continue;
            ++usable;
            low = {std::min(low.x, p.x), std::min(low.y, p.y)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        }
    if (usable == 0) return false;
    const Cell first = lattice_.cell_of(low), last = lattice_.cell_of(high);
    w.low = {(first.x - 1) & ~31, (first.y - 1) & ~31};
    w.words = ((last.x + 1 - w.low.x) >> 5) + 1;
    w.rows = (((last.y + 1 - w.low.y) >> 5) + 1) * size;
    w.free.assign(static_cast<std::size_t>(w.words * w.rows), 0);
    return true;
}

void CountedMap::insert_unsettled(Point origin, std::span<const Point> hits, bool surfaces) {
    make_work();
    ++insertions_;
    if (!open_window(origin, hits)) return;
    Work& w = *work_;
    w.hit_cells.clear();
    for (const Point p : hits) {
        if (!is_near(p, origin)) continue;
        mark_ray(lattice_.to_cells(origin), lattice_.to_cells(p));
        w.hit_cells.push_back(lattice_.cell_of(p));
    }
    std::sort(w.hit_cells.begin(), w.hit_cells.end());
    w.hit_cells.erase(std::unique(w.hit_cells.begin(), w.hit_cells.end()), w.hit_cells.end());
    for (const Cell c : w.hit_cells) {
        const Cell i = c - w.low;
        w.free[static_cast<std::size_t>(i.y * w.words + (i.x >> 5))] &= ~(std::uint32_t{1} << (i.x & 31));
    }
    count_free();
    count_hits(w.hit_cells);
    for (const Point p : hits)
        if (surfaces && is_near(p, origin)) average(lattice_.to_cells(p));
}

void CountedMap::insert_free(Point origin, std::span<const Point> ends, std::span<const Point> hits) {
    if (!open_window(origin, ends, hits)) return;
    Work& w = *work_;
    for (const Point p : ends)
        if (is_near(p, origin)) mark_ray(lattice_.to_cells(origin), lattice_.to_cells(p));
    std::vector<std::uint32_t> swept(w.free.size(), 0);
    swept.swap(w.free);
    for (const Point p : hits) {
        if (!is_near(p, origin)) continue;
        mark_ray(lattice_.to_cells(origin), lattice_.to_cells(p));
        const Cell i = lattice_.cell_of(p) - w.low;
        w.free[static_cast<std::size_t>(i.y * w.words + (i.x >> 5))] |= std::uint32_t{1} << (i.x & 31);
    }
    for (std::size_t i = 0; i < swept.size(); ++i) w.free[i] = swept[i] & ~w.free[i];
    count_free();
}

/// Marks one cell per column (or row, if steeper) between the two points, in cell units.
void CountedMap::mark_ray(Point from, Point to) {
    Work& w = *work_;
    double x = from.x - w.low.x, y = from.y - w.low.y;
    const double dx = to.x - from.x, dy = to.y - from.y;
    const bool flat = std::abs(dx) >= std::abs(dy);
    const double major = flat ? dx : dy, minor = flat ? dy : dx;
    if (major == 0) return;
    const int step = major > 0 ? 1 : -1;
    const int begin = static_cast<int>(flat ? x : y), end = static_cast<int>((flat ? x : y) + major);
    const double slope = minor / std::abs(major);
    // At the middle of the first column; in fixed point, 2^-20 of a cell.
    const double at = (flat ? y : x) + slope * (step * (begin + 0.5 - (flat ? x : y)));
    constexpr double one = 1 << 20;
    const int limit = (flat ? w.rows : w.words * size) - 1;
    std::int64_t position = static_cast<std::int64_t>(at * one);
    const auto add = static_cast<std::int64_t>(slope * one);
    for (int i = begin; i != end; i += step, position += add) {
        const int j = std::clamp(static_cast<int>(position >> 20), 0, limit);
        const int column = flat ? i : j, row = flat ? j : i;
        w.free[static_cast<std::size_t>(row * w.words + (column >> 5))] |= std::uint32_t{1} << (column & 31);
    }
}

void CountedMap::count_free() {
    Work& w = *work_;
    const double share = options_.occupied_share;
    const auto memory = static_cast<std::uint8_t>(options_.memory);
    const std::uint64_t full = 0x0101010101010101ull * static_cast<std::uint64_t>(128 - options_.memory);
    for (int py = 0; py < w.rows / size; ++py)
        for (int px = 0; px < w.words; ++px) {
            Patch* patch = nullptr;
            const Cell corner = w.low + Cell{px * size, py * size};
            for (int row = 0; row < size; ++row) {
                std::uint32_t bits = w.free[static_cast<std::size_t>((py * size + row) * w.words + px)];
                if (!bits) continue;
                if (!patch) patch = &writable(patch_of(corner.x), patch_of(corner.y));
                for (int column = 0; bits; column += 8, bits >>= 8) {
                    const std::uint64_t ones = spread[bits & 255];
                    if (!ones) continue;
                    const auto k = static_cast<std::size_t>(row * size + column);
                    std::uint64_t seen, hits;
                    std::memcpy(&seen, &patch->seen[k], 8);
                    std::memcpy(&hits, &patch->hits[k], 8);
                    seen += ones;
                    std::memcpy(&patch->seen[k], &seen, 8);
                    if (((seen + full) & 0x8080808080808080ull) == 0 && (hits & (ones * 255)) == 0) continue;
                    for (std::size_t i = 0; i < 8; ++i) {
                        if (!(ones >> (8 * i) & 1)) continue;
                        std::uint8_t &s = patch->seen[k + i], &h = patch->hits[k + i];
                        if (h > 0 && patch->near[k + i] != 0 && shape_->squared[patch->near[k + i]] == 0 &&
                            (h <= share * s || (h == 1 && s >= memory)))  // halved, it is none
                            w.vanished.push_back(corner + Cell{column + static_cast<int>(i), row});
                        if (s >= memory) {
                            s = static_cast<std::uint8_t>(s / 2);
                            h = static_cast<std::uint8_t>(h / 2);
                        }
                    }
                }
            }
        }
}

void CountedMap::count_hits(std::span<const Cell> hits) {
    for (const Cell c : hits) {
        Patch& patch = writable(patch_of(c.x), patch_of(c.y));
        std::uint8_t &s = patch.seen[cell_in_patch(c)], &h = patch.hits[cell_in_patch(c)];
        ++s;
        ++h;
        const bool was = shape_->squared[patch.near[cell_in_patch(c)]] == 0;
        if (!was && h > options_.occupied_share * s) work_->appeared.push_back(c);
        if (s >= options_.memory) {
            s = static_cast<std::uint8_t>(s / 2);
            h = static_cast<std::uint8_t>((h + 1) / 2);
        }
    }
}

/// Takes a wall away from the cells that it is nearest to.
void CountedMap::forget(Cell wall, std::vector<Cell>& cleared) {
    std::vector<Cell> offsets{{0, 0}};
    while (!offsets.empty()) {
        const Cell offset = offsets.back();
        offsets.pop_back();
        const Cell c = wall + offset;
        const std::uint16_t index = near(c);
        if (index == 0 || c + shape_->offsets[index] != wall) continue;
        set_near(c, 0);
        cleared.push_back(c);
        for (const Cell step : shape_->tree.steps_from(offset)) offsets.push_back(offset + step);
    }
}

void CountedMap::offer(Cell c, Cell wall) {
    const auto d2 = squared_distance(c, wall);
    if (d2 <= shape_->horizon * shape_->horizon && d2 < squared_distance_at(c))
        work_->queue[static_cast<std::size_t>(d2)].push_back({c, wall});
}

/// Raise, then lower: cells without their wall first, then walls spread from near to far.
void CountedMap::update_distances() {
    Work& w = *work_;
    occupied_cells_ += w.appeared.size() - w.vanished.size();
    w.cleared.clear();
    for (const Cell wall : w.vanished) forget(wall, w.cleared);
    for (const Cell c : w.cleared)
        for (const Cell step : shape_->tree.back_steps()) {
            const Cell from = c + step;
            if (const std::uint16_t index = near(from)) offer(c, from + shape_->offsets[index]);
        }
    for (const Cell wall : w.appeared) offer(wall, wall);
    for (std::size_t d2 = 0; d2 < w.queue.size(); ++d2) {
        auto& items = w.queue[d2];
        for (std::size_t i = 0; i < items.size(); ++i) {  // what is queued meanwhile is farther
            const auto [c, wall] = items[i];
            if (squared_distance_at(c) <= static_cast<int>(d2)) continue;
            set_near(c, shape_->index[shape_->at(wall - c)]);
            for (const Cell step : shape_->tree.steps_from(c - wall)) offer(c + step, wall);
        }
        items.clear();
    }
    w.appeared.clear();
    w.vanished.clear();
}

std::pair<Cell, Cell> CountedMap::extent() const {
    Cell low{INT32_MAX, INT32_MAX}, high{INT32_MIN, INT32_MIN};
    patches_.for_each([&](TileCoord t, const Entry& e) {
        if (!e.patch && !e.packed) return;
        low = {std::min(low.x, t.x * size), std::min(low.y, t.y * size)};
        high = {std::max(high.x, (t.x + 1) * size), std::max(high.y, (t.y + 1) * size)};
    });
    if (low.x > high.x) return {{0, 0}, {0, 0}};
    return {low, high};
}

std::size_t CountedMap::bytes() const {
    std::size_t n = 0;
    patches_.for_each([&](TileCoord, const Entry& e) {
        n += sizeof(Entry) + (e.patch ? e.patch->bytes() : 0) + (e.packed ? e.packed->bytes() : 0);
    });
    return n;
}

}  // namespace outrider
