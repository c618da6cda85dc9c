// outrider graph
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/ranges.h>

#include "arguments/arguments.hpp"
#include "base/canvas.hpp"
#include "base/json.hpp"
#include "base/output.hpp"
#include "cli/commands.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "slam/pose_graph/g2o.hpp"
#include "slam/pose_graph/graph_cost.hpp"

namespace outrider {
namespace {

// Chi2 that one edge in a thousand exceeds by chance: of three numbers, and of the two of a sighting.
constexpr double doubtful = 16.27, doubtful_sighting = 13.82;

bool disagrees(const PoseGraph& graph, const PoseGraphEdge& e) { return squared_error(graph, e) > doubtful; }
bool disagrees(const PoseGraph& graph, const PosePrior& p) { return squared_error(graph, p) > doubtful; }
bool disagrees(const PoseGraph& graph, const LandmarkSighting& s) {
    return squared_error(graph, s) > doubtful_sighting;
}

struct GraphFlags {
    std::optional<std::string> input, output, png;
    Defaulted<std::string> start{"best"};
    std::optional<double> cauchy;
    Defaulted<int> iterations{100};
    bool json = false, force = false;
    void fields(Flags& f) {
        f.positional("input", input);
        f("o,output", output, "OUT.g2o", "write the graph with the poses found");
        f("png", png, "FILE", "draw the graph: what still disagrees in orange");
        f("start", start, "HOW", "file: the poses of the file; rotations: from the measured angles alone; best: both")
            .choose(graph_start_names);
        f.number("cauchy", cauchy, 1e-3, 1e6, "sigma", "C",
                 "edges with errors above C sigma count little, so that wrong loops do little harm");
        f("iterations", iterations, 0, 10000, "N", "at most so many");
        f("json", json, "what was found as JSON, instead of the text");
        f("force", force, "overwrite files that exist");
    }
};

/// Edges between places that follow each other are the way; others are loops.
bool closes_loop(const PoseGraphEdge& edge) { return std::abs(edge.from - edge.to) != 1; }

Raster draw_graph(const PoseGraph& graph, const std::string& title) {
    Point low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};
    std::vector<Point> all = graph.landmarks;
    for (const Pose& p : graph.nodes) all.push_back(p.position());
    for (const Point& p : all) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    constexpr int side = 1000, margin = 30, head = 40;
    const double extent = std::max({high.x - low.x, high.y - low.y, 1e-9}), scale = (side - 2 * margin) / extent;
    const auto pixels = [&](double metres) { return static_cast<int>(std::ceil(metres * scale)) + 2 * margin; };
    Canvas canvas(std::max(pixels(high.x - low.x), 400), pixels(high.y - low.y) + head, {255, 255, 255});
    const auto pixel = [&](Point p) {
        return Point{margin + (p.x - low.x) * scale, head + margin + (high.y - p.y) * scale};
    };
    const auto at = [&](int node) { return pixel(graph.nodes[static_cast<std::size_t>(node)].position()); };
    const auto draw = [&](auto&& wanted, double width, Colour colour, double opacity) {
        for (const PoseGraphEdge& e : graph.edges)
            if (wanted(e)) canvas.line(std::array{at(e.from), at(e.to)}, width, colour, opacity);
    };
    const auto draw_sightings = [&](bool that_disagree, double width, Colour colour, double opacity) {
        for (const LandmarkSighting& s : graph.sightings)
            if (disagrees(graph, s) == that_disagree)
                canvas.line(std::array{at(s.from), pixel(graph.landmarks[static_cast<std::size_t>(s.landmark)])}, width,
                            colour, opacity);
    };
    draw_sightings(false, 1, palette[7], 0.3);
    draw([&](const PoseGraphEdge& e) { return closes_loop(e) && !disagrees(graph, e); }, 1, palette[2], 0.5);
    draw([&](const PoseGraphEdge& e) { return !closes_loop(e); }, 1.5, palette[0], 1);
    draw([&](const PoseGraphEdge& e) { return disagrees(graph, e); }, 2, palette[1], 1);
    draw_sightings(true, 2, palette[1], 1);
    for (const Point& p : graph.landmarks) canvas.disc(pixel(p), 3, palette[3]);
    canvas.text(margin, 14, title, 2, {60, 60, 60});
    return canvas.raster();
}

/// How a graph was optimised.
struct Found {
    std::string file;
    std::size_t nodes = 0, edges = 0, loops = 0, landmarks = 0, sightings = 0, priors = 0;
    std::size_t off = 0;         ///< edges, sightings and priors that still disagree
    bool without_poses = false;  ///< the file
    GraphResult result;
};

std::string json_of(const Found& f) {
    const auto number = [](auto value) { return Json{static_cast<double>(value)}; };
    const GraphResult& r = f.result;
    return json_text({Json::Object{{"file", {f.file}},
                                   {"nodes", number(f.nodes)},
                                   {"edges", number(f.edges)},
                                   {"loops", number(f.loops)},
                                   {"landmarks", number(f.landmarks)},
                                   {"sightings", number(f.sightings)},
                                   {"priors", number(f.priors)},
                                   {"pieces", number(r.pieces)},
                                   {"chi2_given", number(r.given)},
                                   {"chi2_begun", r.from_rotations ? number(r.begun) : Json{}},
                                   {"chi2", number(r.ended)},
                                   {"iterations", number(r.iterations)},
                                   {"converged", {r.converged}},
                                   {"edges_that_disagree", number(f.off)},
                                   {"cpu_s", number(r.all_s)}}}) +
           "\n";
}

void print(const Found& f) {
    const GraphResult& r = f.result;
    std::string more;
    if (f.landmarks > 0)
        more += fmt::format(", {} landmark{} seen {} time{}", f.landmarks, f.landmarks == 1 ? "" : "s", f.sightings,
                            f.sightings == 1 ? "" : "s");
    if (f.priors > 0) more += fmt::format(", {} prior{}", f.priors, f.priors == 1 ? "" : "s");
    print_plain("{}: {} nodes, {} edges, {} of them loops{}\n", f.file, f.nodes, f.edges, f.loops, more);
    if (r.pieces > 1)
        print_aside("note: {}: {} pieces that no edge joins; the first node of each stays where it is\n", f.file,
                    r.pieces);
    print_plain("chi2           {:>14.2f} {}\n", r.given,
                f.without_poses ? "along a tree of edges, since the file has no poses" : "as given");
    if (r.from_rotations) print_plain("               {:>14.2f} begun from rotations\n", r.begun);
    print_plain("               {:>14.2f} after {} iterations{}\n", r.ended, r.iterations,
                r.converged ? "" : ": not converged, --iterations sets more");
    print_plain("edges that disagree  {} of {} (more than {} for three numbers{})\n", f.off,
                f.edges + f.sightings + f.priors, doubtful,
                f.sightings > 0 ? fmt::format(", {} for two", doubtful_sighting) : "");
    if (r.factorisations > 0)
        print_plain("cost           {:.3f} s of CPU time, as much as {:.1f} factorisations; {} were made\n", r.all_s,
                    r.factorising_s > 0 ? r.all_s / r.factorising_s : 0.0, r.factorisations);
}

int graph(const GraphFlags& flags) {
    if (!flags.input) fail("expected outrider graph FILE.g2o");
    expect_distinct(flags, {"output", "png"}, {*flags.input});
    GraphOptions options;
    options.start =
        static_cast<GraphStart>(std::ranges::find(graph_start_names, flags.start.value) - graph_start_names.begin());
    options.cauchy = flags.cauchy.value_or(0);
    options.iterations = flags.iterations.value;
    G2oFile file = read_g2o(*flags.input);
    if (file.graph.nodes.empty())
        fail("{}: no node (VERTEX_SE2, VERTEX2) and no edge (EDGE_SE2, EDGE2); it is no pose graph in the plane",
             *flags.input);
    expect_affordable_graph(file.graph, *flags.input);
    for (const auto& [word, count] : file.unread)
        print_aside("note: {}: {} line{} with {} not read{}\n", *flags.input, count, count == 1 ? "" : "s", word,
                    flags.output ? "; they are written as they are" : "");
    for (const auto* path : {&flags.output, &flags.png})
        if (*path) prepare_output(**path, flags.force);

    const GraphResult r = optimise(file.graph, options);
    const PoseGraph& graph = file.graph;
    const auto off = [&](const auto& of) {
        return static_cast<std::size_t>(std::ranges::count_if(of, [&](const auto& e) { return disagrees(graph, e); }));
    };
    Found found;
    found.file = *flags.input;
    found.without_poses = file.without_poses;
    found.result = r;
    found.nodes = graph.nodes.size();
    found.edges = graph.edges.size();
    found.loops = static_cast<std::size_t>(std::ranges::count_if(graph.edges, closes_loop));
    found.landmarks = graph.landmarks.size();
    found.sightings = graph.sightings.size();
    found.priors = graph.priors.size();
    found.off = off(graph.edges) + off(graph.sightings) + off(graph.priors);
    if (flags.json)
        print_plain("{}", Lines{json_of(found)});
    else
        print(found);
    if (flags.output) {
        OutputFile out(*flags.output, flags.force);
        out.write(write_g2o(file));
        out.commit();
    }
    if (flags.png) {
        OutputFile out(*flags.png, flags.force);
        out.write(
            encode_png(draw_graph(file.graph, fmt::format("{} nodes, chi2 {:.2f}", file.graph.nodes.size(), r.ended))));
        out.commit();
    }
    return r.converged ? 0 : 1;
}

}  // namespace

Subcommand graph_command() {
    return subcommand<GraphFlags, graph>(
        {"graph",
         "Find the poses of a pose graph that agree best with what was measured: files of g2o (VERTEX_SE2, EDGE_SE2, "
         "FIX, landmarks: VERTEX_XY, EDGE_SE2_XY, priors: EDGE_PRIOR_SE2) and of TORO (VERTEX2, EDGE2) in the plane.\n",
         "[OPTION...] FILE.g2o"},
        "optimise a pose graph of SLAM (g2o, TORO)");
}

}  // namespace outrider
