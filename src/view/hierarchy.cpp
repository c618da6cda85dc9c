#include "view/hierarchy.hpp"

#include <algorithm>
#include <charconv>

#include "outrider/detail/settings.hpp"
#include "outrider/strategy.hpp"
#include "robot/registry.hpp"
#include "role_based/role_news.hpp"
#include "shared/chain.hpp"

namespace outrider::view {
namespace {

/// A whole number among the options of a strategy, "name(option=value, ...)"; none: it has no such option.
std::optional<int> option_of(const std::string& strategy, std::string_view option) {
    for (const StrategyInfo& info : strategies()) {
        if (info.name != strategy_name(strategy)) continue;
        for (const FieldInfo& field : info.options) {
            if (field.name != option) continue;
            int value = 0;
            std::from_chars(field.value.data(), field.value.data() + field.value.size(), value);
            const std::size_t open = strategy.find('(');
            if (open == std::string::npos) return value;
            for (const Setting& s :
                 parse_settings(std::string_view(strategy).substr(open + 1, strategy.size() - open - 2), "strategy"))
                if (const auto* set = std::get_if<std::int64_t>(&s.value); set && s.key == option)
                    value = static_cast<int>(*set);
            return value;
        }
    }
    return {};
}

std::vector<RoleClaims::Claim> claims_of(const Belief& belief) {
    std::vector<RoleClaims::Claim> out;
    for (const RoleNews& news : role_news(belief.latest(belief.self())))
        if (news.claim.place >= 0 && static_cast<std::size_t>(news.claim.place) < belief.briefing().team().size())
            out.push_back(news.claim);
    return out;
}

/// The robot before this one in its chain.
RobotId before_in_chain(const Belief& belief, int lost_steps) {
    const std::vector<RobotId> chain = present_team(belief, lost_steps);
    const auto me = std::find(chain.begin(), chain.end(), belief.self());
    if (me == chain.end()) return -1;
    return me == chain.begin() ? home_base(belief).value_or(-1) : me[-1];
}

}  // namespace

TeamHierarchy::TeamHierarchy(const Scenario& scenario) {
    for (const RobotEntry& r : scenario.robots) {
        Member member;
        member.relays = option_of(r.strategy, "relays").value_or(member.relays);
        if (strategy_name(r.strategy) == "leader_follower") member.lost_steps = option_of(r.strategy, "lost_steps");
        members_.push_back(member);
    }
}

std::vector<RobotId> TeamHierarchy::parents(std::span<const Robot> team) const {
    std::vector<std::vector<RoleClaims::Claim>> claims;
    for (const Robot& robot : team) claims.push_back(claims_of(robot.belief()));
    const std::vector<RobotId> holders = place_holders(claims);
    std::vector<RobotId> out;
    for (std::size_t i = 0; i < team.size(); ++i) {
        const Belief& belief = team[i].belief();
        RobotId parent = belief.briefing().team()[i].parent;
        if (!claims[i].empty()) {
            const auto place = static_cast<std::size_t>(claims[i].front().place);
            const RobotId above = make_hierarchy(belief.briefing(), members_[i].relays)[place].parent;
            parent = above < 0 ? -1 : holders[static_cast<std::size_t>(above)];
        } else if (members_[i].lost_steps && belief.briefing().drives()) {
            parent = before_in_chain(belief, *members_[i].lost_steps);
        }
        out.push_back(parent == belief.self() ? -1 : parent);  // in the middle of an exchange with its parent
    }
    return out;
}

std::vector<RobotId> place_holders(std::span<const std::vector<RoleClaims::Claim>> claims) {
    std::vector<RobotId> out(claims.size());
    std::vector<std::int64_t> epochs(claims.size(), -1);
    for (std::size_t place = 0; place < out.size(); ++place) out[place] = static_cast<RobotId>(place);
    for (std::size_t robot = 0; robot < claims.size(); ++robot)
        for (const RoleClaims::Claim& claim : claims[robot]) {
            const auto place = static_cast<std::size_t>(claim.place);
            if (claim.epoch <= epochs[place]) continue;
            epochs[place] = claim.epoch;
            out[place] = static_cast<RobotId>(robot);
        }
    return out;
}

}  // namespace outrider::view
