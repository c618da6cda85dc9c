#include "scene/victim_events.hpp"

#include <algorithm>

#include "base/json.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"

namespace outrider {

std::string victim_json(int number, const FoundVictim& v) {
    return fmt::format(R"({{"victim": {}, "x": {}, "y": {}, "id": {}, "status": {}}})", number, to_text(v.at.x),
                       to_text(v.at.y), v.id, v.status);
}

void VictimList::add(int step, std::string_view kind, const std::string& text) {
    const bool reported = kind == victim_reported, confirmed = kind == victim_confirmed;
    if (!reported && !confirmed && kind != victim_declined) return;
    const Json json = parse_json(text);
    const auto number = [&](const char* key) {
        const Json* value = json.find(key);
        if (!value || !value->number()) fail("the log holds a victim without \"{}\": {}", key, text);
        return *value->number();
    };
    constexpr double most = 1e5;
    const double k = number("victim");
    if (!(k >= 0 && k < most)) fail("the log holds a victim with a number that cannot be: {}", text);
    const auto i = static_cast<std::size_t>(k);
    list_.resize(std::max(list_.size(), i + 1));
    ListedVictim& victim = list_[i];
    if (reported) victim.found.first_step = step;
    victim.found.at = {number("x"), number("y")};
    victim.found.id = static_cast<int>(std::clamp(number("id"), -1.0, most));
    victim.found.status = static_cast<int>(std::clamp(number("status"), -1.0, most));
    if (reported) return;
    victim.found.state = confirmed ? VictimState::confirmed : VictimState::declined;
    victim.decided_step = step;
}

std::vector<ListedVictim> listed_victims(std::span<const RunEvent> events, int step) {
    VictimList list;
    for (const RunEvent& e : events) {
        if (e.step > step) continue;
        try {
            list.add(e.step, e.kind, e.json);
        } catch (const Error&) {
        }
    }
    return list.list();
}

}  // namespace outrider
