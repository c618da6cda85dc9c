#include "robot/tour_plan.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/input.hpp"
#include "base/json.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

constexpr double farthest = 1e8;  // cells
constexpr std::size_t most_stops = 10'000'000;

TourPlan::Stop stop_of(const Json& json, const std::string& where) {
    const Json::Array* parts = json.array();
    if (!parts || parts->size() < 2 || parts->size() > 3)
        fail("{}: expected [column, row] or [column, row, degrees or null]", where);
    const auto cell = [&](const Json& part) {
        const double* n = part.number();
        if (!n || !(std::abs(*n) <= farthest) || *n != std::floor(*n))
            fail("{}: expected a whole number of cells", where);
        return static_cast<int>(*n);
    };
    TourPlan::Stop stop{{cell((*parts)[0]), cell((*parts)[1])}, parts->size() == 3, {}};
    if (!stop.ends_step || std::holds_alternative<std::nullptr_t>((*parts)[2].value)) return stop;
    const double* yaw = (*parts)[2].number();
    if (!yaw || !(std::abs(*yaw) <= 360)) fail("{}: expected a heading of -360 to 360 degrees or null", where);
    stop.yaw = radians(*yaw);
    return stop;
}

template <std::size_t n>
std::array<double, n> steps_of(const Json& json, const std::string& where, const char* expected) {
    const Json::Array* list = json.array();
    if (!list || list->size() != n) fail("{}: expected {}, in steps or null", where, expected);
    std::array<double, n> out;
    for (std::size_t k = 0; k < n; ++k) {
        const double* value = (*list)[k].number();
        if (!value && !std::holds_alternative<std::nullptr_t>((*list)[k].value))
            fail("{}: expected {}, in steps or null", where, expected);
        out[k] = value ? *value : std::nan("");
    }
    return out;
}

template <std::size_t n>
std::string steps_text(const std::array<double, n>& steps) {
    std::string out;
    for (const double v : steps) out += (out.empty() ? "[" : ", ") + (std::isnan(v) ? "null" : fmt::format("{}", v));
    return out + "]";
}

}  // namespace

TourPlan TourPlan::parse(std::string_view text, const std::string& name) {
    Json json;
    try {
        json = parse_json(text);
    } catch (const Error& error) {
        fail("{}: {}", name, error.what());
    }
    const auto member = [&](std::string_view key) -> const Json& {
        const Json* found = json.find(key);
        if (!found) fail("{}: '{}' is missing", name, key);
        return *found;
    };
    const double* version = member("outrider_plan").number();
    if (!version || *version != 1) fail("{}: outrider_plan: expected 1, the version of the format", name);
    TourPlan plan;
    const double* cell_m = member("cell_m").number();
    if (!cell_m || !(*cell_m > 0 && *cell_m <= 1000)) fail("{}: cell_m: expected the side of a cell in metres", name);
    plan.cell_m = *cell_m;
    if (const Json* times = json.find("plan_steps"), *spent = json.find("plan_spent"); times && spent)
        plan.times = {steps_of<2>(*times, name + ": plan_steps", "[T90, T99]"),
                      steps_of<2>(member("bound_steps"), name + ": bound_steps", "[T90, T99]"),
                      steps_of<6>(*spent, name + ": plan_spent", "six causes")};
    const Json::Array* robots = member("robots").array();
    if (!robots) fail("{}: robots: expected an array", name);
    for (const Json& robot : *robots) {
        std::vector<TourPlan::Stop>& stops = plan.robots.emplace_back();
        const Json::Array* list = robot.array();
        if (!list || list->size() > most_stops)
            fail("{}: robots[{}]: expected an array of stops", name, plan.robots.size() - 1);
        for (const Json& stop : *list)
            stops.push_back(
                stop_of(stop, fmt::format("{}: robots[{}][{}]", name, plan.robots.size() - 1, stops.size())));
        if (!stops.empty() && !stops.back().ends_step)
            fail("{}: robots[{}]: the last stop: expected the end of a step", name, plan.robots.size() - 1);
    }
    return plan;
}

TourPlan TourPlan::read(const std::string& path) { return parse(read_text_file(path, "a plan"), path); }

std::string TourPlan::json() const {
    std::string out = fmt::format("{{\"outrider_plan\": 1, \"cell_m\": {}, ", cell_m);
    if (times)
        out += fmt::format("\"plan_steps\": {}, \"bound_steps\": {}, \"plan_spent\": {}, ", steps_text(times->plan),
                           steps_text(times->bound), steps_text(times->spent));
    out += "\"robots\": [";
    for (std::size_t i = 0; i < robots.size(); ++i) {
        out += i == 0 ? "\n[" : ",\n[";
        for (std::size_t k = 0; k < robots[i].size(); ++k) {
            const Stop& stop = robots[i][k];
            out += fmt::format("{}[{}, {}", k == 0 ? "" : ", ", stop.cell.x, stop.cell.y);
            if (stop.ends_step) out += stop.yaw ? fmt::format(", {:.6g}", degrees(*stop.yaw)) : ", null";
            out += "]";
        }
        out += "]";
    }
    return out + "]}\n";
}

}  // namespace outrider
