#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "messages/decision.hpp"
#include "messages/overlay_names.hpp"

namespace outrider {

Overlay Overlay::marks(Meaning meaning, std::string layer, std::string text, std::vector<Point> points,
                       std::vector<double> values) {
    return {Kind::points, std::move(layer), std::move(points), std::move(values), std::move(text), meaning};
}

Overlay Overlay::polyline(Meaning meaning, std::string layer, std::vector<Point> points, std::string text) {
    return {Kind::line, std::move(layer), std::move(points), {}, std::move(text), meaning};
}

Overlay Overlay::note(Meaning meaning, std::string layer, std::string text) {
    return {Kind::text, std::move(layer), {}, {}, std::move(text), meaning};
}

Overlay Overlay::candidates(std::string text, std::vector<Point> points, std::vector<double> values) {
    return marks(Meaning::candidate, "candidates", std::move(text), std::move(points), std::move(values));
}

Overlay Overlay::rule(std::string text) { return note(Meaning::rule, "rule", std::move(text)); }

Overlay Overlay::state(std::string text) { return note(Meaning::state, "state", std::move(text)); }

Overlay Overlay::curve(const std::string& name, double value) {
    return note(Meaning::curve, name.starts_with("curve ") ? name : "curve " + name, fmt::format("{:.6g}", value));
}

Overlay::Meaning named_meaning(Overlay::Kind kind, std::string_view layer) {
    using enum Overlay::Meaning;
    if (kind == Overlay::Kind::text)
        return layer.starts_with("curve ")              ? curve
               : layer == "state"                       ? state
               : layer == "rule" || layer == "operator" ? rule
                                                        : other;
    const auto has = [&](std::string_view part) { return layer.find(part) != std::string_view::npos; };
    const auto is_one_of = [&](std::initializer_list<std::string_view> names) {
        return std::find(names.begin(), names.end(), layer) != names.end();
    };
    if (has("rendezvous") || has("meeting")) {
        if (has("candidate")) return has("through") ? meeting_candidate_through_wall : meeting_candidate;
        return has("through") ? meeting_through_wall : meeting;
    }
    if (has("candidate")) return candidate;
    if (has("goal") || is_one_of({"assignment", "awards", "plan"})) return goal;
    if (has("path") || is_one_of({"tour", "descent"})) return path;
    if (is_one_of({"doors", "regions", "sector"})) return region;
    if (is_one_of({"chain", "chance to communicate", "network"})) return network;
    if (layer == "reports to") return reports_to;
    return layer == "tree" ? tree : other;
}

}  // namespace outrider
