#include "plan/skeleton/skeleton.hpp"

#include <algorithm>
#include <bit>

#include "plan/skeleton/thinning.hpp"

namespace outrider {
namespace {

constexpr int open_reach = 50;  // the window of wide open space: 101 x 101
constexpr std::array<Cell, 8> compass{{{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}};

/// Bits i of a row for which all bits from i - 50 to i + 50 are set; the row with its neighbours to the west and east.
std::uint64_t erode(std::uint64_t west, std::uint64_t here, std::uint64_t east) {
    if (here == 0) return 0;
    using Row3 = std::array<std::uint64_t, 3>;
    const auto shift_down = [](const Row3& w, int by) {  // by < 64; ones never come in: the ends do not matter
        return Row3{w[0] >> by | w[1] << (64 - by), w[1] >> by | w[2] << (64 - by), w[2] >> by};
    };
    Row3 run{west, here, east};  // bit i: the cells from i on, as many as the loop has come to, are set
    const auto and_with = [&](const Row3& w) {
        for (std::size_t k = 0; k < 3; ++k) run[k] &= w[k];
    };
    for (int length = 1; length < 64; length *= 2) and_with(shift_down(run, length));
    and_with(shift_down(run, 101 - 64));
    return run[0] >> (64 - open_reach) | run[1] << open_reach;
}

/// The cells of a tile with nothing but passable cells within 50 rows and columns.
NavTile::Rows find_wide_open(const NavMap& nav, TileCoord t) {
    NavTile::Rows open{};
    const NavTile* centre = nav.tile(t);
    if (!centre) return open;
    // Every window around a cell of the tile contains the middle of the tile.
    constexpr std::uint64_t inner = ~std::uint64_t{0} >> (64 - 38) << 13;
    for (std::size_t row = 13; row <= 50; ++row)
        if ((centre->pass[row] & inner) != inner) return open;
    std::array<std::uint64_t, tile_size + 2 * open_reach> eroded{};
    for (int row = -open_reach; row < tile_size + open_reach; ++row) {
        const auto word = [&](int dx) -> std::uint64_t {
            const NavTile* tile = nav.tile({t.x + dx, t.y + (row >> 6)});
            return tile ? tile->pass[static_cast<std::size_t>(row & 63)] : 0;
        };
        eroded[static_cast<std::size_t>(row + open_reach)] = erode(word(-1), word(0), word(1));
    }
    const auto run_of = [&](std::size_t length) {  // row i: rows i ... i + length - 1 before
        for (std::size_t i = 0; i + length < eroded.size(); ++i) eroded[i] &= eroded[i + length];
    };
    for (std::size_t length = 1; length < 64; length *= 2) run_of(length);
    run_of(101 - 64);
    std::copy_n(eroded.begin(), tile_size, open.begin());
    return open;
}

/// The cells around c that are on the skeleton: bit k for compass[k].
unsigned ring_bits(const Skeleton& skeleton, Cell c) {
    const int column = column_in_tile(c), row = row_in_tile(c);
    unsigned bits = 0;
    if (column > 0 && column < 63 && row > 0 && row < 63) {
        const NavTile::Rows* rows = skeleton.rows(tile_of(c));
        for (std::size_t k = 0; rows && k < compass.size(); ++k)
            bits |= static_cast<unsigned>(
                        (*rows)[static_cast<std::size_t>(row + compass[k].y)] >> (column + compass[k].x) & 1)
                    << k;
        return bits;
    }
    for (std::size_t k = 0; k < compass.size(); ++k) bits |= unsigned{skeleton.on(c + compass[k])} << k;
    return bits;
}

}  // namespace

struct Skeleton::Tile {
    NavTile::Rows input{}, open{};  // input: passable and not wide open
    ThinnedTile thinned;
};

Skeleton::Skeleton() = default;
Skeleton::~Skeleton() = default;
Skeleton::Skeleton(const Skeleton&) = default;
Skeleton::Skeleton(Skeleton&&) noexcept = default;
Skeleton& Skeleton::operator=(Skeleton&&) noexcept = default;

const Skeleton::Tile* Skeleton::tile(TileCoord t) const {
    const auto* entry = tiles_.find(t);
    return entry ? entry->get() : nullptr;
}
Skeleton::Tile& Skeleton::edit(TileCoord t) {
    auto& entry = tiles_.at(t);
    if (!entry) entry = std::make_unique<Tile>();
    return *entry;
}

void Skeleton::update(const NavMap& nav) {
    changed_.clear();
    const std::vector<TileCoord> input = take_input(nav);
    counters_.tiles_changed += input.size();
    if (input.empty()) return;
    Thinning thinning([&](TileCoord t) {
        const Tile* before = tile(t);
        return before ? &before->thinned : nullptr;
    });
    for (const TileCoord t : input) thinning.set_input(t, tile(t)->input);
    counters_.words_thinned += thinning.run();
    thinning.take([&](TileCoord t, ThinnedTile&& now) {
        ++counters_.tiles_thinned;
        Tile& mine = edit(t);
        if (mine.thinned.stay != now.stay) changed_.push_back(t);
        mine.thinned = std::move(now);
    });
    std::sort(changed_.begin(), changed_.end());
}

/// Tiles in which the cells to be thinned changed, sorted.
std::vector<TileCoord> Skeleton::take_input(const NavMap& nav) {
    const RowChanges changes = nav.changes_since(seen_);
    fresh_ = changes.everything;
    if (fresh_) tiles_.clear();
    std::vector<TileCoord> around;
    for (const TileCoord t : nav.tiles_of(changes))  // a window of wide open space reaches into the next tiles
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) around.push_back({t.x + dx, t.y + dy});
    std::sort(around.begin(), around.end());
    around.erase(std::unique(around.begin(), around.end()), around.end());
    std::vector<TileCoord> changed;
    for (const TileCoord t : around) {
        const NavTile* now = nav.tile(t);
        if (!now) continue;
        NavTile::Rows open = find_wide_open(nav, t), input = now->pass;
        for (std::size_t i = 0; i < input.size(); ++i) input[i] &= ~open[i];
        static constexpr NavTile::Rows nothing{};
        const Tile* mine = tile(t);
        if (open != (mine ? mine->open : nothing)) edit(t).open = open;
        if (input == (mine ? mine->input : nothing)) continue;
        edit(t).input = input;
        changed.push_back(t);
    }
    return changed;
}

bool Skeleton::on(Cell c) const {
    const Tile* t = tile(tile_of(c));
    return t && t->thinned.stay[static_cast<std::size_t>(row_in_tile(c))] >> column_in_tile(c) & 1;
}
const NavTile::Rows* Skeleton::rows(TileCoord t) const {
    const Tile* entry = tile(t);
    return entry ? &entry->thinned.stay : nullptr;
}
bool Skeleton::wide_open(Cell c) const {
    const Tile* t = tile(tile_of(c));
    return t && t->open[static_cast<std::size_t>(row_in_tile(c))] >> column_in_tile(c) & 1;
}
int Skeleton::neighbours(Cell c) const { return std::popcount(ring_bits(*this, c)); }
int Skeleton::degree(Cell c) const {
    const unsigned on = ring_bits(*this, c), next = (on >> 1 | on << 7) & 255;
    return std::popcount(~on & next);
}
std::vector<TileCoord> Skeleton::tiles() const {
    std::vector<TileCoord> all;
    tiles_.for_each([&](TileCoord t, const Boxed<Tile>& tile) {
        static constexpr NavTile::Rows nothing{};
        if (tile && tile->thinned.stay != nothing) all.push_back(t);
    });
    return all;
}

}  // namespace outrider
