#include "role_based/hierarchy.hpp"

#include <algorithm>

#include "outrider/error.hpp"
#include "shared/topics.hpp"

namespace outrider {
namespace {

RobotId first_base(const Briefing& briefing) {
    for (const TeamMember& m : briefing.team())
        if (m.role == Role::base) return m.id;
    return 0;
}

/// Explorers and relays in turn, by number.
std::vector<Place> share_out(const Briefing& briefing, int relays) {
    std::vector<RobotId> explorers, helpers;
    for (const TeamMember& m : briefing.team()) {
        if (!m.mobile || m.role == Role::base) continue;
        (m.role == Role::relay ? helpers : explorers).push_back(m.id);
    }
    if (helpers.empty()) {
        std::vector<RobotId> all = std::move(explorers);
        explorers.clear();
        const auto group = static_cast<std::size_t>(relays) + 1;
        for (std::size_t i = 0; i < all.size(); ++i)
            (i % group + 1 == group || i + 1 == all.size() ? explorers : helpers).push_back(all[i]);
    }
    std::vector<Place> places(briefing.team().size());
    const RobotId base = first_base(briefing);
    for (const TeamMember& m : briefing.team()) {
        places[static_cast<std::size_t>(m.id)].role = m.role;
        if (m.role != Role::base) places[static_cast<std::size_t>(m.id)].parent = base;
    }
    // The i-th explorer has relays i, i + n, ... above it, the first of them next to it.
    for (std::size_t e = 0; e < explorers.size(); ++e) {
        RobotId below = explorers[e];
        for (std::size_t r = e; r < helpers.size(); r += explorers.size()) {
            places[static_cast<std::size_t>(helpers[r])] = {Role::relay, base, below};
            places[static_cast<std::size_t>(below)].parent = helpers[r];
            below = helpers[r];
        }
    }
    return places;
}

}  // namespace

std::vector<Place> make_hierarchy(const Briefing& briefing, int relays) {
    const std::vector<TeamMember>& team = briefing.team();
    const bool given =
        std::any_of(team.begin(), team.end(), [](const TeamMember& m) { return m.mobile && m.parent >= 0; });
    if (!given) return share_out(briefing, relays);
    std::vector<Place> places(team.size());
    const RobotId base = first_base(briefing);
    for (const TeamMember& m : team) {
        Place& place = places[static_cast<std::size_t>(m.id)];
        place.role = m.role;
        if (m.role != Role::base) place.parent = m.parent >= 0 ? m.parent : base;
    }
    for (const TeamMember& m : team) {  // the first that names a parent is its child
        if (m.role == Role::base) continue;
        Place& above = places[static_cast<std::size_t>(places[static_cast<std::size_t>(m.id)].parent)];
        if (above.role == Role::relay && above.child < 0) above.child = m.id;
    }
    return places;
}

void RoleClaims::propose(RobotId to, const Claim& theirs, int until) {
    OUTRIDER_CHECK(free(), ==, true);
    offer_ = Offer{to, place(), theirs.place, std::max(claims_[0].epoch, theirs.epoch) + 1, until};
}

std::optional<RobotId> RoleClaims::hear(const Received& received, int now, bool willing) {
    const auto claims = [&](const Claim& claim) {
        return std::find(received.claims.begin(), received.claims.end(), claim) != received.claims.end();
    };
    // The other one accepted: this robot takes the place given in exchange.
    if (offer_ && offer_->to == received.from) {
        if (claims({offer_->give, offer_->epoch})) {
            claims_ = {{offer_->take, offer_->epoch}};
            offer_.reset();
            return received.from;
        }
        // The message was sent after the offer had ended, and the other one did not take the place.
        if (received.sent > offer_->until) offer_.reset();
    }
    // The other one took what this one had given away.
    if (claims_.size() > 1)
        for (const Claim& claim : received.claims)
            if (claim.place == claims_[1].place && claim.epoch > claims_[1].epoch) {
                claims_.pop_back();
                break;
            }
    const auto& o = received.offer;
    const bool current = o && o->to == self_ && o->take == place() && now <= o->until && o->epoch > claims_[0].epoch;
    if (!current || !willing || !free()) return {};
    claims_ = {{o->give, o->epoch}, claims_[0]};
    return received.from;
}

Word word_of(const RoleClaims::Offer& o) { return {topic_swap, to_all, {o.give, o.take, o.to, o.epoch, o.until}}; }

std::optional<RoleClaims::Offer> offer_in(const TeamRecord& record) {
    for (const Word& word : record.words) {
        const auto& v = word.values;
        if (word.topic != topic_swap || v.size() != 5) continue;
        return RoleClaims::Offer{received_number(v[2]), received_number(v[0]), received_number(v[1]),
                                 received_number(v[3]), received_number(v[4])};
    }
    return {};
}

}  // namespace outrider
