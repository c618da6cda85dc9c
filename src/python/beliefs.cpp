#include <cmath>
#include <limits>

#include "outrider/error.hpp"
#include "python/bindings.hpp"

namespace outrider::python {
namespace {

/// A row of belief.frontiers.
struct FrontierRow {
    double x, y, look_x, look_y, centroid_x, centroid_y;
    std::int32_t size;
    double area, way;
    bool leftover;
};

py::tuple pair(Point p) { return py::make_tuple(p.x, p.y); }
py::tuple triple(const Pose& p) { return py::make_tuple(p.x, p.y, p.yaw); }

RobotId robot_of(const Belief& belief, const py::object& robot) {
    const std::vector<TeamMember>& team = belief.briefing().team();
    if (py::isinstance<py::str>(robot)) {
        const auto name = robot.cast<std::string>();
        for (const TeamMember& member : team)
            if (member.name == name) return member.id;
        fail("no robot '{}' in the team", name);
    }
    const auto id = robot.cast<RobotId>();
    if (id < 0 || id >= std::ssize(team)) fail("robot {}: expected 0 to {}", id, team.size() - 1);
    return id;
}

/// What is known of the cells of a rectangle, or what its plan of the building says: 0 unknown, 1 free, 2 occupied.
py::array_t<std::uint8_t> cells_of(const BeliefView& view, int column, int row, int width, int height, bool prior) {
    constexpr int most = 1 << 15;
    if (width < 1 || height < 1 || width > most || height > most)
        fail("cells: expected a width and a height of 1 to {}, got {} and {}", most, width, height);
    const MapView map = view.get().map();
    py::array_t<std::uint8_t> out({height, width});
    auto cells = out.mutable_unchecked<2>();
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const Cell c{column + x, row + y};
            const CellState state = prior ? map.prior(c) : map.state(c);
            const bool free = state == CellState::free || state == CellState::safe_free;
            cells(y, x) = free ? 1 : state == CellState::unknown ? 0 : 2;
        }
    return out;
}

/// (column, row, width, height) of what is known, in whole blocks of 64; zeros when nothing is.
py::tuple extent_of(const BeliefView& view) {
    Cell low{}, high{-1, -1};
    bool any = false;
    view.get().map().for_each_block([&](Cell block) {
        const Cell last{block.x + 63, block.y + 63};
        low = any ? Cell{std::min(low.x, block.x), std::min(low.y, block.y)} : block;
        high = any ? Cell{std::max(high.x, last.x), std::max(high.y, last.y)} : last;
        any = true;
    });
    return py::make_tuple(low.x, low.y, high.x - low.x + 1, high.y - low.y + 1);
}

/// Lengths in metres of the shortest paths to all of these cells; infinity: there is none.
std::vector<double> path_lengths(const Belief& belief, const std::vector<Cell>& goals) {
    std::vector<double> lengths(goals.size(), std::numeric_limits<double>::infinity());
    PathSearch search = belief.search(belief.cell(), goals);
    for (int next = search.find_next(); next >= 0; next = search.find_next()) {
        const auto i = static_cast<std::size_t>(next);
        lengths[i] = belief.map().lattice().metres(search.cost(i) / static_cast<double>(straight_cost));
    }
    return lengths;
}

py::array path_lengths_to(const BeliefView& view, const py::array_t<double>& goals) {
    if (goals.ndim() != 2 || goals.shape(1) != 2) fail("ways: expected goals of shape (n, 2), in metres");
    const Belief& belief = view.get();
    const Lattice& lattice = belief.map().lattice();
    const auto at = goals.unchecked<2>();
    std::vector<Cell> cells;
    for (py::ssize_t i = 0; i < at.shape(0); ++i) cells.push_back(lattice.cell_of({at(i, 0), at(i, 1)}));
    const std::vector<double> lengths = path_lengths(belief, cells);
    return py::array_t<double>(static_cast<py::ssize_t>(lengths.size()), lengths.data());
}

py::object path_to(const BeliefView& view, double x, double y) {
    const Belief& belief = view.get();
    const Lattice& lattice = belief.map().lattice();
    const Path& path = belief.path_to(lattice.cell_of({x, y}));
    if (!path) return py::none();
    py::array_t<double> out({static_cast<py::ssize_t>(path.cells.size()), py::ssize_t{2}});
    auto points = out.mutable_unchecked<2>();
    for (std::size_t i = 0; i < path.cells.size(); ++i) {
        const Point p = lattice.centre(path.cells[i]);
        points(static_cast<py::ssize_t>(i), 0) = p.x;
        points(static_cast<py::ssize_t>(i), 1) = p.y;
    }
    return out;
}

/// The newest report of a robot; None: there is none.
py::object last_report(const Belief& belief, RobotId id) {
    const TeamRecord& record = belief.latest(id);
    if (record.seq == 0) return py::none();
    py::dict out;
    out["step"] = record.step;
    out["pose"] = triple(record.pose);
    out["goal"] = record.goal ? py::object(pair(*record.goal)) : py::none();
    out["role"] = std::string(role_names[static_cast<std::size_t>(record.role)]);
    out["done"] = record.done;
    out["words"] = record.words;
    out["in_contact"] = belief.in_contact(id);
    for (const char* key : {"received_far", "heard_far"}) out[key] = belief.received_far(id);  // the name of before
    return out;
}

py::dict team_of(const BeliefView& view) {
    py::dict out;
    for (const TeamMember& member : view.get().briefing().team())
        if (member.id != view.get().self()) out[py::str(member.name)] = last_report(view.get(), member.id);
    return out;
}

}  // namespace

const Belief& BeliefView::get() const {
    if (!*valid_) fail("this belief is of a step that is over; ask for it again in each step");
    return *belief_;
}

py::array BeliefView::frontiers() const {
    const Belief& belief = get();
    if (frontiers_) return frontiers_;
    const Lattice& lattice = belief.map().lattice();
    const std::vector<Frontier>& found = belief.frontiers();
    std::vector<Cell> goals;
    for (const Frontier& f : found) goals.push_back(f.goal);
    const std::vector<double> lengths = path_lengths(belief, goals);
    py::array_t<FrontierRow> out(static_cast<py::ssize_t>(found.size()));
    auto* rows = static_cast<FrontierRow*>(out.request().ptr);
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Frontier& f = found[i];
        const Point goal = lattice.centre(f.goal), look = lattice.centre(f.look),
                    centroid = lattice.to_metres(f.centroid);
        rows[i] = {goal.x, goal.y, look.x, look.y, centroid.x, centroid.y, f.size, f.area, lengths[i], f.leftover};
    }
    frontiers_ = out;
    return frontiers_;
}

Rng& RandomView::get() const {
    if (!*valid) fail("these random numbers are of a step that is over");
    return *rng;
}

void bind_beliefs(py::module_& module) {
    PYBIND11_NUMPY_DTYPE(FrontierRow, x, y, look_x, look_y, centroid_x, centroid_y, size, area, way, leftover);
    const auto of = [](auto get) { return [get](const BeliefView& view) { return get(view.get()); }; };
    py::class_<BeliefView>(module, "Belief",
                           "What a robot knows, read-only, until the step is over. Positions are metres of its own "
                           "frame (x right, y up), angles radians; yaw 0 looks along x.")
        .def_property_readonly("name", of([](const Belief& b) { return b.briefing().me().name; }), "Its own name.")
        .def_property_readonly("index", of([](const Belief& b) { return b.self(); }), "Its number in the team.")
        .def_property_readonly("step", of([](const Belief& b) { return b.step(); }))
        .def_property_readonly("pose", of([](const Belief& b) { return triple(b.pose()); }), "(x, y, yaw)")
        .def_property_readonly("home", of([](const Belief& b) { return pair(b.home()); }),
                               "(x, y) of the nearest base or, if none is known, of its own start.")
        .def_property_readonly("goal", of([](const Belief& b) {
                                   const std::optional<Point>& goal = b.latest(b.briefing().self).goal;
                                   return goal ? py::object(pair(*goal)) : py::object(py::none());
                               }),
                               "(x, y) of where it has been driving since its last decision; None: to no point.")
        .def_property_readonly("cell_m", of([](const Belief& b) { return b.map().lattice().cell_m; }),
                               "Size of a cell in metres.")
        .def_property_readonly("cell", of([](const Belief& b) { return py::make_tuple(b.cell().x, b.cell().y); }),
                               "(column, row) of the cell that it is in.")
        .def_property_readonly("speed_m", of([](const Belief& b) { return b.map().lattice().metres(b.speed_cells()); }),
                               "Metres that it can drive in a step.")
        .def_property_readonly("mission_steps", of([](const Belief& b) { return b.briefing().mission_steps; }),
                               "The run ends after so many steps at the latest.")
        .def_property_readonly("drives", of([](const Belief& b) { return b.briefing().drives(); }),
                               "Whether it is a robot that can explore: no base station, not fixed to its place.")
        .def_property_readonly("goal_unreachable", of([](const Belief& b) { return b.goal_unreachable(); }),
                               "Why the last intent could not be followed: no path to its goal.")
        .def_property_readonly("overlays_wanted", of([](const Belief& b) { return b.overlays_wanted(); }),
                               "Whether anybody looks at overlays. A decision must not depend on it.")
        .def_property_readonly(
            "frontiers", &BeliefView::frontiers,
            "Struct array of the clusters of frontier cells: x, y (where to stand), look_x, look_y (an "
            "unknown cell in sight from there), centroid_x, centroid_y, size (cells), area (cells), "
            "way (metres along the shortest path; inf: none), leftover.")
        .def_property_readonly("extent", &extent_of,
                               "(column, row, width, height) of the cells of which something is known, rounded up to "
                               "blocks of 64; for cells().")
        .def("cells", &cells_of, py::arg("column"), py::arg("row"), py::arg("width"), py::arg("height"), py::kw_only(),
             py::arg("prior") = false,
             "uint8 array (height, width) of a rectangle of its map: 0 unknown, 1 free, 2 occupied. Row 0 is the "
             "lowest. prior: instead of the plan of the building that it was given, which may be wrong.")
        .def("path_to", &path_to, py::arg("x"), py::arg("y"),
             "Shortest path over known cells: float64 array (n, 2) in metres, from its own cell; None: there is none.")
        .def("ways", &path_lengths_to, py::arg("goals"),
             "Lengths in metres of the shortest paths to goals, a float64 array (n, 2); inf: there is none.")
        .def_property_readonly("team", &team_of,
                               "By name, the newest record of each other member: a dict with step, pose, goal, "
                               "role, done, words, in_contact, received_far (over the second channel, in this step); "
                               "None: nothing yet.")
        .def(
            "in_contact",
            [](const BeliefView& view, const py::object& robot) {
                return view.get().in_contact(robot_of(view.get(), robot));
            },
            py::arg("robot"), "Whether a message of that robot (name or number) arrived in this step.")
        .def_property_readonly("base_in_contact", of([](const Belief& b) { return b.base_in_contact(); }))
        .def("__repr__", [](const BeliefView& view) {
            return fmt::format("<belief of {} in step {}>", view.get().briefing().me().name, view.get().step());
        });
    py::class_<RandomView>(module, "Random",
                           "Random numbers of a robot in a step: the same in each run with this seed.")
        .def(
            "uniform", [](const RandomView& r, double low, double high) { return r.get().uniform(low, high); },
            py::arg("low") = 0.0, py::arg("high") = 1.0)
        .def(
            "below",
            [](const RandomView& r, std::uint32_t n) {
                if (n == 0) fail("below: expected a number above 0");
                return r.get().below(n);
            },
            py::arg("n"), "A whole number from 0 to n - 1.")
        .def("normal", [](const RandomView& r) { return r.get().normal(); });
}

}  // namespace outrider::python
