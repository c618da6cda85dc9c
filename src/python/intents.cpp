#include "outrider/intent.hpp"

#include <cmath>

#include "outrider/error.hpp"
#include "python/bindings.hpp"

namespace outrider::python {
namespace {

using Face = std::optional<std::pair<double, double>>;

/// The number, for which nan and infinity are mistakes.
double finite(double value, const char* what) {
    if (!std::isfinite(value)) fail("{}: expected a finite number, got {}", what, value);
    return value;
}

std::optional<Point> point_of(const Face& face) {
    if (!face) return {};
    return Point{finite(face->first, "face: x"), finite(face->second, "face: y")};
}

Face face_of(const std::optional<Point>& point) {
    return point ? Face(std::in_place, point->x, point->y) : std::nullopt;
}

using Pairs = std::vector<std::pair<double, double>>;

std::vector<Point> points_of(const Pairs& points) {
    std::vector<Point> out;
    for (const auto& [x, y] : points) out.push_back({x, y});
    return out;
}
Pairs pairs_of(const std::vector<Point>& points) {
    Pairs out;
    for (const Point& p : points) out.emplace_back(p.x, p.y);
    return out;
}

constexpr std::array<std::string_view, 3> share_names{"all", "summary", "none"};

/// The action alone; nothing when it is none.
std::optional<Action> action_of(const py::handle& object) {
    if (object.is_none()) return Stay{};
    if (py::isinstance<Goto>(object)) return object.cast<Goto>();
    if (py::isinstance<Follow>(object)) return object.cast<Follow>();
    if (py::isinstance<Drive>(object)) return object.cast<Drive>();
    if (py::isinstance<Stay>(object)) return object.cast<Stay>();
    if (py::isinstance<RandomStep>(object)) return RandomStep{};
    return {};
}

Intent make_intent(const py::object& action, bool done, const std::optional<std::string>& role, std::vector<Word> words,
                   const std::string& share, int summary_tiles, std::vector<Overlay> overlays) {
    Intent intent;
    auto wanted = action_of(action);
    if (!wanted)
        fail("Intent: action: expected Goto, Follow, Drive, Stay, RandomStep or None, got {}",
             std::string(py::repr(action)));
    intent.action = std::move(*wanted);
    intent.done = done;
    if (role) intent.role = named<Role>(*role, role_names, "Intent: role");
    intent.words = std::move(words);
    intent.share = named<Share>(share, share_names, "Intent: share");
    intent.summary_tiles = summary_tiles;
    intent.overlays = std::move(overlays);
    return intent;
}

// What is pickled of each: its members, as plain values. They come back only from pickles, so they are not checked.
using FollowState = std::pair<std::vector<std::pair<int, int>>, Face>;
using OverlayState = std::tuple<std::string, Pairs, std::vector<double>, std::string, int, int>;
using IntentState = std::tuple<Action, bool, std::optional<int>, std::vector<Word>, int, int, std::vector<Overlay>>;

Follow follow_of(const FollowState& state) {
    Follow follow{{}, point_of(state.second)};
    for (const auto& [x, y] : state.first) follow.path.push_back({x, y});
    return follow;
}

Overlay overlay_of(const OverlayState& state) {
    const auto& [layer, points, values, text, meaning, kind] = state;
    Overlay out;
    out.layer = layer;
    out.points = points_of(points);
    out.values = values;
    out.text = text;
    out.meaning = static_cast<Overlay::Meaning>(meaning);
    out.kind = static_cast<Overlay::Kind>(kind);
    return out;
}

Intent intent_from(const IntentState& state) {
    const auto& [action, done, role, words, share, tiles, overlays] = state;
    Intent intent{.action = action, .words = words, .share = static_cast<Share>(share), .summary_tiles = tiles};
    intent.done = done;
    intent.overlays = overlays;
    if (role) intent.role = static_cast<Role>(*role);
    return intent;
}

void bind_actions(py::module_& module) {
    py::class_<Goto>(module, "Goto",
                     "Drive to (x, y), in metres of the robot's frame; the robot plans the path. tolerance_m: if the "
                     "goal cannot be reached, the nearest reachable cell this close to it will do. face: (x, y) to "
                     "look at on arrival.")
        .def(py::init([](double x, double y, double tolerance_m, const Face& face) {
                 return Goto{{finite(x, "Goto: x"), finite(y, "Goto: y")},
                             finite(tolerance_m, "Goto: tolerance_m"),
                             point_of(face)};
             }),
             py::arg("x"), py::arg("y"), py::arg("tolerance_m") = 0.0, py::arg("face") = py::none())
        .def_static(
            "frontier",
            [](const py::object& row) {
                const auto get = [&](const char* name) { return row[name].cast<double>(); };
                return Goto{{get("x"), get("y")}, 0, Point{get("look_x"), get("look_y")}};
            },
            py::arg("row"), "To where a frontier can be seen from; `row` is one of belief.frontiers.")
        .def_property_readonly("x", [](const Goto& a) { return a.goal.x; })
        .def_property_readonly("y", [](const Goto& a) { return a.goal.y; })
        .def(py::pickle([](const Goto& a) { return std::tuple(a.goal.x, a.goal.y, a.tolerance_m, face_of(a.face)); },
                        [](const std::tuple<double, double, double, Face>& t) {
                            return Goto{{std::get<0>(t), std::get<1>(t)}, std::get<2>(t), point_of(std::get<3>(t))};
                        }))
        .def("__repr__", [](const Goto& a) { return fmt::format("Goto({:.6g}, {:.6g})", a.goal.x, a.goal.y); });
    py::class_<Follow>(module, "Follow",
                       "Drive along cells (column, row) of the robot's frame, from the nearest one. face: as in Goto.")
        .def(py::init([](const std::vector<std::pair<int, int>>& cells, const Face& face) {
                 return follow_of({cells, face});
             }),
             py::arg("cells"), py::arg("face") = py::none())
        .def(py::pickle(
            [](const Follow& a) {
                FollowState state{{}, face_of(a.face)};
                for (const Cell& c : a.path) state.first.emplace_back(c.x, c.y);
                return state;
            },
            &follow_of))
        .def("__repr__", [](const Follow& a) { return fmt::format("Follow({} cells)", a.path.size()); });
    py::class_<Drive>(module, "Drive", "Velocities for one step: metres per second, radians per second.")
        .def(py::init([](double forward, double turn) {
                 return Drive{finite(forward, "Drive: forward"), finite(turn, "Drive: turn")};
             }),
             py::arg("forward"), py::arg("turn") = 0.0)
        .def(py::pickle([](const Drive& a) { return std::pair(a.forward, a.turn); },
                        [](const std::pair<double, double>& t) {
                            return Drive{t.first, t.second};
                        }))
        .def("__repr__", [](const Drive& a) { return fmt::format("Drive({:.6g}, {:.6g})", a.forward, a.turn); });
    py::class_<Stay>(module, "Stay", "Stay where it is. face: (x, y) to turn to.")
        .def(py::init([](const Face& face) { return Stay{point_of(face)}; }), py::arg("face") = py::none())
        .def(py::pickle([](const Stay& a) { return std::tuple(face_of(a.face)); },
                        [](const std::tuple<Face>& t) { return Stay{point_of(std::get<0>(t))}; }))
        .def("__repr__", [](const Stay&) { return "Stay()"; });
    py::class_<RandomStep>(module, "RandomStep", "A short drive in a random direction, to get unstuck.")
        .def(py::init<>())
        .def(py::pickle([](const RandomStep&) { return std::tuple(true); },
                        [](const std::tuple<bool>&) { return RandomStep{}; }))
        .def("__repr__", [](const RandomStep&) { return "RandomStep()"; });
}

void bind_overlays(py::module_& module) {
    py::class_<Overlay>(module, "Overlay",
                        "What a strategy shows of its reasons, for `why`, the window and the log; never read back.")
        .def_static("rule", &Overlay::rule, py::arg("text"), "Why it does what it does.")
        .def_static("state", &Overlay::state, py::arg("text"), "What it is about to do; stands beside its name.")
        .def_static(
            "candidates",
            [](std::string text, const Pairs& points, std::vector<double> values) {
                return Overlay::candidates(std::move(text), points_of(points), std::move(values));
            },
            py::arg("text"), py::arg("points") = Pairs{}, py::arg("values") = std::vector<double>{},
            "What could become a goal, with a score each.")
        .def_static(
            "line",
            [](std::string layer, const Pairs& points, std::string text) {
                return Overlay::polyline(Overlay::Meaning::path, std::move(layer), points_of(points), std::move(text));
            },
            py::arg("layer"), py::arg("points"), py::arg("text") = "", "A path, or the order of several goals.")
        .def(py::pickle(
            [](const Overlay& o) {
                return OverlayState(o.layer, pairs_of(o.points), o.values, o.text, static_cast<int>(o.meaning),
                                    static_cast<int>(o.kind));
            },
            &overlay_of))
        .def_readonly("layer", &Overlay::layer)
        .def_readonly("text", &Overlay::text);
}

}  // namespace

Intent intent_of(const py::object& returned) {
    if (py::isinstance<Intent>(returned)) return returned.cast<Intent>();
    Intent intent;
    auto action = action_of(returned);
    if (!action)
        fail("expected an Intent, Goto, Follow, Drive, Stay, RandomStep or None, got {}",
             std::string(py::repr(returned)));
    intent.action = std::move(*action);
    return intent;
}

void bind_intents(py::module_& module) {
    bind_actions(module);
    bind_overlays(module);
    py::class_<Word>(module, "Word", "What strategies send each other; unknown topics are ignored.")
        .def(py::init([](std::uint32_t topic, std::vector<std::int64_t> values, RobotId to) {
                 return Word{topic, to, std::move(values)};
             }),
             py::arg("topic"), py::arg("values"), py::arg("to") = to_all)
        .def(py::pickle([](const Word& w) { return std::tuple(w.topic, w.to, w.values); },
                        [](const std::tuple<std::uint32_t, RobotId, std::vector<std::int64_t>>& t) {
                            return std::make_from_tuple<Word>(t);
                        }))
        .def_readonly("topic", &Word::topic)
        .def_readonly("values", &Word::values)
        .def_readonly("to", &Word::to)
        .def("__repr__",
             [](const Word& w) { return fmt::format("Word({}, [{}])", w.topic, fmt::join(w.values, ", ")); });
    py::class_<Intent>(module, "Intent",
                       "What a robot is to do in a step, and what it says.\n\n"
                       "action: Goto, Follow, Drive, Stay, RandomStep or None. done: nothing is left to do; a run ends "
                       "when all robots say so. role: 'explorer', 'relay' or 'base'. words: list of Word. share: how "
                       "its map is sent: 'all', 'summary' or 'none'. overlays: list of Overlay.")
        .def(py::init(&make_intent), py::arg("action") = py::none(), py::kw_only(), py::arg("done") = false,
             py::arg("role") = py::none(), py::arg("words") = std::vector<Word>{}, py::arg("share") = "all",
             py::arg("summary_tiles") = 16, py::arg("overlays") = std::vector<Overlay>{})
        .def(py::pickle(
            [](const Intent& i) {
                return IntentState(i.action, i.done, i.role ? std::optional(static_cast<int>(*i.role)) : std::nullopt,
                                   i.words, static_cast<int>(i.share), i.summary_tiles, i.overlays);
            },
            &intent_from))
        .def_readwrite("done", &Intent::done);
}

}  // namespace outrider::python
