#include "role_based/role_news.hpp"

#include "shared/topics.hpp"

namespace outrider {

Word word_of(const RoleNews& n) {
    Word word{topic_role,
              to_all,
              {n.claim.place, n.claim.epoch, static_cast<int>(n.state), n.goal.x, n.goal.y, n.left, n.held}};
    append(word.values, n.above);
    append(word.values, n.below);
    return word;
}

std::vector<RoleNews> role_news(const TeamRecord& record) {
    std::vector<RoleNews> out;
    for (const Word& word : record.words) {
        const auto& v = word.values;
        if (word.topic != topic_role || v.size() != 7 + 2 * meeting_values) continue;
        if (v[2] < 0 || v[2] >= static_cast<std::int64_t>(role_state_names.size())) continue;
        const std::span rest(v);
        out.push_back({{received_number(v[0]), received_number(v[1])},
                       static_cast<RoleState>(v[2]),
                       received_cell(v, 3),
                       v[5],
                       v[6],
                       read_meeting(rest.subspan(7)),
                       read_meeting(rest.subspan(7 + meeting_values))});
    }
    return out;
}

Word proposal_word(const Meeting& meeting) {
    Word word{topic_meet, to_all, {}};
    append(word.values, meeting);
    return word;
}

std::optional<Meeting> proposal_in(const TeamRecord& record) {
    for (const Word& word : record.words)
        if (word.topic == topic_meet && word.values.size() == meeting_values) return read_meeting(word.values);
    return {};
}

}  // namespace outrider
