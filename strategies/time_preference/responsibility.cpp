#include "time_preference/responsibility.hpp"

#include <algorithm>

#include "shared/topics.hpp"

namespace outrider {
namespace {

constexpr int least_gain_steps = 3;  // when only one of two has anything to hand over

/// How many bits are set, in four fields of 16 bits: sums that wide registers can do many of at a time.
std::uint64_t ones(std::uint64_t bits) {
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return (bits & 0x00ff00ff00ff00ff) + (bits >> 8 & 0x00ff00ff00ff00ff);
}
std::int64_t sum(std::uint64_t fields) { return static_cast<std::int64_t>(fields * 0x0001000100010001 >> 48); }

/// Drops what the base has, and counts free cells: owned, at the base, given.
void count_tile(const CellTile& cells, const BitTile& base, const BitTile& given, BitTile& owned,
                std::array<std::int64_t, 3>& counts) {
    std::uint64_t of_mine = 0, of_base = 0, of_given = 0;
    for (std::size_t j = 0; j < tile_size; ++j) {
        const std::uint64_t free = cells.known.rows[j] & ~cells.occupied.rows[j], safe = base.rows[j] & free;
        const std::uint64_t mine = owned.rows[j] & ~base.rows[j];
        owned.rows[j] = mine;
        of_mine += ones(mine & free);
        of_base += ones(safe);
        of_given += ones(given.rows[j] & free & ~base.rows[j] & ~mine);
    }
    counts = {sum(of_mine), sum(of_base), sum(of_given)};
}

}  // namespace

double Responsibility::ratio() const {
    const auto all = static_cast<double>(safe() + owned());
    return all > 0 ? static_cast<double>(safe()) / all : 1;
}

bool Responsibility::answers_for(Cell c) const {
    const Tile* tile = tiles_.find(tile_of(c));
    return tile && tile->owned.test(c);
}

void Responsibility::update(const Belief& belief) {
    const KnownMap& map = belief.map();
    const auto look = [&](TileCoord t) {
        Tile& tile = tiles_.at(t);
        if (const BitTile* discovered = belief.discovered().find(t))
            for (std::size_t j = 0; j < tile_size; ++j) {
                tile.owned.rows[j] |= discovered->rows[j] & ~tile.seen.rows[j];
                tile.seen.rows[j] = discovered->rows[j];
            }
        count(map, t);
    };
    map.changes_since(map_seen_).for_each([&](const TileChange& change) { look(change.tile); });
}

/// Drops what the base has, and counts.
void Responsibility::count(const KnownMap& map, TileCoord t) {
    Tile& tile = tiles_.at(t);
    counts_.owned -= tile.counts.owned;
    counts_.at_base -= tile.counts.at_base;
    counts_.given -= tile.counts.given;
    tile.counts = {};
    const CellTile* cells = map.tile(t);
    const BitTile* at_base = map.marks(Mark::at_base, t);
    if (!cells) return;
    static constexpr BitTile nothing{};
    std::array<std::int64_t, 3> counts;
    count_tile(*cells, at_base ? *at_base : nothing, tile.given, tile.owned, counts);
    tile.counts = {counts[0], counts[1], counts[2]};
    counts_.owned += tile.counts.owned;
    counts_.at_base += tile.counts.at_base;
    counts_.given += tile.counts.given;
}

Responsibility::Exchange Responsibility::exchange(const Belief& belief, int steps_to_base) {
    Exchange out;
    RobotId best = -1;
    int best_steps = 0;
    for (const auto& record : belief.team()) {
        const TeamRecord& mate = *record;
        if (mate.robot == belief.self() || !belief.in_contact(mate.robot) || mate.role == Role::base ||
            mate.frame != belief.map().frame())
            continue;
        const std::optional<DutyNews> news = duty_of(mate);
        if (!news) continue;
        // Takes what is offered.
        if (news->offered_to == belief.self()) {
            const std::pair entry(mate.robot, news->offer);
            const auto at = std::lower_bound(took_.begin(), took_.end(), std::pair(mate.robot, std::int64_t{-1}));
            const bool known = at != took_.end() && at->first == mate.robot;
            if (!known || at->second < news->offer) {
                if (known)
                    *at = entry;
                else
                    took_.insert(at, entry);
                take_all(belief);
                out.took = true;
                out.taken_from_returning |= news->returning;
            }
        }
        // Lets go of what was taken and has arrived.
        if (offer_ && offer_->to == mate.robot && belief.delivered_to(mate.robot) &&
            std::find(news->took.begin(), news->took.end(), std::pair(belief.self(), offer_->id)) != news->took.end()) {
            give(belief);
            out.gave = true;
        }
        if (belief.base_in_contact() || news->steps_to_base >= steps_to_base || owned() == 0) continue;
        if (news->owned == 0 && steps_to_base - news->steps_to_base < least_gain_steps) continue;
        if (best < 0 || news->steps_to_base < best_steps) {
            best = mate.robot;
            best_steps = news->steps_to_base;
        }
    }
    if (out.took) offer_.reset();  // who took a moment ago does not give
    if (out.took || best < 0 || (offer_ && offer_->to == best)) {
        if (best < 0) offer_.reset();
        return out;
    }
    offer_ = Offer{best, belief.step() + 1, {}};
    tiles_.for_each([&](TileCoord t, const Tile& tile) {
        if (tile.counts.owned > 0) offer_->cells.at(t) = tile.owned;
    });
    return out;
}

void Responsibility::take_all(const Belief& belief) {
    belief.map().cells().for_each([&](TileCoord t, const CellTile& cells) {
        Tile& tile = tiles_.at(t);
        for (int j = 0; j < tile_size; ++j) {
            const auto row = static_cast<std::size_t>(j);
            tile.owned.rows[row] |= cells.known.rows[row];
            tile.given.rows[row] &= ~cells.known.rows[row];
        }
        count(belief.map(), t);
    });
}

void Responsibility::give(const Belief& belief) {
    offer_->cells.for_each([&](TileCoord t, const BitTile& cells) {
        Tile& tile = tiles_.at(t);
        for (std::size_t j = 0; j < tile_size; ++j) {
            tile.owned.rows[j] &= ~cells.rows[j];
            tile.given.rows[j] |= cells.rows[j];
        }
        count(belief.map(), t);
    });
    offer_.reset();
}

Word Responsibility::word(int steps_to_base, bool returning) const {
    Word word{
        topic_duty, to_all, {steps_to_base, owned(), returning, offer_ ? offer_->to : -1, offer_ ? offer_->id : 0}};
    for (const auto& [robot, offer] : took_) word.values.insert(word.values.end(), {robot, offer});
    return word;
}

std::optional<DutyNews> duty_of(const TeamRecord& record) {
    for (const Word& word : record.words) {
        const auto& v = word.values;
        if (word.topic != topic_duty || v.size() < 5) continue;
        DutyNews news{said_number(v[0]), v[1], v[2] != 0, said_number(v[3]), v[4], {}};
        for (std::size_t i = 5; i + 1 < v.size(); i += 2) news.took.emplace_back(said_number(v[i]), v[i + 1]);
        return news;
    }
    return {};
}

}  // namespace outrider
