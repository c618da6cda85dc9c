#include "slam/pose_graph/g2o.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include <fmt/ranges.h>

#include "base/budget.hpp"
#include "base/input.hpp"
#include "outrider/error.hpp"
#include "slam/pose_graph/spanning_tree.hpp"

namespace outrider {
namespace {

constexpr double most_place = 1e12;

/// The words of a line, one after the other; mistakes name the line.
class Line {
  public:
    Line(std::string_view rest, const std::string& name, int number) : rest_(rest), name_(name), number_(number) {}

    std::string_view word() {
        rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r"), rest_.size()));
        const std::string_view out = rest_.substr(0, rest_.find_first_of(" \t\r"));
        rest_.remove_prefix(out.size());
        return out;
    }
    template <class Number>
    Number number(const char* what) {
        const std::string_view text = word();
        Number value{};
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        bool fine = error == std::errc() && end == text.data() + text.size();
        if constexpr (std::is_floating_point_v<Number>) fine = fine && std::abs(value) <= 1e150;
        if (!fine) refuse("expected {}, got '{}'", what, text.substr(0, 40));
        return value;
    }
    /// Metres or radians: numbers from which chi2 stays finite.
    double place(const char* what) {
        const auto value = number<double>(what);
        if (std::abs(value) > most_place) refuse("expected {} of at most {:g}, got {:g}", what, most_place, value);
        return value;
    }
    void end() {
        if (const std::string_view more = word(); !more.empty())
            refuse("expected the end of the line, got '{}'", more.substr(0, 40));
    }
    template <class... Values>
    [[noreturn]] void refuse(fmt::format_string<Values...> text, Values&&... values) const {
        fail("{}:{}: {}", name_, number_, fmt::format(text, std::forward<Values>(values)...));
    }

  private:
    std::string_view rest_;
    const std::string& name_;
    int number_;
};

Point read_point(Line& line) {
    Point out;
    out.x = line.place("x in metres");
    out.y = line.place("y in metres");
    return out;
}

Pose read_pose(Line& line) {
    const Point at = read_point(line);
    Pose out{at.x, at.y, 0};
    out.yaw = wrap_angle(line.place("an angle in radians"));
    return out;
}

/// An edge, a sighting or a prior whose ends are named, until all nodes are known.
template <class Edge>
struct Named {
    std::int64_t from, to;
    Line line;
    Edge edge;
};

std::int64_t read_id(Line& line, const char* what = "the number of a node") { return line.number<std::int64_t>(what); }

/// Where the six numbers of an information matrix go, in the order of the file.
using InformationOrder = std::array<std::size_t, 6>;
constexpr InformationOrder g2o_order{0, 1, 2, 4, 5, 8};   // xx xy xa yy ya aa, with the angle a
constexpr InformationOrder toro_order{0, 1, 4, 8, 2, 5};  // xx xy yy aa xa ya

constexpr const char* not_definite = "the information matrix is not positive definite";

Matrix3 read_information(Line& line, const InformationOrder& order) {
    Matrix3 m{};
    for (const std::size_t k : order) m[k] = line.number<double>("six numbers of the information matrix");
    m[3] = m[1];
    m[6] = m[2];
    m[7] = m[5];
    if (Matrix3 covariance; !invert3(m, covariance)) line.refuse("{}", not_definite);
    line.end();
    return m;
}

Named<PoseGraphEdge> read_edge(Line line, const InformationOrder& order) {
    Named<PoseGraphEdge> out{0, 0, line, {}};
    out.from = read_id(line);
    out.to = read_id(line);
    if (out.from == out.to) line.refuse("an edge from node {} to itself", out.from);
    out.edge.measured = read_pose(line);
    out.edge.information = read_information(line, order);
    return out;
}

Named<PosePrior> read_prior(Line line) {
    Named<PosePrior> out{0, 0, line, {}};
    out.from = out.to = read_id(line);
    out.edge.measured = read_pose(line);
    out.edge.information = read_information(line, g2o_order);
    return out;
}

Named<LandmarkSighting> read_sighting(Line line) {
    Named<LandmarkSighting> out{0, 0, line, {}};
    out.from = read_id(line);
    out.to = read_id(line, "the number of a landmark");
    if (out.from == out.to) line.refuse("node {} sees itself; expected a landmark", out.from);
    out.edge.measured = read_point(line);
    for (double& number : out.edge.information) number = line.number<double>("three numbers of the information matrix");
    const auto& [xx, xy, yy] = out.edge.information;
    // The second test is of the determinant, without numbers that overflow.
    if (!(xx > 0 && yy - xy / xx * xy > 0)) line.refuse("{}", not_definite);
    line.end();
    return out;
}

constexpr std::array<FileFormat, 3> formats{{
    {"g2o in the plane", "a word that it knows begins each line",
     "`VERTEX_SE2`, `EDGE_SE2`, landmarks (`VERTEX_XY`, `EDGE_SE2_XY`), priors (`EDGE_PRIOR_SE2`), `FIX`",
     "lines of data, which are written again; what is in space (`SE3`) is refused"},
    {"edges alone, as for SE-Sync", "no `VERTEX`", "`EDGE_SE2`, `EDGE_SE2_XY`; poses begin along a tree of edges", ""},
    {"`.graph` of TORO", "`VERTEX2`, `EDGE2`", "both, with the information in TORO's order", "`EQUIV` is refused"},
}};

constexpr std::array<std::string_view, 8> own_words{"VERTEX_SE2",     "VERTEX_XY", "EDGE_SE2", "EDGE_SE2_XY",
                                                    "EDGE_PRIOR_SE2", "FIX",       "VERTEX2",  "EDGE2"};
/// Words that begin so change the minimum, so that they cannot be left out: edges of other kinds, and TORO's EQUIV.
constexpr std::array<std::string_view, 3> constraint_words{"VERTEX", "EDGE", "EQUIV"};
/// Of g2o and CARMEN.
constexpr std::array<std::string_view, 8> data_words{"ROBOTLASER1", "RAWLASER1", "FLASER",           "RLASER",
                                                     "ODOM",        "PARAM",     "PARAMS_SE2OFFSET", "VERTEX_TAG"};

/// Reads a file line by line; ends of edges are looked up when all nodes are known.
class G2oReader {
  public:
    explicit G2oReader(const std::string& name) : name_(name), budget_(name) {}

    void read(std::string_view whole) {
        Line line(whole, name_, ++number_);
        const std::string_view tag = line.word();
        if (tag.empty()) return;
        const bool data = after_node_;
        after_node_ = false;
        if (tag == "VERTEX_SE2" || tag == "VERTEX2") {
            add_node(line);
            after_node_ = true;
        } else if (tag == "EDGE_SE2") {
            add(edges_, read_edge(line, g2o_order));
        } else if (tag == "EDGE2") {
            add(edges_, read_edge(line, toro_order));
        } else if (tag == "VERTEX_XY") {
            add_landmark(line);
        } else if (tag == "EDGE_SE2_XY") {
            add(sightings_, read_sighting(line));
        } else if (tag == "EDGE_PRIOR_SE2") {
            add(priors_, read_prior(line));
        } else if (tag == "FIX") {
            add_fixed(line);
        } else {
            keep(whole, tag, data, line);
        }
    }

    G2oFile finish() {
        PoseGraph& graph = out_.graph;
        out_.without_poses =
            out_.ids.empty() && out_.landmark_ids.empty() && !(edges_.empty() && sightings_.empty() && priors_.empty());
        if (out_.without_poses) name_nodes_of_edges();
        graph.fixed.resize(out_.ids.size());
        graph.fixed_landmarks.resize(out_.landmark_ids.size());
        for (const auto& [id, line] : fixed_)
            if (const auto at = landmarks_.find(id); at != landmarks_.end())
                graph.fixed_landmarks[static_cast<std::size_t>(at->second)] = 1;
            else
                graph.fixed[static_cast<std::size_t>(node(id, line))] = 1;
        graph.edges.reserve(edges_.size());
        for (Named<PoseGraphEdge>& e : edges_) {
            e.edge.from = node(e.from, e.line);
            e.edge.to = node(e.to, e.line);
            graph.edges.push_back(e.edge);
        }
        for (Named<LandmarkSighting>& e : sightings_) {
            e.edge.from = node(e.from, e.line);
            e.edge.landmark = landmark(e.to, e.line);
            graph.sightings.push_back(e.edge);
        }
        for (Named<PosePrior>& e : priors_) {
            e.edge.node = node(e.from, e.line);
            graph.priors.push_back(e.edge);
        }
        if (out_.without_poses) place_along_tree();
        return std::move(out_);
    }

  private:
    /// Three times its size: a list that grows is copied to one twice as long.
    template <class Edge>
    void add(std::vector<Edge>& edges, const Edge& edge) {
        budget_.take(3 * sizeof(Edge), "its edges");
        edges.push_back(edge);
    }
    void add_node(Line line) {
        const std::int64_t id = read_id(line);
        add_name(nodes_, id, out_.ids.size(), line);
        out_.ids.push_back(id);
        out_.graph.nodes.push_back(read_pose(line));
        line.end();
    }
    void add_landmark(Line line) {
        const std::int64_t id = read_id(line, "the number of a landmark");
        add_name(landmarks_, id, out_.landmark_ids.size(), line);
        out_.landmark_ids.push_back(id);
        out_.graph.landmarks.push_back(read_point(line));
        line.end();
    }
    using Names = std::unordered_map<std::int64_t, int>;
    /// Nodes and landmarks have different numbers.
    void add_name(Names& names, std::int64_t id, std::size_t index, const Line& line) {
        if (nodes_.contains(id) || landmarks_.contains(id)) line.refuse("node {} is named twice", id);
        budget_.take(3 * (sizeof(id) + sizeof(Pose)) + 64, "its nodes");
        names.emplace(id, static_cast<int>(index));
    }
    void add_fixed(Line line) {
        for (std::int64_t id = read_id(line);;) {
            if (fixed_.emplace(id, line).second) budget_.take(sizeof(Line) + 64, "its fixed nodes");
            Line rest = line;
            if (rest.word().empty()) return;
            id = read_id(line);
        }
    }
    /// Comments and data. Data follow their node, whatever their word is; elsewhere only known words are.
    void keep(std::string_view whole, std::string_view tag, bool after_node, const Line& line) {
        const bool comment = tag[0] == '#', datum = std::ranges::count(data_words, tag) > 0;
        const auto begins = [&](std::string_view start) { return tag.starts_with(start); };
        const auto cut = [&](std::string_view known) { return known.starts_with(tag); };
        if (!comment && !datum &&
            (!after_node || std::ranges::any_of(constraint_words, begins) || std::ranges::any_of(own_words, cut)))
            line.refuse("the word '{}' is not known; expected {}", tag.substr(0, 40), fmt::join(own_words, ", "));
        const bool of_node = after_node && !comment;
        budget_.take(whole.size() + 3 * sizeof(std::pair<int, std::string>), "its lines of data");
        if (of_node)
            out_.data.emplace_back(static_cast<int>(out_.ids.size()) - 1, whole);
        else
            out_.others.emplace_back(whole);
        after_node_ = of_node;
        if (!comment) ++out_.unread[std::string(tag)];
    }
    /// By their numbers.
    void name_nodes_of_edges() {
        for (const auto& e : edges_) out_.ids.insert(out_.ids.end(), {e.from, e.to});
        for (const auto& e : priors_) out_.ids.push_back(e.from);
        for (const auto& e : sightings_) {
            out_.ids.push_back(e.from);
            out_.landmark_ids.push_back(e.to);
        }
        const auto number = [](std::vector<std::int64_t>& ids, Names& names) {
            std::ranges::sort(ids);
            ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
            for (std::size_t i = 0; i < ids.size(); ++i) names.emplace(ids[i], static_cast<int>(i));
        };
        number(out_.ids, nodes_);
        number(out_.landmark_ids, landmarks_);
        for (const auto& e : sightings_)
            if (nodes_.contains(e.to)) e.line.refuse("node {} is seen as a landmark", e.to);
        out_.graph.nodes.resize(out_.ids.size());
        out_.graph.landmarks.resize(out_.landmark_ids.size());
        for (const auto& [id, line] : fixed_)
            if (id != fixed_.begin()->first)
                line.refuse(
                    "expected one fixed node, since no line VERTEX_SE2 or VERTEX2 says where it is; got {} and {}",
                    fixed_.begin()->first, id);
    }
    void place_along_tree() {
        PoseGraph& graph = out_.graph;
        graph.nodes = poses_along_tree(graph);
        for (auto e = graph.sightings.rbegin(); e != graph.sightings.rend(); ++e)  // the first one stays
            graph.landmarks[static_cast<std::size_t>(e->landmark)] =
                transform(graph.nodes[static_cast<std::size_t>(e->from)], e->measured);
    }
    int landmark(std::int64_t id, const Line& line) const {
        const auto at = landmarks_.find(id);
        if (at == landmarks_.end()) line.refuse("there is no landmark {} (VERTEX_XY)", id);
        return at->second;
    }
    int node(std::int64_t id, const Line& line) const {
        const auto at = nodes_.find(id);
        if (at == nodes_.end()) line.refuse("there is no node {}", id);
        return at->second;
    }

    const std::string& name_;
    MemoryBudget budget_;
    int number_ = 0;
    bool after_node_ = false;  // lines of data belong to the node right before them
    Names nodes_, landmarks_;
    std::vector<Named<PoseGraphEdge>> edges_;
    std::vector<Named<LandmarkSighting>> sightings_;
    std::vector<Named<PosePrior>> priors_;
    std::map<std::int64_t, Line> fixed_;
    G2oFile out_;
};

}  // namespace

G2oFile parse_g2o(std::string_view text, const std::string& name) {
    G2oReader reader(name);
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        reader.read(line);
    }
    return reader.finish();
}

G2oFile read_g2o(const std::string& path) {
    return parse_g2o(read_file(path, "a pose graph of g2o or TORO", 20), path);
}

std::span<const FileFormat> graph_formats() { return formats; }

std::string write_g2o(const G2oFile& file) {
    std::string out;
    const PoseGraph& graph = file.graph;
    const auto pose = [](const Pose& p) { return fmt::format("{} {} {}", p.x, p.y, p.yaw); };
    const auto six = [](const Matrix3& m) {
        return fmt::format("{} {} {} {} {} {}", m[0], m[1], m[2], m[4], m[5], m[8]);
    };
    const auto id = [&](int node) { return file.ids[static_cast<std::size_t>(node)]; };
    const auto write_fixed = [&](const std::vector<std::int64_t>& ids, const std::vector<std::uint8_t>& fixed) {
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (i < fixed.size() && fixed[i]) out += fmt::format("FIX {}\n", ids[i]);
    };
    auto data = file.data.begin();
    for (std::size_t i = 0; i < file.ids.size(); ++i) {
        out += fmt::format("VERTEX_SE2 {} {}\n", file.ids[i], pose(graph.nodes[i]));
        for (; data != file.data.end() && data->first == static_cast<int>(i); ++data) out += data->second + "\n";
    }
    for (std::size_t i = 0; i < file.landmark_ids.size(); ++i)
        out += fmt::format("VERTEX_XY {} {} {}\n", file.landmark_ids[i], graph.landmarks[i].x, graph.landmarks[i].y);
    write_fixed(file.ids, graph.fixed);
    write_fixed(file.landmark_ids, graph.fixed_landmarks);
    for (const PoseGraphEdge& e : graph.edges)
        out += fmt::format("EDGE_SE2 {} {} {} {}\n", id(e.from), id(e.to), pose(e.measured), six(e.information));
    for (const LandmarkSighting& e : graph.sightings)
        out += fmt::format("EDGE_SE2_XY {} {} {} {} {}\n", id(e.from),
                           file.landmark_ids[static_cast<std::size_t>(e.landmark)], e.measured.x, e.measured.y,
                           fmt::join(e.information, " "));
    for (const PosePrior& e : graph.priors)
        out += fmt::format("EDGE_PRIOR_SE2 {} {} {}\n", id(e.node), pose(e.measured), six(e.information));
    for (const std::string& line : file.others) out += line + "\n";
    return out;
}

}  // namespace outrider
