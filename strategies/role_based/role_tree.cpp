#include "role_based/role_tree.hpp"

#include <algorithm>

#include "outrider/path.hpp"
#include "outrider/team.hpp"

namespace outrider {
namespace {

std::uint32_t path(PathSearch& search, std::size_t to) {
    return search.find(to) == PathStatus::found ? search.cost(to) : no_bound;
}

}  // namespace

void RoleTree::begin(const Belief& belief, int relays) {
    places_ = make_hierarchy(belief.briefing(), relays);
    claims_ = RoleClaims(belief.self());
}

std::optional<RoleNews> RoleTree::hear(const Belief& belief, const RoleNews& mine, bool willing) {
    news_.assign(belief.team().size(), {});
    for (const auto& record : belief.team())
        if (record->robot != belief.self() && record->seq > 0 && record->frame == belief.map().frame())
            news_[static_cast<std::size_t>(record->robot)] = role_news(*record);
    for (std::vector<RoleNews>& sent : news_)
        std::erase_if(sent, [&](const RoleNews& news) { return !can_be_held(news.claim.place); });
    std::optional<RoleNews> taken;
    for (const auto& record : belief.team()) {
        const std::vector<RoleNews>& sent = news_[static_cast<std::size_t>(record->robot)];
        if (swaps_ == Swaps::never || sent.empty() || !belief.in_contact(record->robot)) continue;
        RoleClaims::Received received{record->robot, record->step, {}, offer_in(*record)};
        if (received.offer && !can_be_held(received.offer->give)) received.offer.reset();  // words may arrive damaged
        for (const RoleNews& news : sent) received.claims.push_back(news.claim);
        if (!claims_.hear(received, belief.step(), willing && !taken)) continue;
        for (const RoleNews& theirs : sent)
            if (theirs.claim.place == claims_.place()) taken = theirs;
        frozen_ = mine;  // sent until the other one has it
    }
    return taken;
}

const RoleNews* RoleTree::news_of(RobotId place, RobotId* robot) const {
    const RoleNews* best = nullptr;
    for (std::size_t i = 0; i < news_.size(); ++i)
        for (const RoleNews& news : news_[i]) {
            if (news.claim.place != place || (best && best->claim.epoch >= news.claim.epoch)) continue;
            best = &news;
            if (robot) *robot = static_cast<RobotId>(i);
        }
    return best;
}

RobotId RoleTree::holder(RobotId place) const {
    RobotId robot = place;
    news_of(place, &robot);
    return robot;
}

bool RoleTree::in_contact(const Belief& belief, RobotId place) const {
    RobotId robot = -1;
    return place >= 0 && news_of(place, &robot) && belief.in_contact(robot);
}

void RoleTree::offer(const Belief& belief, const RoleNews& mine, int steps) {
    if (swaps_ == Swaps::never || !claims_.free()) return;
    for (std::size_t i = static_cast<std::size_t>(belief.self()) + 1; i < news_.size(); ++i) {
        const auto robot = static_cast<RobotId>(i);
        if (!belief.in_contact(robot) || news_[i].size() != 1 || !swappable(news_[i][0].state)) continue;
        const RoleNews& other = news_[i][0];
        const Cell there = belief.map().lattice().cell_of(belief.latest(robot).pose.position());
        const std::vector<Cell> goals{mine.goal, other.goal};
        PathSearch from_here = belief.search(belief.cell(), goals), from_there = belief.search(there, goals);
        const std::uint32_t as_it_is = std::max(path(from_here, 0), path(from_there, 1));
        const std::uint32_t exchanged = std::max(path(from_here, 1), path(from_there, 0));
        if (as_it_is == no_bound || as_it_is <= exchanged) continue;
        if (swaps_ == Swaps::strict && !allowed_by_strict(belief, mine, other, there)) continue;
        claims_.propose(robot, other.claim, belief.step() + steps);
        return;
    }
}

/// Where the rule does not apply, because one of the two is not an explorer with a meeting, the exchange is allowed.
bool RoleTree::allowed_by_strict(const Belief& belief, const RoleNews& mine, const RoleNews& other,
                                 Cell others_cell) const {
    for (const RoleNews* news : {&mine, &other})
        if (news->state != RoleState::explore || at(news->claim.place).role != Role::explorer || !news->above.agreed())
            return true;
    const std::vector<Cell> meetings{mine.above.child_point, other.above.child_point};
    PathSearch from_here = belief.search(belief.cell(), meetings), from_there = belief.search(others_cell, meetings),
               from_base = belief.search(belief.map().lattice().cell_of(belief.home()), meetings);
    const auto cells = [](std::uint32_t cost) { return cost / double(straight_cost); };
    const auto until = [&](const Meeting& m) { return std::max(0, m.time - belief.step()) * belief.speed_cells(); };
    return tells_sooner_exchanged({until(mine.above), cells(path(from_here, 1)), cells(path(from_base, 0))},
                                  {until(other.above), cells(path(from_there, 0)), cells(path(from_base, 1))});
}

bool tells_sooner_exchanged(const MeetingPath& a, const MeetingPath& b) {
    const double later = std::max(a.until_meeting + a.meeting_to_base, b.until_meeting + b.meeting_to_base);
    const double sooner = std::min(a.to_others_meeting + b.meeting_to_base, b.to_others_meeting + a.meeting_to_base);
    return later > sooner;
}

bool RoleTree::another_carries(const Belief& belief, std::int64_t left) const {
    for (std::size_t i = 0; i < news_.size(); ++i) {
        const auto robot = static_cast<RobotId>(i);
        if (news_[i].empty() || !belief.in_contact(robot)) continue;
        const RoleNews& other = news_[i][0];
        if (other.state != RoleState::return_to_parent || at(other.claim.place).role != Role::relay) continue;
        if (std::pair(left, belief.self()) < std::pair(other.left, robot)) return true;
    }
    return false;
}

std::vector<Word> RoleTree::words(const RoleNews& mine, int step) const {
    std::vector<Word> words{word_of(mine)};
    if (claims_.claims().size() > 1) {
        RoleNews given = frozen_;
        given.claim = claims_.claims()[1];
        words.push_back(word_of(given));
    }
    if (claims_.offer() && step <= claims_.offer()->until) words.push_back(word_of(*claims_.offer()));
    return words;
}

}  // namespace outrider
