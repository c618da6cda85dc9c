#include "shared/meeting.hpp"

#include "outrider/error.hpp"
#include "shared/topics.hpp"

namespace outrider {

Meeting Meeting::at_backup() const {
    Meeting out = *this;
    out.child_point = out.parent_point = backup;
    out.time = backup_time;
    out.backup_time = 0;
    return out;
}

void append(std::vector<std::int64_t>& values, const Meeting& m) {
    values.insert(values.end(), {m.id, m.child_point.x, m.child_point.y, m.parent_point.x, m.parent_point.y, m.time,
                                 m.wait, m.backup.x, m.backup.y, m.backup_time});
}

Meeting read_meeting(std::span<const std::int64_t> v) {
    OUTRIDER_CHECK(v.size(), >=, meeting_values);
    return {v[0],
            received_cell(v, 1),
            received_cell(v, 3),
            received_number(v[5]),
            received_number(v[6]),
            received_cell(v, 7),
            received_number(v[9])};
}

void ParentSide::propose(const Meeting& meeting) {
    OUTRIDER_CHECK(meeting.id, >, agreed_.id);
    if (proposal_) OUTRIDER_CHECK(meeting.id, >, proposal_->id);
    proposal_ = meeting;
}

bool ParentSide::hear(std::int64_t held_by_parent) {
    if (!proposal_ || proposal_->id != held_by_parent) return false;
    agreed_ = *proposal_;
    proposal_.reset();
    return true;
}

void ParentSide::take(const Meeting& agreed) {
    agreed_ = agreed;
    proposal_.reset();
}

void ChildSide::hear_proposal(const Meeting& meeting) {
    if (meeting.id > held()) pending_ = meeting;
}

bool ChildSide::hear_agreed(const Meeting& meeting) {
    if (meeting.id <= agreed_.id || meeting.id < held()) return false;
    agreed_ = meeting;
    pending_.reset();
    return true;
}

void ChildSide::use_other() {
    agreed_ = pending_ ? *pending_ : agreed_.at_backup();
    pending_.reset();
}

void ChildSide::take(const Meeting& agreed) {
    agreed_ = agreed;
    pending_.reset();
}

}  // namespace outrider
