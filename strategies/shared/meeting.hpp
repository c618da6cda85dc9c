// A meeting that two robots agree on, and the handshake by which both hold the same one although messages get lost.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "outrider/geometry.hpp"

namespace outrider {

/// Where and when a child and its parent in a hierarchy meet. The two points may differ: within radio range of each
/// other, on two sides of a wall. Cells of the common frame, steps.
struct Meeting {
    std::int64_t id = 0;  ///< grows with every proposal of a child; 0: none
    Cell child_point, parent_point;
    int time = 0;
    int wait = 60;        ///< a robot that has arrived waits until time + wait
    Cell backup;          ///< for both, when they missed each other
    int backup_time = 0;  ///< 0: there is no backup (any more)

    bool agreed() const { return id != 0; }
    int end() const { return time + wait; }
    /// The same meeting, at its backup.
    Meeting at_backup() const;
    bool operator==(const Meeting&) const = default;
};

inline constexpr std::size_t meeting_values = 10;
void append(std::vector<std::int64_t>& values, const Meeting& meeting);
/// From the first meeting_values of the values; CHECK: there are so many.
Meeting read_meeting(std::span<const std::int64_t> values);

/// One robot's side towards its parent. It proposes; the proposal is agreed once the parent reports that it holds it.
class ParentSide {
  public:
    const Meeting& agreed() const { return agreed_; }
    /// What has to be sent to the parent; none: nothing was proposed since the last agreement.
    const std::optional<Meeting>& proposal() const { return proposal_; }
    /// Replaces an older proposal. CHECK: its id is greater than all before.
    void propose(const Meeting& meeting);
    /// The parent reports that it holds this id. True when that makes the proposal agreed.
    bool hear(std::int64_t held_by_parent);
    void use_backup() { agreed_ = agreed_.at_backup(); }
    /// Another own end of the same meeting; the parent's end should be within radio reach from there as well.
    void choose_end(Cell child_point) { agreed_.child_point = child_point; }
    /// Takes over another robot's side.
    void take(const Meeting& agreed);

  private:
    Meeting agreed_;
    std::optional<Meeting> proposal_;
};

/// The side towards the child. It holds what it received; that is agreed once the child reports that it knows this.
class ChildSide {
  public:
    const Meeting& agreed() const { return agreed_; }
    /// The newest id that it holds: this has to be sent to the child.
    std::int64_t held() const { return pending_ ? pending_->id : agreed_.id; }
    bool pending() const { return pending_.has_value(); }
    /// The child proposes this meeting, or reports that it is agreed. True when the newest one is agreed by that.
    void hear_proposal(const Meeting& meeting);
    bool hear_agreed(const Meeting& meeting);
    /// When the child did not come: what it proposed last, if that was not settled; else the backup.
    void use_other();
    void take(const Meeting& agreed);

  private:
    Meeting agreed_;
    std::optional<Meeting> pending_;
};

}  // namespace outrider
