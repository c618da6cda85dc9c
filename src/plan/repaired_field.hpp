// A value for every passable cell, least along the best path to a source, repaired when the map, the costs or the
// sources change: only cells whose value changes, and those beside them, are looked at (Ramalingam & Reps 1996).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "outrider/detail/boxed.hpp"
#include "outrider/detail/nav_map.hpp"
#include "plan/steps.hpp"

namespace outrider {

/// Passable cells around c and c itself, as allowed_steps wants them.
inline unsigned passable_around(const NavMap& nav, Cell c) {
    const int column = column_in_tile(c), row = row_in_tile(c);
    unsigned around = 0;
    if (column > 0 && column < 63 && row > 0 && row < 63) {
        const NavTile* tile = nav.tile(tile_of(c));
        if (!tile) return 0;
        const std::uint64_t* pass = &tile->pass[static_cast<std::size_t>(row - 1)];
        for (int k = 0; k < 3; ++k) around |= static_cast<unsigned>(pass[k] >> (column - 1) & 7) << (3 * k);
        return around;
    }
    for (int k = 0; k < 9; ++k) around |= static_cast<unsigned>(nav.passable(c + Cell{k % 3 - 1, k / 3 - 1})) << k;
    return around;
}

/// Rules say what a value is:
///   Value, none        an unsigned integer; none is larger than all that occur
///   source(c)          the value of a source
///   through(c, v, s)   of c when the way goes on over a neighbour of value v and the step costs s; none when it
///   cannot.
///                      At least v and what one straight step costs.
///   least(v, s)        no more than through(c, v, s), of whatever c
///   level(v)           its place in the queue: through() leads at least one level up
template <class Rules>
class RepairedField {
  public:
    using Value = typename Rules::Value;

    RepairedField() = default;
    RepairedField(RepairedField&&) noexcept = default;
    RepairedField& operator=(RepairedField&&) noexcept = default;
    ~RepairedField() = default;
    /// Not during an update.
    RepairedField(const RepairedField& other)
        : round_(other.round_),
          seen_(other.seen_),
          fresh_(other.fresh_),
          sources_(other.sources_),
          tiles_(other.tiles_),
          valued_(other.valued_),
          changed_(other.changed_),
          changed_count_(other.changed_count_),
          touched_(other.touched_),
          rebuilds_(other.rebuilds_) {
        tiles_.for_each_item([](Boxed<Tile>& tile) {
            if (!tile) return;
            tile->round = 0;  // it looks for those around it anew
            tile->around = {};
        });
    }

    Value value(Cell c) const {
        const Tile* tile = find(tile_of(c));
        return tile ? tile->values[key_of(c)] : Rules::none;
    }
    /// Takes in the changes since the last call: passability, cells for which `rules` gives another value now, and the
    /// sources (passable, sorted, each once).
    void update(const Rules& rules, const NavMap& nav, std::span<const Cell> recosted, std::vector<Cell> sources) {
        nav_ = &nav;
        rules_ = &rules;
        ++round_;
        changed_.clear();
        std::vector<Cell> gone, come;
        std::set_difference(sources_.begin(), sources_.end(), sources.begin(), sources.end(), std::back_inserter(gone));
        std::set_difference(sources.begin(), sources.end(), sources_.begin(), sources_.end(), std::back_inserter(come));
        const RowChanges changes = nav.changes_since(seen_);
        // Where no source stays, no value is worth keeping.
        fresh_ = changes.everything || (!sources_.empty() && gone.size() == sources_.size());
        sources_ = std::move(sources);
        if (fresh_) {
            tiles_.clear();
            valued_ = 0;
            ++rebuilds_;
            begin_at_sources();
        } else {
            for (const Cell c : gone) find(tile_of(c))->sources.reset(c);
            for (const Cell c : come) tile(tile_of(c)).sources.set(c);
            if (raise(changes, recosted, gone))
                repair(changes, recosted, come);
            else
                begin_again();
        }
        lower();
        note_changes();
        nav_ = nullptr;
        rules_ = nullptr;
    }
    /// The next cell on the best path from c; c itself at a source. For cells that have a value; the first by row, then
    /// column, of equal ones.
    Cell next(const Rules& rules, const NavMap& nav, Cell c) const {
        const Value mine = value(c);
        if (find(tile_of(c))->sources.test(c) && mine == rules.source(c)) return c;
        for (unsigned moves = allowed_steps[passable_around(nav, c)]; moves; moves &= moves - 1) {
            const auto d = static_cast<std::size_t>(std::countr_zero(moves));
            const Value theirs = value(c + steps[d]);
            if (theirs != Rules::none && rules.through(c, theirs, step_cost[d]) == mine) return c + steps[d];
        }
        return c;
    }

    /// Whether the last update forgot all values before it; otherwise changed() lists the cells whose value it changed.
    bool began_anew() const { return fresh_; }
    const std::vector<Cell>& changed() const { return changed_; }
    std::uint64_t changed_count() const { return changed_count_; }
    std::uint64_t touched() const { return touched_; }
    std::uint64_t rebuilds() const { return rebuilds_; }

  private:
    using Values = std::array<Value, tile_size * tile_size>;
    struct Tile {
        TileCoord at;
        std::uint64_t round = 0;        // of the update that looked up nav and around
        const NavTile* nav = nullptr;   // nullptr: nothing is known there
        std::array<Tile*, 9> around{};  // by row, then column, itself in the middle; nullptr: nothing is known there
        BitTile sources{};
        BitTile queued{};                                     // by raise()
        BitTile noted{};                                      // cells that stand in `before`
        std::vector<std::pair<std::uint32_t, Value>> before;  // keys of cells set in this update, with their old value
        BitTile beside_open{};
        bool waits = false;  // in opened_
        Values values;
        explicit Tile(TileCoord t) : at(t) { values.fill(Rules::none); }
    };
    /// A cell in its tile, which is there.
    struct Place {
        Tile* tile;
        std::uint32_t key;

        Cell cell() const { return cell_of(tile->at, static_cast<int>(key & 63), static_cast<int>(key >> 6)); }
        Value& value() const { return tile->values[key]; }
        bool test(const BitTile& bits) const { return bits.rows[key >> 6] >> (key & 63) & 1; }
        void flip(BitTile& bits) const { bits.rows[key >> 6] ^= std::uint64_t{1} << (key & 63); }
    };
    struct Item {
        Tile* tile;
        std::uint32_t key;
        Value value;
        Place place() const { return {tile, key}; }
    };
    static constexpr std::array<std::int32_t, 8> key_steps = [] {
        std::array<std::int32_t, 8> out{};
        for (std::size_t d = 0; d < 8; ++d) out[d] = steps[d].y * tile_size + steps[d].x;
        return out;
    }();

    static std::uint32_t key_of(Cell c) { return static_cast<std::uint32_t>(row_in_tile(c) << 6 | column_in_tile(c)); }
    Tile* find(TileCoord t) const {
        const auto* entry = tiles_.find(t);
        return entry ? entry->get() : nullptr;
    }
    Tile& tile(TileCoord t) {
        auto& entry = tiles_.at(t);
        if (!entry) entry = std::make_unique<Tile>(t);
        return *entry;
    }
    Place place(Cell c) { return {&tile(tile_of(c)), key_of(c)}; }

    /// Looks up once in an update what lies around a tile.
    const Tile& ready(Tile& t) {
        if (t.round == round_) return t;
        t.round = round_;
        t.nav = nav_->tile(t.at);
        for (int k = 0; k < 9; ++k) {
            const TileCoord at{t.at.x + k % 3 - 1, t.at.y + k / 3 - 1};
            Tile*& other = t.around[static_cast<std::size_t>(k)];
            if (!other && nav_->tile(at)) other = &tile(at);
        }
        return t;
    }
    static bool inside(Place p) {
        const std::uint32_t column = p.key & 63, row = p.key >> 6;
        return column - 1 < 62 && row - 1 < 62;
    }
    /// The cell one step away; nullopt: nothing is known there.
    static std::optional<Place> beside(Place p, std::size_t direction) {
        const int column = static_cast<int>(p.key & 63) + steps[direction].x,
                  row = static_cast<int>(p.key >> 6) + steps[direction].y;
        Tile* const tile = p.tile->around[static_cast<std::size_t>(3 * ((row >> 6) + 1) + (column >> 6) + 1)];
        if (!tile) return {};
        return Place{tile, static_cast<std::uint32_t>((row & 63) << 6 | (column & 63))};
    }
    bool passable(Place p) {
        const NavTile* nav = ready(*p.tile).nav;
        return nav && nav->pass[p.key >> 6] >> (p.key & 63) & 1;
    }
    /// The steps that are allowed in the middle of a tile that is ready.
    static unsigned steps_inside(Place p) {
        const std::uint64_t* pass = &p.tile->nav->pass[(p.key >> 6) - 1];
        const std::uint32_t shift = (p.key & 63) - 1;
        unsigned around = 0;
        for (unsigned k = 0; k < 3; ++k) around |= static_cast<unsigned>(pass[k] >> shift & 7) << (3 * k);
        return allowed_steps[around];
    }
    /// Calls visit(place, what the step costs) for each step from p that is allowed.
    template <class Visit>
    void for_each_step(Place p, Visit&& visit) {
        const Tile& here = ready(*p.tile);
        if (inside(p) && here.nav) {
            for (unsigned moves = steps_inside(p); moves; moves &= moves - 1) {
                const auto d = static_cast<std::size_t>(std::countr_zero(moves));
                visit(Place{p.tile, p.key + static_cast<std::uint32_t>(key_steps[d])}, step_cost[d]);
            }
            return;
        }
        unsigned around = passable(p) ? 1u << 4 : 0;
        for (std::size_t d = 0; d < 8; ++d)
            if (const auto other = beside(p, d); other && passable(*other)) around |= 1u << (d < 4 ? d : d + 1);
        for (unsigned moves = allowed_steps[around]; moves; moves &= moves - 1) {
            const auto d = static_cast<std::size_t>(std::countr_zero(moves));
            visit(*beside(p, d), step_cost[d]);
        }
    }

    void push(Place p, Value value) {
        const std::size_t level = Rules::level(value);
        if (level >= queue_.size()) queue_.resize(std::max(level + 1, 2 * queue_.size()));
        low_ = queued_ == 0 ? level : std::min(low_, level);
        queue_[level].push_back({p.tile, p.key, value});
        ++queued_;
    }
    Item pop() {
        while (queue_[low_].empty()) ++low_;
        std::vector<Item>& items = queue_[low_];
        const Item item = items.back();
        items.pop_back();
        --queued_;
        // The values of a level lie all over the map: those that come soon are fetched while this one is worked on.
        constexpr std::size_t ahead = 6;
        if (items.size() >= ahead)
            for (const int row : {-tile_size, 0, tile_size})
                __builtin_prefetch(&items[items.size() - ahead].place().value() + row);
        return item;
    }
    void set(Place p, Value value) {
        Value& mine = p.value();
        if (!fresh_ && all_before_.empty() && !p.test(p.tile->noted)) {
            p.flip(p.tile->noted);
            if (p.tile->before.empty()) noted_.push_back(p.tile);
            p.tile->before.emplace_back(p.key, mine);
        }
        valued_ += static_cast<std::size_t>(mine == Rules::none) - static_cast<std::size_t>(value == Rules::none);
        mine = value;
    }
    void offer(Place p, Value value) {
        if (value >= p.value()) return;
        set(p, value);
        push(p, value);
    }
    Value best_through_neighbours(Place p) {
        Value best = Rules::none;
        const Cell c = p.cell();
        for_each_step(p, [&](Place n, std::uint32_t step) {
            if (n.value() != Rules::none) best = std::min(best, rules_->through(c, n.value(), step));
        });
        return best;
    }

    /// Removes the values that no longer hold, in the order of the values: a cell keeps its own when a neighbour that
    /// keeps its own still explains it. False, and unfinished, when a start from the sources is cheaper.
    bool raise(const RowChanges& changes, std::span<const Cell> recosted, std::span<const Cell> gone) {
        raised_.clear();
        kept_.clear();
        const auto look_at = [&](Place p) {
            if (p.value() == Rules::none || p.test(p.tile->queued)) return;
            p.flip(p.tile->queued);
            push(p, p.value());
        };
        for (const Cell c : gone) look_at(place(c));
        for (const Cell c : recosted) look_at(place(c));
        for (const RowChange& change : changes.list)
            for (std::uint64_t bits = change.cells; bits; bits &= bits - 1) {
                const Cell c = cell_of(change.tile, std::countr_zero(bits), change.row);
                if (nav_->passable(c)) continue;
                look_at(place(c));
                for (const Cell d : steps)
                    if (find(tile_of(c + d))) look_at(place(c + d));
            }
        const std::size_t most = valued_ / worth_share;
        for (std::size_t removed = 0; queued_ > 0;) {
            const Item item = pop();
            const Place p = item.place();
            const Value was = item.value;
            p.flip(p.tile->queued);
            ++touched_;
            const Cell c = p.cell();
            bool holds = p.test(p.tile->sources) && was == rules_->source(c) && passable(p), lower_ones = false;
            if (!holds)
                for_each_step(p, [&](Place n, std::uint32_t step) {
                    const Value theirs = n.value();
                    if (theirs == Rules::none) return;
                    holds = holds || rules_->through(c, theirs, step) == was;
                    lower_ones = lower_ones || theirs <= was;
                });
            if (holds) {
                kept_.push_back(p);
                continue;
            }
            if (++removed > most) return false;
            set(p, Rules::none);
            // What explains its next value: a lower neighbour now, or one that is looked at and kept later.
            if (lower_ones || p.test(p.tile->sources)) raised_.push_back(p);
            ready(*p.tile);
            for (std::size_t d = 0; d < 8; ++d)  // also around a corner that it was
                if (const auto n =
                        inside(p) ? Place{p.tile, p.key + static_cast<std::uint32_t>(key_steps[d])} : beside(p, d);
                    n && n->value() != Rules::none && n->value() > was)
                    look_at(*n);
        }
        return true;
    }
    /// Gives values to the cells that need another one, beside those whose value stays.
    void repair(const RowChanges& changes, std::span<const Cell> recosted, std::span<const Cell> come) {
        for (const Place p : raised_) {
            if (p.test(p.tile->sources) && passable(p)) offer(p, rules_->source(p.cell()));
            offer(p, best_through_neighbours(p));
        }
        for (const Place p : kept_) spread(p);
        for (const Cell c : come) offer(place(c), rules_->source(c));
        for (const Cell c : recosted) offer(place(c), best_through_neighbours(place(c)));
        for (const RowChange& change : changes.list)
            if (const NavTile* nav = nav_->tile(change.tile))
                open(change.tile, change.row, change.cells & nav->pass[static_cast<std::size_t>(change.row)]);
        for (Tile* t : std::exchange(opened_, {})) {
            for (std::uint32_t row = 0; row < tile_size; ++row)
                for (std::uint64_t bits = std::exchange(t->beside_open.rows[row], 0); bits; bits &= bits - 1) {
                    const Place p{t, row << 6 | static_cast<std::uint32_t>(std::countr_zero(bits))};
                    if (p.value() != Rules::none) spread(p);
                }
            t->waits = false;
        }
    }
    /// Notes cells that can be passed now, and those around them: new steps begin there, also past what was a corner.
    void open(TileCoord t, int row, std::uint64_t cells) {
        if (!cells) return;
        const std::array<std::uint64_t, 3> columns{cells << 63, cells | cells << 1 | cells >> 1, cells >> 63};
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx) {
                const std::uint64_t bits = columns[static_cast<std::size_t>(dx + 1)];
                if (!bits) continue;
                Tile& there = tile({t.x + dx, t.y + ((row + dy) >> 6)});
                there.beside_open.rows[static_cast<std::size_t>((row + dy) & 63)] |= bits;
                if (!there.waits) opened_.push_back(&there);
                there.waits = true;
            }
    }
    void begin_at_sources() {
        for (const Cell c : sources_) {
            const Place p = place(c);
            p.tile->sources.set(c);
            offer(p, rules_->source(c));
        }
    }
    /// Forgets all values, but remembers what they were.
    void begin_again() {
        ++rebuilds_;
        for (; queued_ > 0; ++low_) {
            queued_ -= queue_[low_].size();
            queue_[low_].clear();
        }
        for (Tile* t : std::exchange(noted_, {})) {
            for (const auto& [key, was] : t->before) t->values[key] = was;
            t->before.clear();
            t->noted = {};
        }
        tiles_.for_each_item([&](Boxed<Tile>& t) {
            if (!t) return;
            t->queued = {};
            all_before_.emplace_back(t.get(), t->values);
            t->values.fill(Rules::none);
        });
        valued_ = 0;
        begin_at_sources();
    }
    void spread(Place p) {
        const Value mine = p.value();
        if (inside(p) && ready(*p.tile).nav) {
            unsigned worse = 0;  // neighbours for which it may be better; all at once, most are not
            for (std::size_t d = 0; d < 8; ++d)
                worse |= static_cast<unsigned>((&p.value())[key_steps[d]] > Rules::least(mine, step_cost[d])) << d;
            for (unsigned moves = worse & steps_inside(p); moves; moves &= moves - 1) {
                const auto d = static_cast<std::size_t>(std::countr_zero(moves));
                const Place n{p.tile, p.key + static_cast<std::uint32_t>(key_steps[d])};
                offer(n, rules_->through(n.cell(), mine, step_cost[d]));
            }
            return;
        }
        for_each_step(p, [&](Place n, std::uint32_t step) { offer(n, rules_->through(n.cell(), mine, step)); });
    }
    /// Spreads values from the queued cells.
    void lower() {
        while (queued_ > 0) {
            const Item item = pop();
            if (item.value != item.place().value()) continue;  // there is a better one since
            ++touched_;
            spread(item.place());
        }
    }
    void note_changes() {
        if (fresh_) changed_count_ += valued_;
        for (Tile* t : noted_) {  // tile by tile: its values are in the cache
            for (const auto& [key, was] : t->before)
                if (t->values[key] != was) changed_.push_back(Place{t, key}.cell());
            t->before.clear();
            t->noted = {};
        }
        for (const auto& [t, values] : all_before_)
            for (std::uint32_t key = 0; key < values.size(); ++key)
                if (values[key] != t->values[key]) changed_.push_back(Place{t, key}.cell());
        changed_count_ += changed_.size();
        noted_.clear();
        all_before_ = {};
    }

    /// To remove one of so many values and to find the next ones costs about as much as to find all of them anew.
    static constexpr std::size_t worth_share = 4;

    const NavMap* nav_ = nullptr;   // during an update
    const Rules* rules_ = nullptr;  // likewise
    std::uint64_t round_ = 0;       // number of updates
    ChangeCursor seen_;             // of passability
    bool fresh_ = false;
    std::vector<Cell> sources_;
    TileTable<Boxed<Tile>> tiles_;
    std::size_t valued_ = 0;                // cells with a value
    std::vector<std::vector<Item>> queue_;  // by level
    std::size_t low_ = 0, queued_ = 0;
    std::vector<Place> raised_, kept_;                  // by raise()
    std::vector<Tile*> opened_;                         // with cells beside those that can be passed now
    std::vector<Tile*> noted_;                          // with cells in `before`
    std::vector<std::pair<Tile*, Values>> all_before_;  // instead, where the sources are begun at again
    std::vector<Cell> changed_;
    std::uint64_t changed_count_ = 0, touched_ = 0, rebuilds_ = 0;
};

/// Those of some cells that can be sources: passable, sorted, each once.
inline std::vector<Cell> usable_sources(const NavMap& nav, std::span<const Cell> cells) {
    std::vector<Cell> usable;
    for (const Cell c : cells)
        if (nav.passable(c)) usable.push_back(c);
    std::sort(usable.begin(), usable.end());
    usable.erase(std::unique(usable.begin(), usable.end()), usable.end());
    return usable;
}

}  // namespace outrider
