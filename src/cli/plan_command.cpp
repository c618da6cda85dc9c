// outrider plan
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/json.hpp"
#include "base/output.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/plan_queries.hpp"
#include "grid/known_grid.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "pictures/plan_picture.hpp"
#include "plan/any_angle/taut_path.hpp"
#include "plan/path_planner.hpp"
#include "plan/wall_distance.hpp"
#include "world/map_file.hpp"

namespace outrider {
namespace {

/// "3.5,2" in metres.
Point read_point(const std::string& option, const std::string& text) {
    Point p;
    char end = 0;
    if (std::sscanf(text.c_str(), "%lf,%lf%c", &p.x, &p.y, &end) != 2 || !std::isfinite(p.x) || !std::isfinite(p.y) ||
        std::abs(p.x) > 1e6 || std::abs(p.y) > 1e6)
        fail("--{} {}: expected x,y in metres from the lower left corner, such as 3.5,2", option, text);
    return p;
}

struct PlanFlags {
    std::optional<std::string> map, from, to, danger, png, scen;
    Defaulted<std::string> planner{"jps"}, show{"none"};
    std::optional<double> radius_m, cell_m;
    std::optional<int> sample, random, seed, taut;
    bool clear = false, any_angle = false, json = false, force = false;
    void fields(Flags& f) {
        f("map", map, "MAP", "map: .png, .yaml, .map, .txt");
        f("from", from, "x,y", "start in metres from the lower left corner");
        f("to", to, "x,y", "goal likewise");
        f("planner", planner, "NAME", "jps, astar, field or topological");
        f("clear", clear, "the path that keeps clear of walls instead of the shortest");
        f("danger", danger, "KIND", "the path by the path transform: none, near_only or near_and_open")
            .choose(danger_names);
        f("any-angle", any_angle, "cut the corners of the path");
        f("taut", taut, 0, 2, "CELLS",
          "also the shortest path at any angle; cells as close as this to a wall count as walls");
        f.number("radius", radius_m, 0, 3000, "m", "M", "of the robot, in metres");
        f.number("cell", cell_m, 0.001, 100, "m", "M", "side of a cell; it wins over that of a .yaml");
        f("png", png, "FILE", "draw the map with the path");
        f("show", show, "LAYER", "draw also: skeleton, segments, graph or transform").choose(plan_layer_names);
        f("json", json, "the answer as JSON; of a single path with its cells, in metres");
        f("force", force, "overwrite a picture that exists");
        f("scen", scen, "FILE.scen", "the queries of a scenario file of MovingAI; its map lies beside it");
        f("sample", sample, 1, 1'000'000'000, "N", "with --scen, only about so many of its queries");
        f("random", random, 1, 1'000'000'000, "N", "so many random queries on --map");
        f("seed", seed, 0, 1'000'000'000, "S", "of the random queries");
    }
};

template <std::size_t n>
std::size_t index_of(const std::string& text, const std::array<std::string_view, n>& names) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), text) - names.begin());
}

/// Flags that would have no effect beside this one are mistakes.
void expect_without(const PlanFlags& flags, const char* flag, std::initializer_list<const char*> others) {
    for (const char* other : others)
        if (given(flags, other)) fail("--{} does not go with --{}", other, flag);
}

/// One query on a map that is known, or none.
class Query {
  public:
    explicit Query(const PlanFlags& flags)
        : flags_(flags),
          walls_(read_walls(flags, cell_m_)),
          map_(known_grid(walls_)),
          nav_(FrontierKind::unknown, walls_.lattice().cells(radius_m())) {
        picture_.layer = static_cast<PlanLayer>(index_of(flags.show.value, plan_layer_names));
    }

    /// Looks at the map without a query.
    void look() {
        std::size_t first = 0;
        while (first < walls_.cells().size() && walls_.cells()[first]) ++first;
        nav_.update(map_, walls_.cell(std::min(first, walls_.cells().size() - 1)));
    }
    /// Prints what it found; false when there is no path.
    bool ask(const PlanOptions& plan) {
        picture_.from = walls_.lattice().cell_of(read_point("from", *flags_.from));
        picture_.to = walls_.lattice().cell_of(read_point("to", *flags_.to));
        nav_.update(map_, *picture_.from);
        if (!nav_.passable(*picture_.from))
            return no_path("the start is in a wall, outside of the map, or too close to a wall for the radius");
        const double start = cpu_us();
        if (flags_.danger || picture_.layer == PlanLayer::transform) {
            if (!find_safe()) return false;
        } else {
            find_short(plan);
        }
        const double us = cpu_us() - start;
        if (!path_) return no_path(status_text(path_.status));
        if (!flags_.json)
            print_plain("{:.3f} m, {} cells, {:.1f} us\n", path_.length_cells() * cell_m_, path_.cells.size(), us);
        picture_.path = &path_;
        const double cut_m = flags_.any_angle ? cut_corners() : NAN;
        if (flags_.taut) find_taut();
        if (flags_.json) print_json(us, cut_m);
        return true;
    }
    std::string picture() const { return encode_png(draw_plan(walls_, map_, nav_, picture_)); }

  private:
    /// A map may give its own cell size.
    static Grid<std::uint8_t> read_walls(const PlanFlags& flags, double& cell_m) {
        MapOptions options;
        options.cell_m = flags.cell_m.value_or(options.cell_m);
        if (flags.cell_m) options.given.emplace_back("cell_m");
        MapFile map = read_map(options, *flags.map);
        for (const std::string& note : map.notes) print_aside("note: {}\n", note);
        cell_m = options.cell_m;
        return std::move(map.walls);
    }
    double radius_m() const {
        const double radius = flags_.radius_m.value_or(0);
        if (!(radius <= 30 * cell_m_)) fail("--radius {}: expected 0 to {} m, which is 30 cells", radius, 30 * cell_m_);
        return radius;
    }
    bool no_path(std::string_view why) const {
        if (flags_.json)
            print_plain("{}\n", json_text({Json::Object{{"path", {}}, {"why", {std::string(why)}}}}));
        else
            print_plain("no path: {}\n", why);
        return false;
    }
    void print_json(double us, double cut_m) const {
        const auto corners = [&](const std::vector<Cell>& cells) {
            Json::Array points;
            for (const Cell c : cells) {
                const Point p = walls_.lattice().centre(c);
                points.push_back({Json::Array{{p.x}, {p.y}}});
            }
            return Json{points};
        };
        Json::Object out{{"length_m", {path_.length_cells() * cell_m_}}, {"us", {us}}, {"path", corners(path_.cells)}};
        if (flags_.any_angle) {
            out.emplace_back("cut_length_m", Json{cut_m});
            out.emplace_back("cut_path", corners(picture_.waypoints));
        }
        if (flags_.taut) {
            Json::Array points;
            for (const Point& p : picture_.taut) points.push_back({Json::Array{{p.x}, {p.y}}});
            out.emplace_back("taut_length_m", taut_ ? Json{taut_.length_cells * cell_m_} : Json{});
            out.emplace_back("taut_path", Json{points});
        }
        print_plain("{}\n", json_text({out}));
    }
    void find_short(const PlanOptions& plan) {
        const PathPlanner planner(plan);
        path_ = flags_.clear ? planner.clearest(nav_, *picture_.from, *picture_.to)
                             : planner.shortest(nav_, *picture_.from, *picture_.to);
    }
    /// By the path transform.
    bool find_safe() {
        DangerOptions danger;
        if (flags_.danger) danger.danger = static_cast<Danger>(index_of(*flags_.danger, danger_names));
        if (!nav_.passable(*picture_.to)) return no_path(status_text(PathStatus::goal_blocked));
        transform_.emplace(danger, cell_m_);
        WallDistance distance(transform_->horizon());
        distance.update(map_);
        for (const auto& [name, at] : {std::pair("start", *picture_.from), {"goal", *picture_.to}})
            if (transform_->danger_cost(distance.squared(at)) == no_bound)
                return no_path(fmt::format("the {} is nearer than {} m to a wall", name, danger.min_m));
        transform_->update(nav_, distance, std::span(&*picture_.to, 1));
        path_ = transform_->path(*picture_.from);
        picture_.transform = &*transform_;
        return true;
    }
    void find_taut() {
        const double start = cpu_us();
        taut_ = taut_path(nav_, *picture_.from, *picture_.to, *flags_.taut);
        const double us = cpu_us() - start;
        const Point origin = walls_.lattice().centre({0, 0});
        for (const Point& p : taut_.points)
            picture_.taut.push_back({origin.x + p.x * cell_m_, origin.y + p.y * cell_m_});
        if (flags_.json) return;
        if (taut_)
            print_plain("{:.3f} m at any angle, {} straight lines, {:.1f} us\n", taut_.length_cells * cell_m_,
                        taut_.points.size() - 1, us);
        else
            print_plain("no path at any angle so far from walls: {}\n", status_text(taut_.status));
    }
    /// The length with the corners cut, in metres.
    double cut_corners() {
        const Point from{picture_.from->x + 0.5, picture_.from->y + 0.5};
        picture_.waypoints = any_angle(nav_, from, path_.cells);
        picture_.waypoints.insert(picture_.waypoints.begin(), *picture_.from);
        double length = 0;
        for (std::size_t i = 1; i < picture_.waypoints.size(); ++i)
            length += distance(walls_.lattice().centre(picture_.waypoints[i - 1]),
                               walls_.lattice().centre(picture_.waypoints[i]));
        if (!flags_.json)
            print_plain("{:.3f} m with its corners cut, {} straight lines\n", length, picture_.waypoints.size() - 1);
        return length;
    }

    const PlanFlags& flags_;
    double cell_m_ = 0;
    Grid<std::uint8_t> walls_;
    KnownMap map_;
    NavMap nav_;
    PlanPicture picture_;
    Path path_;
    TautPath taut_;
    std::optional<PathTransform> transform_;
};

/// One query, or none, and a picture.
int run_query(const PlanFlags& flags, const PlanOptions& plan) {
    const bool shows = flags.show.value != "none", asks = flags.from || flags.to || !shows;
    if (!flags.map || (asks && !(flags.from && flags.to)))
        fail("expected --map, --from and --to, or --scen; see outrider plan --help");
    if (shows && !flags.png) fail("--show: expected --png, too");
    if (flags.show.value == "transform" && !asks) fail("--show transform: expected --from and --to, too");
    expect_distinct(flags, {"png"}, {*flags.map});
    if (flags.png) OutputFile(*flags.png, flags.force);
    end_when_interrupted(nothing_written);
    Query query(flags);
    if (!asks)
        query.look();
    else if (!query.ask(plan))
        return 1;
    if (!flags.png) return 0;
    const std::string bytes = query.picture();
    ignore_interrupts();
    OutputFile file(*flags.png, flags.force);
    file.write(bytes);
    file.commit();
    if (!flags.json) print_plain("picture {}\n", *flags.png);
    return 0;
}

PlanOptions plan_options(const PlanFlags& flags) {
    PlanOptions options;
    std::vector<Setting> settings{{"planner", flags.planner.value, "--planner"}};
    SettingReader reader(settings);
    options.fields(reader);
    return options;
}

int plan_by(const PlanFlags& flags) {
    const PlanOptions plan = plan_options(flags);
    if (flags.random) {
        if (!flags.map) fail("--random: expected --map, too");
        expect_without(
            flags, "random",
            {"from", "to", "clear", "danger", "any-angle", "taut", "radius", "cell", "png", "show", "scen", "sample"});
        return run_random_queries(*flags.map, plan, static_cast<std::size_t>(*flags.random),
                                  static_cast<std::uint64_t>(flags.seed.value_or(1)), flags.json);
    }
    if (!flags.scen) {
        expect_without(flags, "map", {"sample", "seed"});
        return run_query(flags, plan);
    }
    expect_without(
        flags, "scen",
        {"map", "from", "to", "clear", "danger", "any-angle", "taut", "radius", "cell", "png", "show", "seed"});
    return run_scen_queries(*flags.scen, plan, static_cast<std::size_t>(flags.sample.value_or(0)), flags.json);
}

}  // namespace

Subcommand plan_command() {
    return subcommand<PlanFlags, plan_by>(
        {"plan",
         "Plan a path on a map that is known, draw what planning works out, or answer many queries: are\n"
         "the lengths right, and how long does it take?\n\n"
         "  outrider plan --map environments/office.png --from 3,4 --to 50,20 --png path.png\n"
         "  outrider plan --map environments/office.png --show skeleton --png skeleton.png\n"
         "  outrider plan --scen environments/office.scen --planner astar\n"
         "  outrider plan --map environments/office.png --random 1000 --planner topological\n"},
        "plan a path on a map, or run a path scenario of MovingAI");
}

}  // namespace outrider
