#include "log/orders_file.hpp"
#include "scenario/exclusions.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "base/json.hpp"
#include "messages/order_words.hpp"
#include "outrider/detail/settings.hpp"

namespace outrider {
namespace {

constexpr double fastest = 1000;            // m/s and rad/s
constexpr int longest_drive = 100'000;      // steps
constexpr std::size_t longest_note = 1000;  // bytes

/// What an order may say besides "step", "robot" and "do".
struct Verb {
    std::string_view name;
    std::vector<std::string> needs, may = {};
};
const std::vector<Verb>& verbs() {
    static const std::vector<Verb> all{{"way_points", {"points"}},
                                       {"add", {"points"}},
                                       {"clear", {}},
                                       {"drive", {}, {"forward", "turn", "steps"}},
                                       {"conservative", {}, {"forward", "turn", "steps"}},
                                       {"behaviour", {"name"}},
                                       {"stop", {}},
                                       {"all_stop", {}},
                                       {"confirm", {"at"}},
                                       {"decline", {"at"}},
                                       {"mark", {"at", "name"}},
                                       {"unmark", {"name"}},
                                       {"note", {"text"}}};
    return all;
}

std::string names_of_verbs() {
    std::string out;
    for (const Verb& v : verbs()) out += fmt::format("{}{}", out.empty() ? "" : ", ", v.name);
    return out;
}

/// One line of the file. Errors begin with the file and the line.
class Line {
  public:
    /// `now`: the step of an order that does not say one; -1: each has to.
    Line(std::string_view text, std::string where, const Scenario& scenario, int now = -1)
        : where_(std::move(where)), scenario_(scenario), now_(now) {
        try {
            json_ = parse_json(text);
        } catch (const Error& error) {
            fail("{}: {}", where_, error.what());
        }
        if (!json_.object()) fail(R"({}: expected {{"step": ..., "robot": ..., "do": ...}})", where_);
        const Json* verb = json_.find("do");
        if (!verb || !verb->text()) fail("{}: expected \"do\": one of {}", where_, names_of_verbs());
        const auto found =
            std::find_if(verbs().begin(), verbs().end(), [&](const Verb& v) { return v.name == *verb->text(); });
        if (found == verbs().end()) {
            std::vector<std::string> names;
            for (const Verb& v : verbs()) names.emplace_back(v.name);
            const std::string near = nearest_name(*verb->text(), names);
            fail("{}: \"do\": \"{}\" is unknown{}; expected one of {}", where_, *verb->text(),
                 near.empty() ? "" : fmt::format(", did you mean \"{}\"?", near), names_of_verbs());
        }
        verb_ = &*found;
        expect_keys();
    }

    int step() const { return now_ >= 0 && !json_.find("step") ? now_ : integer("step", 0, 1'000'000'000); }
    std::string_view verb() const { return verb_->name; }

    /// All orders that this line stands for.
    std::vector<OperatorOrder> orders() const {
        if (decides()) return {{step(), 0, {std::string(verb()), {at()}, 0, 0}}};
        if (verb() == "mark") return {{step(), 0, {"mark " + mark_name(), {at()}, 0, 0}}};
        if (verb() == "unmark") return {{step(), 0, {"unmark " + mark_name(), {}, 0, 0}}};
        if (verb() == "note") return {{step(), 0, {"note " + note(), {}, 0, 0}}};
        OperatorCommand command{behaviour(), points(), number("forward"), number("turn")};
        const int repeats = json_.find("steps") ? integer("steps", 1, longest_drive) : 1;
        std::vector<OperatorOrder> out;
        for (int k = 0; k < repeats; ++k)
            for (const RobotId robot : robots()) out.push_back({step() + k, robot, command});
        return out;
    }

  private:
    template <class... Args>
    [[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) const {
        fail("{}: {}", where_, fmt::format(text, std::forward<Args>(args)...));
    }

    void expect_keys() const {
        std::vector<std::string> known{"step", "do"};
        if (takes_robot()) known.emplace_back("robot");
        for (const std::string& key : verb_->needs) {
            known.push_back(key);
            if (!json_.find(key)) refuse("\"do\": \"{}\" needs \"{}\"", verb(), key);
        }
        known.insert(known.end(), verb_->may.begin(), verb_->may.end());
        for (const auto& [key, value] : *json_.object())
            if (std::find(known.begin(), known.end(), key) == known.end())
                refuse("\"{}\" has no meaning with \"do\": \"{}\"; expected {}", key, verb(), fmt::join(known, ", "));
    }

    bool takes_robot() const {
        return verb() != "all_stop" && verb() != "note" && verb() != "mark" && verb() != "unmark" && !decides();
    }

    bool decides() const { return verb() == "confirm" || verb() == "decline"; }

    Point at() const {
        if (decides() && !has_part(scenario_, "victims"))
            refuse("\"do\": \"{}\": nobody is to be found; expected a scenario with victims.count or [[victim]]",
                   verb());
        return point(*json_.find("at"), "at");
    }

    std::string mark_name() const {
        const std::string* name = json_.find("name")->text();
        if (!name || !is_mark_name(*name))
            refuse("\"name\": expected 1 to 24 letters, digits, spaces, - and _, no space at the ends");
        return *name;
    }

    std::string behaviour() const {
        if (verb() == "all_stop") return "stop";
        if (verb() == "conservative") return "drive_carefully";
        if (verb() != "behaviour") return std::string(verb());
        const std::string* name = json_.find("name")->text();
        if (!name || !is_behaviour(*name)) refuse("\"name\": expected one of {}", fmt::join(behaviour_names, ", "));
        for (const RobotId robot : robots())
            if (const RobotEntry& r = scenario_.robots[static_cast<std::size_t>(robot)];
                *name != behaviour_names[0] && !takes_orders(r))
                refuse(
                    "\"name\": \"{}\": the strategy of {} ({}) is \"autonomous\" only; the strategy behaviours has "
                    "all of them",
                    *name, r.name, r.strategy);
        return *name;
    }

    std::string note() const {
        const std::string* text = json_.find("text")->text();
        if (!text || text->empty() || text->size() > longest_note ||
            std::any_of(text->begin(), text->end(), [](unsigned char c) { return c < ' '; }))
            refuse("\"text\": expected 1 to {} characters in one line", longest_note);
        return *text;
    }

    int integer(const char* key, int least, int most) const {
        const Json* value = json_.find(key);
        const double* v = value ? value->number() : nullptr;
        if (!v || *v != std::floor(*v) || *v < least || *v > most)
            refuse("\"{}\": expected a whole number from {} to {}", key, least, most);
        return static_cast<int>(*v);
    }

    double number(const char* key) const {
        const Json* value = json_.find(key);
        if (!value) return 0;
        const double* v = value->number();
        if (!v || std::abs(*v) > fastest) refuse("\"{}\": expected a number from {} to {}", key, -fastest, fastest);
        return *v;
    }

    std::string place(Point team) const {
        const Point p = team + scenario_.team_origin_m();
        return fmt::format("({:g}, {:g})", p.x, p.y);
    }

    /// In the team's frame.
    Point point(const Json& json, const char* key) const {
        const Json::Array* xy = json.array();
        if (!xy || xy->size() != 2 || !(*xy)[0].number() || !(*xy)[1].number())
            refuse("\"{}\": expected {} in metres", key, key == std::string_view("at") ? "[x, y]" : "[[x, y], ...]");
        const Point p{*(*xy)[0].number(), *(*xy)[1].number()};
        const double cell_m = scenario_.walls.lattice().cell_m;
        const double width = scenario_.walls.width() * cell_m, height = scenario_.walls.height() * cell_m;
        if (!(p.x >= 0 && p.x < width && p.y >= 0 && p.y < height))
            refuse("({:g}, {:g}) lies outside of the map ({:g} x {:g} m)", p.x, p.y, width, height);
        return p - scenario_.team_origin_m();
    }

    std::vector<Point> points() const {
        std::vector<Point> out;
        const Json* list = json_.find("points");
        if (!list) return out;
        if (!list->array() || list->array()->empty()) refuse("\"points\": expected [[x, y], ...] in metres");
        for (const Json& json : *list->array()) {
            const Point p = point(json, "points");
            if (scenario_.walls[scenario_.walls.lattice().cell_of(p + scenario_.team_origin_m())])
                refuse("way-point {} lies in a wall", place(p));
            out.push_back(p);
        }
        return out;
    }

    /// By name or number; mobile ones.
    std::vector<RobotId> robots() const {
        std::vector<RobotId> all;
        std::string names;
        for (std::size_t i = 0; i < scenario_.robots.size(); ++i)
            if (scenario_.robots[i].role != Role::base) {
                all.push_back(static_cast<RobotId>(i));
                if (all.size() <= 8) names += fmt::format("{}{}", names.empty() ? "" : ", ", scenario_.robots[i].name);
            }
        if (!takes_robot()) return all;
        const Json* who = json_.find("robot");
        if (!who) refuse("expected \"robot\": a name or a number");
        for (const RobotId robot : all)
            if ((who->text() && *who->text() == scenario_.robots[static_cast<std::size_t>(robot)].name) ||
                (who->number() && *who->number() == robot))
                return {robot};
        const std::string given = who->text()     ? fmt::format("\"{}\"", *who->text())
                                  : who->number() ? fmt::format("{}", *who->number())
                                                  : "";
        refuse("robot {} is none of the mobile robots: {}{}", given, names, all.size() > 8 ? ", ..." : "");
    }

    std::string where_;
    const Scenario& scenario_;
    int now_;
    Json json_;
    const Verb* verb_ = nullptr;
};

bool says_nothing(std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    return first == std::string_view::npos || line[first] == '#';
}

}  // namespace

bool is_mark_name(const std::string& name) {
    const auto fits = [](unsigned char c) { return std::isalnum(c) || c == ' ' || c == '-' || c == '_'; };
    return !name.empty() && name.size() <= 24 && name.front() != ' ' && name.back() != ' ' &&
           std::all_of(name.begin(), name.end(), fits);
}

bool is_for_a_robot(const OperatorOrder& order) { return is_order(order.command.behaviour); }

void add_orders(std::vector<OperatorOrder>& orders, std::vector<OperatorOrder> newer) {
    std::erase_if(orders, [&](const OperatorOrder& o) {
        return std::any_of(newer.begin(), newer.end(), [&](const OperatorOrder& n) {
            return n.robot == o.robot && o.step > newer.front().step && is_for_a_robot(n);
        });
    });
    orders.insert(orders.end(), newer.begin(), newer.end());
    std::stable_sort(orders.begin(), orders.end(),
                     [](const OperatorOrder& a, const OperatorOrder& b) { return a.step < b.step; });
}

std::vector<OperatorOrder> read_order(std::string_view line, const std::string& where, const Scenario& scenario,
                                      int now) {
    if (says_nothing(line)) return {};
    const Line order(line, where, scenario, now);
    if (order.step() < now) fail("{}: step {} is past: the next one is {}", where, order.step(), now);
    return order.orders();
}

std::string write_order(RobotId robot, const OperatorCommand& command, const Scenario& scenario) {
    const auto place = [&](Point team) {
        const Point p = team + scenario.team_origin_m();
        return fmt::format("[{}, {}]", p.x, p.y);
    };
    const std::string& name = command.behaviour;
    if (const bool confirms = name == "confirm"; (confirms || name == "decline") && command.waypoints.size() == 1)
        return fmt::format(R"({{"do": "{}", "at": {}}})", name, place(command.waypoints.front()));
    if (!is_order(name)) fail("\"{}\" is no order", name);
    const bool careful = name == "drive_carefully";
    std::string rest;
    if (is_behaviour(name)) {
        rest = fmt::format(R"("behaviour", "name": "{}")", name);
    } else {
        rest = json_quoted(careful ? "conservative" : name);
        std::vector<std::string> places;
        for (const Point& p : command.waypoints) places.push_back(place(p));
        if (!places.empty()) rest += fmt::format(R"(, "points": [{}])", fmt::join(places, ", "));
        if (careful || name == "drive")
            rest += fmt::format(R"(, "forward": {}, "turn": {})", command.forward, command.turn);
    }
    const std::string& who = scenario.robots[static_cast<std::size_t>(robot)].name;
    return fmt::format(R"({{"robot": {}, "do": {}}})", json_quoted(who), rest);
}

std::vector<OperatorOrder> read_orders(std::string_view text, const std::string& name, const Scenario& scenario) {
    std::vector<OperatorOrder> out;
    int last = 0;
    for (std::size_t begin = 0, number = 1; begin < text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        begin = end + 1;
        if (says_nothing(line)) continue;
        const std::string where = fmt::format("{}:{}", name, number);
        const Line order(line, where, scenario);
        if (order.step() < last)
            fail("{}: step {} is past: the order of a line before is for step {}", where, order.step(), last);
        last = order.step();
        add_orders(out, order.orders());
    }
    return out;
}

}  // namespace outrider
