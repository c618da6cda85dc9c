#include "time_preference/responsibility.hpp"

#include <algorithm>

#include "shared/topics.hpp"

namespace outrider {
namespace {

constexpr int least_gain_steps = 3;  // when only one of two has anything to hand over

/// Number of set bits in each of four fields of 16 bits: wide registers can add many of these at a time.
std::uint64_t ones(std::uint64_t bits) {
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return (bits & 0x00ff00ff00ff00ff) + (bits >> 8 & 0x00ff00ff00ff00ff);
}
std::int64_t sum(std::uint64_t fields) { return static_cast<std::int64_t>(fields * 0x0001000100010001 >> 48); }

}  // namespace

double Responsibility::ratio() const {
    const std::int64_t at_base = std::max(safe(), base_reported_);
    const auto all = static_cast<double>(at_base + owned());
    return all > 0 ? static_cast<double>(at_base) / all : 1;
}

bool Responsibility::answers_for(Cell c) const {
    const auto block = blocks_.find(block_of(c));
    return block != blocks_.end() && block->second.owned[static_cast<std::size_t>(c.y & 63)] >> (c.x & 63) & 1;
}

void Responsibility::update(const Belief& belief) {
    for (const auto& [base, pose] : belief.briefing().bases) {
        if (!belief.received_far(base)) continue;
        for (const Word& word : belief.latest(base).words)
            if (word.topic == topic_base && word.values.size() == 1)
                base_reported_ = std::max(base_reported_, word.values.front());
    }
    belief.map().for_each_changed_block(map_seen_, [&](Cell low) {
        Block& block = blocks_[low];
        const auto discovered = belief.discovered_rows(low);
        for (std::size_t j = 0; j < discovered.size(); ++j) {
            block.owned[j] |= discovered[j] & ~block.seen[j];
            block.seen[j] = discovered[j];
        }
        count(belief.map(), low);
    });
}

/// Drops what the base has, and counts free cells: owned, at the base, given.
void Responsibility::count(const MapView& map, Cell low) {
    Block& block = blocks_[low];
    counts_.owned -= block.counts.owned;
    counts_.at_base -= block.counts.at_base;
    counts_.given -= block.counts.given;
    block.counts = {};
    const auto known = map.known_rows(low), occupied = map.occupied_rows(low);
    if (known.empty()) return;
    static constexpr Rows nothing{};
    auto base = map.marked_rows(Mark::at_base, low);
    if (base.empty()) base = nothing;
    std::uint64_t of_mine = 0, of_base = 0, of_given = 0;
    for (std::size_t j = 0; j < nothing.size(); ++j) {
        const std::uint64_t free = known[j] & ~occupied[j], safe = base[j] & free;
        const std::uint64_t mine = block.owned[j] & ~base[j];
        block.owned[j] = mine;
        of_mine += ones(mine & free);
        of_base += ones(safe);
        of_given += ones(block.given[j] & free & ~base[j] & ~mine);
    }
    block.counts = {sum(of_mine), sum(of_base), sum(of_given)};
    counts_.owned += block.counts.owned;
    counts_.at_base += block.counts.at_base;
    counts_.given += block.counts.given;
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
        // Gives up responsibility for cells that the other robot took and has received.
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
    if (out.took) offer_.reset();  // a robot that has just taken cells does not give any
    if (out.took || best < 0 || (offer_ && offer_->to == best)) {
        if (best < 0) offer_.reset();
        return out;
    }
    offer_ = Offer{best, belief.step() + 1, {}};
    for (const auto& [low, block] : blocks_)
        if (block.counts.owned > 0) offer_->cells.emplace(low, block.owned);
    return out;
}

void Responsibility::take_all(const Belief& belief) {
    belief.map().for_each_block([&](Cell low) {
        Block& block = blocks_[low];
        const auto known = belief.map().known_rows(low);
        for (std::size_t j = 0; j < known.size(); ++j) {
            block.owned[j] |= known[j];
            block.given[j] &= ~known[j];
        }
        count(belief.map(), low);
    });
}

void Responsibility::give(const Belief& belief) {
    for (const auto& [low, cells] : offer_->cells) {
        Block& block = blocks_[low];
        for (std::size_t j = 0; j < cells.size(); ++j) {
            block.owned[j] &= ~cells[j];
            block.given[j] |= cells[j];
        }
        count(belief.map(), low);
    }
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
        DutyNews news{received_number(v[0]), v[1], v[2] != 0, received_number(v[3]), v[4], {}};
        for (std::size_t i = 5; i + 1 < v.size(); i += 2) news.took.emplace_back(received_number(v[i]), v[i + 1]);
        return news;
    }
    return {};
}

}  // namespace outrider
