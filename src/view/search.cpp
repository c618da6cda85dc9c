#include "view/search.hpp"

#include <algorithm>
#include <sstream>

#include "base/output.hpp"
#include "view/inspect.hpp"

namespace outrider::view {
namespace {

std::string lower_case(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

std::string name_of(const ViewModel& model, const Finding& e) { return e.robot ? model.info().name(*e.robot) : ""; }

}  // namespace

std::size_t count_of(const ViewModel& model, Among among) {
    return among == Among::events ? model.events().size() : model.remarks().size();
}

Finding entry_of(const ViewModel& model, Among among, std::size_t number) {
    if (among == Among::remarks) {
        const Remark& r = model.remarks()[number];
        return {r.step, r.robot, r.label, r.text};
    }
    const RunEvent& e = model.events()[number];
    return {e.step, e.robot ? std::optional(e.robot_id()) : std::nullopt, std::string(e.kind), event_text(model, e)};
}

std::vector<std::size_t> find_entries(const ViewModel& model, Among among, const std::string& words,
                                      std::optional<RobotId> robot) {
    std::vector<std::string> wanted;
    std::istringstream text(lower_case(words));
    for (std::string word; text >> word;) wanted.push_back(word);
    std::vector<std::size_t> out;
    for (std::size_t k = 0; k < count_of(model, among); ++k) {
        const Finding e = entry_of(model, among, k);
        if (robot && e.robot != robot) continue;
        const std::string all = lower_case(name_of(model, e) + " " + e.kind + " " + e.text);
        if (std::all_of(wanted.begin(), wanted.end(),
                        [&](const std::string& word) { return all.find(word) != std::string::npos; }))
            out.push_back(k);
    }
    return out;
}

std::string entries_csv(const ViewModel& model, Among among, const std::vector<std::size_t>& entries) {
    std::string out = "step,kind,robot,words\n";
    for (const std::size_t k : entries) {
        const Finding e = entry_of(model, among, k);
        out += fmt::format("{},{},{},{}\n", e.step, csv_field(e.kind), csv_field(name_of(model, e)), csv_field(e.text));
    }
    return out;
}

}  // namespace outrider::view
