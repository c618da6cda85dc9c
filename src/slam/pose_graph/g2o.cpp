#include "slam/pose_graph/g2o.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <unordered_map>

#include "base/input.hpp"
#include "outrider/error.hpp"
#include "slam/pose_graph/spanning_tree.hpp"

namespace outrider {
namespace {

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

Pose read_pose(Line& line) {
    Pose out;
    out.x = line.number<double>("x in metres");
    out.y = line.number<double>("y in metres");
    out.yaw = wrap_angle(line.number<double>("an angle in radians"));
    return out;
}

/// An edge whose ends are named, until all nodes are known.
struct NamedEdge {
    std::int64_t from, to;
    Line line;
    PoseGraphEdge edge;
};

/// Where the six numbers of an information matrix go, in the order of the file.
using InformationOrder = std::array<std::size_t, 6>;
constexpr InformationOrder g2o_order{0, 1, 2, 4, 5, 8};   // xx xy xa yy ya aa, with the angle a
constexpr InformationOrder toro_order{0, 1, 4, 8, 2, 5};  // xx xy yy aa xa ya

NamedEdge read_edge(Line line, const InformationOrder& order) {
    NamedEdge out{0, 0, line, {}};
    out.from = line.number<std::int64_t>("the number of a node");
    out.to = line.number<std::int64_t>("the number of a node");
    if (out.from == out.to) line.refuse("an edge from node {} to itself", out.from);
    out.edge.measured = read_pose(line);
    for (const std::size_t k : order)
        out.edge.information[k] = line.number<double>("six numbers of the information matrix");
    Matrix3& m = out.edge.information;
    m[3] = m[1];
    m[6] = m[2];
    m[7] = m[5];
    if (Matrix3 covariance; !invert3(m, covariance)) line.refuse("the information matrix is not positive definite");
    line.end();
    return out;
}

/// Reads a file line by line; ends of edges are looked up when all nodes are known.
class G2oReader {
  public:
    explicit G2oReader(const std::string& name) : name_(name) {}

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
            edges_.push_back(read_edge(line, g2o_order));
        } else if (tag == "EDGE2") {
            edges_.push_back(read_edge(line, toro_order));
        } else if (tag == "FIX") {
            add_fixed(line);
        } else {
            keep(whole, tag, data && tag[0] != '#' && !tag.starts_with("VERTEX") && !tag.starts_with("EDGE"));
        }
    }

    G2oFile finish() {
        out_.without_poses = out_.ids.empty() && !edges_.empty();
        if (out_.without_poses) name_nodes_of_edges();
        out_.graph.fixed.resize(out_.ids.size());
        for (const auto& [id, line] : fixed_) out_.graph.fixed[static_cast<std::size_t>(node(id, line))] = 1;
        out_.graph.edges.reserve(edges_.size());
        for (NamedEdge& e : edges_) {
            e.edge.from = node(e.from, e.line);
            e.edge.to = node(e.to, e.line);
            out_.graph.edges.push_back(e.edge);
        }
        if (out_.without_poses) out_.graph.nodes = poses_along_tree(out_.graph);
        return std::move(out_);
    }

  private:
    void add_node(Line line) {
        const auto id = line.number<std::int64_t>("the number of a node");
        if (!nodes_.emplace(id, static_cast<int>(out_.ids.size())).second) line.refuse("node {} is named twice", id);
        out_.ids.push_back(id);
        out_.graph.nodes.push_back(read_pose(line));
        line.end();
    }
    void add_fixed(Line line) {
        for (auto id = line.number<std::int64_t>("the number of a node");;) {
            fixed_.emplace_back(id, line);
            Line rest = line;
            if (rest.word().empty()) return;
            id = line.number<std::int64_t>("the number of a node");
        }
    }
    void keep(std::string_view whole, std::string_view tag, bool data) {
        if (data)
            out_.data.emplace_back(static_cast<int>(out_.ids.size()) - 1, whole);
        else
            out_.others.emplace_back(whole);
        after_node_ = data;
        if (tag[0] != '#') ++out_.unread[std::string(tag)];
    }
    /// By their numbers.
    void name_nodes_of_edges() {
        for (const NamedEdge& e : edges_) out_.ids.insert(out_.ids.end(), {e.from, e.to});
        std::ranges::sort(out_.ids);
        out_.ids.erase(std::unique(out_.ids.begin(), out_.ids.end()), out_.ids.end());
        for (std::size_t i = 0; i < out_.ids.size(); ++i) nodes_.emplace(out_.ids[i], static_cast<int>(i));
        out_.graph.nodes.resize(out_.ids.size());
        for (const auto& [id, line] : fixed_)
            if (id != fixed_.front().first)
                line.refuse(
                    "expected one fixed node, since no line VERTEX_SE2 or VERTEX2 says where it is; got {} and {}",
                    fixed_.front().first, id);
    }
    int node(std::int64_t id, const Line& line) const {
        const auto at = nodes_.find(id);
        if (at == nodes_.end()) line.refuse("there is no node {}", id);
        return at->second;
    }

    const std::string& name_;
    int number_ = 0;
    bool after_node_ = false;  // lines of data belong to the node right before them
    std::unordered_map<std::int64_t, int> nodes_;
    std::vector<NamedEdge> edges_;
    std::vector<std::pair<std::int64_t, Line>> fixed_;
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

std::string write_g2o(const G2oFile& file) {
    std::string out;
    const auto pose = [](const Pose& p) { return fmt::format("{} {} {}", p.x, p.y, p.yaw); };
    auto data = file.data.begin();
    for (std::size_t i = 0; i < file.ids.size(); ++i) {
        out += fmt::format("VERTEX_SE2 {} {}\n", file.ids[i], pose(file.graph.nodes[i]));
        for (; data != file.data.end() && data->first == static_cast<int>(i); ++data) out += data->second + "\n";
    }
    for (std::size_t i = 0; i < file.ids.size(); ++i)
        if (i < file.graph.fixed.size() && file.graph.fixed[i]) out += fmt::format("FIX {}\n", file.ids[i]);
    for (const PoseGraphEdge& e : file.graph.edges) {
        const Matrix3& m = e.information;
        out +=
            fmt::format("EDGE_SE2 {} {} {} {} {} {} {} {} {}\n", file.ids[static_cast<std::size_t>(e.from)],
                        file.ids[static_cast<std::size_t>(e.to)], pose(e.measured), m[0], m[1], m[2], m[4], m[5], m[8]);
    }
    for (const std::string& line : file.others) out += line + "\n";
    return out;
}

}  // namespace outrider
