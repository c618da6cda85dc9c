#include "sector_rendezvous/sector_border.hpp"

#include <algorithm>

namespace outrider {

void SectorBorder::miss() {
    if (agreed().backup_time == 0) return close();
    if (proposes_)
        upper_.use_backup();
    else
        lower_.use_other();
}

void SectorBorder::propose(Meeting meeting) {
    meeting.id = std::max(agreed().id, closed_) + 1;
    upper_.propose(meeting);
}

std::vector<Word> SectorBorder::words() const {
    std::vector<Word> out;
    const auto say = [&](std::int64_t kind, const Meeting& meeting) {
        out.push_back({topic_border, partner_, {kind}});
        append(out.back().values, meeting);
    };
    if (!proposes_) {
        out.push_back({topic_border, partner_, {2, lower_.held(), lower_.agreed().id, closed_}});
        return out;
    }
    if (agreed().agreed()) say(0, agreed());
    if (upper_.proposal()) say(1, *upper_.proposal());
    return out;
}

void SectorBorder::hear(std::span<const std::int64_t> v) {
    if (v.size() == 4 && v[0] == 2 && proposes_) {
        upper_.hear(v[1]);
        partner_agreed_ = std::max(partner_agreed_, v[2]);
        if (v[3] >= agreed().id) close();
    } else if (v.size() == 1 + meeting_values && !proposes_) {
        const Meeting meeting = read_meeting(v.subspan(1));
        if (v[0] == 0)
            lower_.hear_agreed(meeting);
        else
            lower_.hear_proposal(meeting);
    }
}

}  // namespace outrider
