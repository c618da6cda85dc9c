#include "external/external_protocol.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json.hpp"
#include "messages/overlay_names.hpp"
#include "outrider/behaviours.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

std::string pair_of(Point p) { return fmt::format("[{},{}]", to_text(p.x), to_text(p.y)); }
std::string pair_of(Cell c) { return fmt::format("[{},{}]", c.x, c.y); }
std::string triple_of(const Pose& p) { return fmt::format("[{},{},{}]", to_text(p.x), to_text(p.y), to_text(p.yaw)); }

/// One more item of a list.
void add(std::string& list, const std::string& item) {
    if (!list.empty()) list += ',';
    list += item;
}

std::string words_text(const std::vector<Word>& words) {
    std::string out;
    for (const Word& w : words)
        add(out, fmt::format(R"({{"topic":{},"to":{},"values":[{}]}})", w.topic, w.to, fmt::join(w.values, ",")));
    return out;
}

std::string team_text(const Belief& belief) {
    std::string out;
    for (const auto& r : belief.team()) {
        if (r->seq == 0 || r->frame != belief.map().frame()) continue;
        add(out,
            fmt::format(
                R"({{"robot":{},"step":{},"pose":{},"role":"{}","goal":{},"done":{},"in_contact":{},"words":[{}]}})",
                r->robot, r->step, triple_of(r->pose), role_names[static_cast<std::size_t>(r->role)],
                r->goal ? pair_of(*r->goal) : "null", r->done, belief.in_contact(r->robot), words_text(r->words)));
    }
    return out;
}

/// 4096 characters, row by row from the lowest, each from left to right.
std::string tile_text(const KnownMap& map, TileCoord t) {
    std::string cells(tile_size * tile_size, '?');
    if (const CellTile* tile = map.tile(t))
        for (int row = 0; row < tile_size; ++row)
            for (int column = 0; column < tile_size; ++column) {
                const Cell c{column, row};
                if (tile->known.test(c))
                    cells[static_cast<std::size_t>(row * tile_size + column)] = tile->occupied.test(c) ? '#' : '.';
            }
    return fmt::format(R"({{"tile":[{},{}],"cells":"{}"}})", t.x, t.y, cells);
}

double number(const Json& json, const char* what) {
    if (!json.number() || std::abs(*json.number()) > 1e6) fail("expected {}", what);
    return *json.number();
}
std::int64_t whole(const Json& json, double low, double high, const char* what) {
    const double n = json.number() ? *json.number() : low - 1;
    if (n < low || n > high || n != std::floor(n)) fail("expected {}", what);
    return static_cast<std::int64_t>(n);
}
const Json::Array& list(const Json& json, std::size_t size, const char* what) {
    if (!json.array() || (size > 0 && json.array()->size() != size)) fail("expected {}", what);
    return *json.array();
}
Point point(const Json& json, const char* what) {
    const Json::Array& a = list(json, 2, what);
    return {number(a[0], what), number(a[1], what)};
}
bool flag(const Json& json, const char* what) {
    if (!json.flag()) fail("expected {}", what);
    return *json.flag();
}
std::string text(const Json& json, const char* what) {
    if (!json.text()) fail("expected {}", what);
    return *json.text();
}

std::string version_text(const Json& json) {
    static constexpr const char* what = "\"version\": 1 to 100 printable ASCII characters";
    std::string out = text(json, what);
    if (out.empty() || out.size() > 100 ||
        std::any_of(out.begin(), out.end(), [](char c) { return c < ' ' || c > '~'; }))
        fail("expected {}", what);
    return out;
}

std::vector<Cell> path(const Json& json) {
    static constexpr const char* what = "\"follow\": [[column, row], ...]";
    std::vector<Cell> cells;
    for (const Json& c : list(json, 0, what)) {
        const Json::Array& a = list(c, 2, what);
        cells.push_back({static_cast<std::int32_t>(whole(a[0], -1e8, 1e8, what)),
                         static_cast<std::int32_t>(whole(a[1], -1e8, 1e8, what))});
    }
    return cells;
}

std::vector<Word> words(const Json& json) {
    static constexpr const char* what =
        "\"words\": [{\"topic\": number, \"to\": robot or -1, \"values\": [whole numbers]}, ...]";
    std::vector<Word> out;
    for (const Json& w : list(json, 0, what)) {
        const Json *topic = w.find("topic"), *to = w.find("to"), *values = w.find("values");
        if (!topic || !values) fail("expected {}", what);
        Word word{static_cast<std::uint32_t>(whole(*topic, 0, 4294967295.0, what)),
                  to ? static_cast<RobotId>(whole(*to, -1, 1e6, what)) : to_all,
                  {}};
        for (const Json& v : list(*values, 0, what)) word.values.push_back(whole(v, -9e15, 9e15, what));
        out.push_back(std::move(word));
    }
    return out;
}

Overlay::Meaning meaning(const std::string& name) {
    const auto at = std::find(overlay_meaning_names.begin(), overlay_meaning_names.end(), name);
    if (at == overlay_meaning_names.end())
        fail("\"meaning\": \"{}\": expected one of {}", name, fmt::join(overlay_meaning_names, ", "));
    return static_cast<Overlay::Meaning>(at - overlay_meaning_names.begin());
}

std::vector<Overlay> overlays(const Json& json) {
    static constexpr const char* what =
        "\"overlays\": [{\"kind\": \"points\", \"line\" or \"text\", \"layer\": name, \"meaning\": one of those in "
        "docs/strategies.md, \"points\": [[x, y], ...], \"values\": [...], \"text\": ...}, ...]";
    std::vector<Overlay> out;
    for (const Json& o : list(json, 0, what)) {
        Overlay overlay;
        bool says_meaning = false;
        if (!o.object()) fail("expected {}", what);
        for (const auto& [key, value] : *o.object()) {
            if (key == "kind") {
                const std::string kind = text(value, what);
                if (kind != "points" && kind != "line" && kind != "text") fail("expected {}", what);
                overlay.kind = kind == "points" ? Overlay::Kind::points
                               : kind == "line" ? Overlay::Kind::line
                                                : Overlay::Kind::text;
            } else if (key == "layer") {
                overlay.layer = text(value, what);
            } else if (key == "meaning") {
                overlay.meaning = meaning(text(value, what));
                says_meaning = true;
            } else if (key == "text") {
                overlay.text = text(value, what);
            } else if (key == "points") {
                for (const Json& p : list(value, 0, what)) overlay.points.push_back(point(p, what));
            } else if (key == "values") {
                for (const Json& v : list(value, 0, what)) overlay.values.push_back(number(v, what));
            } else {
                fail("expected {}", what);
            }
        }
        if (!overlay.values.empty() && overlay.values.size() != overlay.points.size())
            fail("expected a value for each point");
        if (!says_meaning) overlay.meaning = named_meaning(overlay.kind, overlay.layer);
        out.push_back(std::move(overlay));
    }
    return out;
}

}  // namespace

std::string briefing_line(const Belief& belief) {
    const Briefing& b = belief.briefing();
    std::string team, sensors, bases, region;
    for (const TeamMember& m : b.team())
        add(team, fmt::format(R"({{"robot":{},"name":{},"role":"{}","mobile":{},"speed_mps":{},"radio_range_m":{}}})",
                              m.id, json_quoted(m.name), role_names[static_cast<std::size_t>(m.role)], m.mobile,
                              to_text(m.speed_mps), to_text(m.radio_range_m)));
    for (const SensorSpec& s : b.sensors)
        add(sensors, fmt::format(R"({{"beams":{},"first_angle":{},"step_angle":{},"range_m":{}}})", s.beams,
                                 to_text(s.first_angle), to_text(s.step_angle), to_text(s.max_range_m)));
    for (const auto& [robot, pose] : b.bases)
        add(bases, fmt::format(R"({{"robot":{},"pose":{}}})", robot, triple_of(pose)));
    for (const Point& p : b.region) add(region, pair_of(p));
    return fmt::format(
        R"({{"type":"briefing","version":1,"self":{},"team":[{}],"cell_m":{},"step_s":{},"mission_steps":{},"radius_m":{},)"
        R"("start":{},"bases":[{}],"sensors":[{}],"region":[{}],"tile_cells":{}}})",
        b.self, team, to_text(b.lattice.cell_m), to_text(b.step_s), b.mission_steps, to_text(b.radius_m),
        triple_of(b.start), bases, sensors, region, tile_size);
}

std::string belief_line(const Belief& belief, const std::vector<Frontier>& frontiers, const MapChanges& changes,
                        bool map_anew, std::uint32_t random) {
    const Percept& percept = belief.percept();
    std::string links, goals, tiles;
    for (const LinkReport& l : percept.links)
        add(links, fmt::format(R"({{"robot":{},"signal_dbm":{}}})", l.robot, to_text(l.signal_dbm)));
    for (const Frontier& f : frontiers)
        add(goals, fmt::format(R"({{"goal":{},"look":{},"size":{},"leftover":{}}})", pair_of(f.goal), pair_of(f.look),
                               f.size, f.leftover));
    for (const TileCoord t : changes.tiles()) add(tiles, tile_text(belief.map(), t));
    return fmt::format(
        R"({{"type":"belief","step":{},"pose":{},"cell":{},"speed_cells":{},"battery":{},"bumped":{},"goal_unreachable":{},)"
        R"("base_in_contact":{},"delivered":{},"random":{},"links":[{}],"team":[{}],"frontiers":[{}],"map_anew":{},"tiles":[{}]}})",
        belief.step(), triple_of(belief.pose()), pair_of(belief.cell()), to_text(belief.speed_cells()),
        to_text(percept.battery), percept.bumped, belief.goal_unreachable(), belief.base_in_contact(),
        belief.delivered(), random, links, team_text(belief), goals, map_anew, tiles);
}

Intent parse_intent(std::string_view line, const Belief& belief, const std::vector<Frontier>& frontiers,
                    std::string& version) {
    static constexpr const char* motives =
        "one of \"frontier\", \"goto\", \"follow\", \"drive\", \"stay\", \"random\" and \"home\"";
    const Json json = parse_json(line);
    if (!json.object()) fail("expected an object, {{...}}");
    Intent intent;
    std::optional<Point> face;
    double tolerance_m = 0;
    int chosen = 0;
    bool home_done = false;  // `done` as go_home() gives it, unless the line gives it
    std::optional<bool> done;
    for (const auto& [key, value] : *json.object()) {
        const bool action = key == "frontier" || key == "goto" || key == "follow" || key == "drive" || key == "stay" ||
                            key == "random" || key == "home";
        chosen += action;
        if (key == "frontier") {
            const auto i = whole(value, 0, static_cast<double>(frontiers.size()) - 1,
                                 "\"frontier\": its place in the list, from 0");
            intent.action = go_to_frontier(belief, frontiers[static_cast<std::size_t>(i)]);
        } else if (key == "goto") {
            intent.action = Goto{point(value, "\"goto\": [x, y] in metres"), 0, {}};
        } else if (key == "follow") {
            intent.action = Follow{path(value), {}};
        } else if (key == "drive") {
            const Point p = point(value, "\"drive\": [metres per second, radians per second]");
            intent.action = Drive{p.x, p.y};
        } else if (key == "random") {
            intent.action = RandomStep{};
        } else if (key == "home") {
            const Intent home = go_home(belief);
            intent.action = home.action;
            home_done = home.done;
        } else if (key == "face") {
            face = point(value, "\"face\": [x, y] in metres");
        } else if (key == "tolerance_m") {
            tolerance_m = std::max(0.0, number(value, "\"tolerance_m\": metres"));
        } else if (key == "words") {
            intent.words = words(value);
        } else if (key == "overlays") {
            intent.overlays = overlays(value);
        } else if (key == "version") {
            version = version_text(value);
        } else if (key == "done") {
            done = flag(value, "\"done\": true or false");
        } else if (key != "stay") {
            fail(
                "expected no \"{}\"; {}, and \"face\", \"tolerance_m\", \"done\", \"words\", \"overlays\", \"version\"",
                key, motives);
        }
    }
    if (chosen != 1) fail("expected {}", motives);
    intent.done = done.value_or(home_done);
    if (auto* go = std::get_if<Goto>(&intent.action)) {
        if (face) go->face = face;
        go->tolerance_m = std::max(go->tolerance_m, tolerance_m);
    } else if (auto* follow = std::get_if<Follow>(&intent.action)) {
        follow->face = face;
    } else if (auto* stay = std::get_if<Stay>(&intent.action)) {
        stay->face = face;
    }
    return intent;
}

}  // namespace outrider
