// Roles as places in a tree, and how robots exchange them by radio. A place (such as an explorer at the end of a chain
// of relays) has the number of the robot that holds it at the start; its present holder is learned from messages.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "outrider/team.hpp"

namespace outrider {

/// By place. Base stations are places of their own that nobody else can hold.
struct Place {
    Role role = Role::explorer;
    RobotId parent = -1;  ///< place; of a base: -1
    RobotId child = -1;   ///< place; -1: none
    bool operator==(const Place&) const = default;
};

/// As the briefing defines it when some robot names a parent or a child; otherwise relays are shared out among
/// explorers in chains: the relays that the briefing names or, when it names none, `relays` for each explorer. A place
/// without a parent reports to the first base, or to place 0.
std::vector<Place> make_hierarchy(const Briefing& briefing, int relays);

/// The places that a robot holds, as (place, epoch). Two robots exchange theirs in two steps, and no place is without a
/// holder in between: a robot that accepts an offer holds the other's place under a new epoch, and keeps its own until
/// the other reports that it took it. If two robots claim a place, the higher epoch holds it; an exchange without
/// message loss leaves one holder each. A robot takes part in one exchange at a time.
class RoleClaims {
  public:
    struct Claim {
        RobotId place = -1;
        std::int64_t epoch = 0;
        bool operator==(const Claim&) const = default;
    };
    /// The offer to exchange places with a robot; it stands until a step.
    struct Offer {
        RobotId to = -1;
        RobotId give = -1, take = -1;
        std::int64_t epoch = 0;  ///< of both places once it is accepted
        int until = 0;
        bool operator==(const Offer&) const = default;
    };
    /// What another robot sent.
    struct Received {
        RobotId from = -1;
        int sent = 0;               ///< step
        std::vector<Claim> claims;  ///< the first is the one that it acts on
        std::optional<Offer> offer;
    };

    RoleClaims() = default;
    explicit RoleClaims(RobotId self) : self_(self), claims_{{self, 0}} {}

    RobotId place() const { return claims_.front().place; }
    /// The place acted on and, in the middle of an exchange, the one that was given away.
    const std::vector<Claim>& claims() const { return claims_; }
    /// To be sent as long as it stands.
    const std::optional<Offer>& offer() const { return offer_; }
    /// Not in the middle of an exchange.
    bool free() const { return claims_.size() == 1 && !offer_; }
    /// An offer that may have been accepted although the answer was lost, or a place that was given away and whose new
    /// holder has not reported yet.
    bool in_doubt(int now) const { return claims_.size() > 1 || (offer_ && now > offer_->until); }

    /// Offers to exchange places with a robot that holds `theirs`. CHECK: free().
    void propose(RobotId to, const Claim& theirs, int until);
    /// Processes what a robot sent in the step before `now` or earlier; `willing`: whether an offer would be accepted.
    /// Returns the robot whose place this one took over just now, if any.
    std::optional<RobotId> hear(const Received& received, int now, bool willing);

  private:
    RobotId self_ = -1;
    std::vector<Claim> claims_;
    std::optional<Offer> offer_;
};

/// Values {give, take, to, epoch, until} of topic_swap.
Word word_of(const RoleClaims::Offer& offer);
std::optional<RoleClaims::Offer> offer_in(const TeamRecord& record);

}  // namespace outrider
