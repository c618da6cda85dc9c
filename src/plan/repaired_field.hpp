// A value for every passable cell, least along the best path to a source, repaired when the map, the costs or the
// sources change: only cells whose value changes, and those beside them, are looked at (Ramalingam & Reps 1996).
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <vector>

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
///   level(v)           its place in the queue: through() leads at least one level up
template <class Rules>
class RepairedField {
  public:
    using Value = typename Rules::Value;

    Value value(Cell c) const {
        const auto* entry = tiles_.find(tile_of(c));
        return entry && *entry ? (**entry).value[key(c)] : Rules::none;
    }
    /// Takes in the changes since the last call: passability, cells for which `rules` gives another value now, and the
    /// sources (passable, sorted, each once).
    void update(const Rules& rules, const NavMap& nav, std::span<const Cell> recosted, std::vector<Cell> sources) {
        nav_ = &nav;
        rules_ = &rules;
        changed_.clear();
        const std::vector<Cell> old = std::exchange(sources_, std::move(sources));
        const RowChanges changes = nav.changes_since(seen_);
        const bool all_new = !old.empty() && std::none_of(old.begin(), old.end(), [&](Cell c) { return is_source(c); });
        fresh_ = changes.everything || all_new;  // then no value is worth keeping
        if (fresh_) {
            tiles_.clear();
            ++rebuilds_;
        } else {
            repair(changes, recosted, old);
        }
        for (const Cell c : sources_)
            if (value(c) != rules.source(c)) push(c, rules.source(c));
        lower();
        note_changes();
        nav_ = nullptr;
        rules_ = nullptr;
    }
    /// The next cell on the best path from c; c itself at a source. For cells that have a value; the first by row, then
    /// column, of equal ones.
    Cell next(const Rules& rules, const NavMap& nav, Cell c) const {
        const Value mine = value(c);
        if (is_source(c) && mine == rules.source(c)) return c;
        for (unsigned moves = allowed_steps[passable_around(nav, c)]; moves; moves &= moves - 1) {
            const auto d = static_cast<std::size_t>(std::countr_zero(moves));
            const Value theirs = value(c + steps[d]);
            if (theirs != Rules::none && rules.through(c, theirs, step_cost[d]) == mine) return c + steps[d];
        }
        return c;
    }

    /// Whether the last update was from scratch; otherwise changed() lists the cells whose value it changed.
    bool began_anew() const { return fresh_; }
    const std::vector<Cell>& changed() const { return changed_; }
    std::uint64_t changed_count() const { return changed_count_; }
    std::uint64_t touched() const { return touched_; }
    std::uint64_t rebuilds() const { return rebuilds_; }

  private:
    struct Tile {
        std::array<Value, tile_size * tile_size> value;
        BitTile noted{};  ///< cells that stand in before_
        Tile() { value.fill(Rules::none); }
    };
    struct Item {
        Cell cell;
        Value value;
    };
    static std::size_t key(Cell c) { return static_cast<std::size_t>(row_in_tile(c) << 6 | column_in_tile(c)); }
    bool is_source(Cell c) const { return std::binary_search(sources_.begin(), sources_.end(), c); }

    void push(Cell c, Value value) {
        const std::size_t level = Rules::level(value);
        if (level >= queue_.size()) queue_.resize(std::max(level + 1, 2 * queue_.size()));
        low_ = queued_ == 0 ? level : std::min(low_, level);
        queue_[level].push_back({c, value});
        ++queued_;
    }
    Item pop() {
        while (queue_[low_].empty()) ++low_;
        const Item item = queue_[low_].back();
        queue_[low_].pop_back();
        --queued_;
        return item;
    }
    void set(Cell c, Value value) {
        auto& entry = tiles_.at(tile_of(c));
        if (!entry) entry = std::make_unique<Tile>();
        Value& mine = entry->value[key(c)];
        if (!fresh_ && !entry->noted.test(c)) {
            entry->noted.set(c);
            before_.push_back({c, mine});
        }
        mine = value;
    }
    template <class Visit>
    void neighbours(Cell c, Visit&& visit) const {
        for (unsigned moves = allowed_steps[passable_around(*nav_, c)]; moves; moves &= moves - 1) {
            const auto d = static_cast<std::size_t>(std::countr_zero(moves));
            visit(c + steps[d], step_cost[d]);
        }
    }
    Value best_through_neighbours(Cell c) const {
        Value best = Rules::none;
        neighbours(c, [&](Cell n, std::uint32_t step) {
            if (const Value theirs = value(n); theirs != Rules::none)
                best = std::min(best, rules_->through(c, theirs, step));
        });
        return best;
    }
    /// Removes the values that no longer hold, and queues the cells that get a new or a better one.
    void repair(const RowChanges& changes, std::span<const Cell> recosted, const std::vector<Cell>& old_sources) {
        const auto again = [&](Cell c) {
            if (const Value was = value(c); was != Rules::none) push(c, was);
        };
        for (const Cell c : old_sources)
            if (!is_source(c)) again(c);
        std::vector<Cell> opened(recosted.begin(), recosted.end());
        for (const Cell c : recosted) again(c);
        for (const RowChange& change : changes.list)
            for (std::uint64_t bits = change.cells; bits; bits &= bits - 1) {
                const Cell c = cell_of(change.tile, std::countr_zero(bits), change.row);
                if (nav_->passable(c)) {
                    opened.push_back(c);
                    continue;
                }
                again(c);
                for (const Cell d : steps) again(c + d);
            }
        raise();
        const auto offer = [&](Cell c) {
            if (const Value best = best_through_neighbours(c); best < value(c)) push(c, best);
        };
        for (const Cell c : opened) {
            if (!nav_->passable(c)) continue;
            offer(c);
            for (const Cell d : steps)
                if (nav_->passable(c + d)) offer(c + d);  // steps past the corner that it was
        }
    }
    /// In the order of the values: a cell keeps its own when a neighbour that keeps its own still explains it.
    void raise() {
        std::vector<Cell> raised;
        while (queued_ > 0) {
            const auto [c, was] = pop();
            if (value(c) != was) continue;
            ++touched_;
            if (nav_->passable(c) && (is_source(c) ? was == rules_->source(c) : best_through_neighbours(c) == was))
                continue;
            set(c, Rules::none);
            raised.push_back(c);
            for (const Cell d : steps)  // cells whose value may depend on it, also around a corner that it was
                if (const Value theirs = value(c + d); theirs != Rules::none && theirs > was) push(c + d, theirs);
        }
        for (const Cell c : raised)
            if (const Value best = nav_->passable(c) ? best_through_neighbours(c) : Rules::none; best != Rules::none)
                push(c, best);
    }
    /// Spreads values from the queued cells that they improve.
    void lower() {
        while (queued_ > 0) {
            const Item item = pop();
            if (item.value >= value(item.cell)) continue;
            set(item.cell, item.value);
            ++touched_;
            neighbours(item.cell, [&](Cell n, std::uint32_t step) {
                if (const Value theirs = rules_->through(n, item.value, step); theirs < value(n)) push(n, theirs);
            });
        }
    }
    void note_changes() {
        if (fresh_)
            tiles_.for_each([&](TileCoord, const std::unique_ptr<Tile>& t) {
                if (t)
                    changed_count_ += tile_size * tile_size - static_cast<std::uint64_t>(std::count(
                                                                  t->value.begin(), t->value.end(), Rules::none));
            });
        for (const auto& [c, was] : before_) {
            (*tiles_.find(tile_of(c)))->noted.reset(c);
            if (value(c) != was) changed_.push_back(c);
        }
        changed_count_ += changed_.size();
        before_.clear();
    }

    const NavMap* nav_ = nullptr;   // during an update
    const Rules* rules_ = nullptr;  // likewise
    ChangeCursor seen_;             // of passability
    bool fresh_ = false;
    std::vector<Cell> sources_;
    TileTable<std::unique_ptr<Tile>> tiles_;
    std::vector<std::vector<Item>> queue_;  // by level
    std::size_t low_ = 0, queued_ = 0;
    std::vector<Item> before_;  // cells set in this update, with their value before it
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
