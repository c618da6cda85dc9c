#include "slam/pose_graph/g2o.hpp"

#include <charconv>
#include <cmath>
#include <unordered_map>

#include "base/input.hpp"
#include "outrider/error.hpp"

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

NamedEdge read_edge(Line line) {
    NamedEdge out{0, 0, line, {}};
    out.from = line.number<std::int64_t>("the number of a node");
    out.to = line.number<std::int64_t>("the number of a node");
    if (out.from == out.to) line.refuse("an edge from node {} to itself", out.from);
    out.edge.measured = read_pose(line);
    for (const int k : {0, 1, 2, 4, 5, 8})
        out.edge.information[static_cast<std::size_t>(k)] =
            line.number<double>("six numbers of the information matrix");
    Matrix3& m = out.edge.information;
    m[3] = m[1];
    m[6] = m[2];
    m[7] = m[5];
    if (Matrix3 covariance; !invert3(m, covariance)) line.refuse("the information matrix is not positive definite");
    line.end();
    return out;
}

}  // namespace

G2oFile parse_g2o(std::string_view text, const std::string& name) {
    G2oFile out;
    std::unordered_map<std::int64_t, int> nodes;
    std::vector<NamedEdge> edges;
    std::vector<std::pair<std::int64_t, Line>> fixed;
    int number = 0;
    bool after_node = false;  // lines of data belong to the node right before them
    while (!text.empty()) {
        const std::string_view whole = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(whole.size() + 1, text.size()));
        Line line(whole, name, ++number);
        const std::string_view tag = line.word();
        if (tag == "VERTEX_SE2") {
            const auto id = line.number<std::int64_t>("the number of a node");
            if (!nodes.emplace(id, static_cast<int>(out.ids.size())).second) line.refuse("node {} is named twice", id);
            out.ids.push_back(id);
            out.graph.nodes.push_back(read_pose(line));
            line.end();
            after_node = true;
        } else if (tag == "EDGE_SE2") {
            edges.push_back(read_edge(line));
            after_node = false;
        } else if (tag == "FIX") {
            for (std::int64_t id = line.number<std::int64_t>("the number of a node");;) {
                fixed.emplace_back(id, line);
                Line rest = line;
                if (rest.word().empty()) break;
                id = line.number<std::int64_t>("the number of a node");
            }
            after_node = false;
        } else if (!tag.empty()) {
            if (tag[0] == '#' || tag.starts_with("VERTEX") || tag.starts_with("EDGE")) after_node = false;
            if (after_node)
                out.data.emplace_back(static_cast<int>(out.ids.size()) - 1, whole);
            else
                out.others.emplace_back(whole);
            if (tag[0] != '#') ++out.unread[std::string(tag)];
        }
    }
    const auto node = [&](std::int64_t id, const Line& line) {
        const auto at = nodes.find(id);
        if (at == nodes.end()) line.refuse("there is no node {}", id);
        return at->second;
    };
    out.graph.fixed.resize(out.ids.size());
    for (const auto& [id, line] : fixed) out.graph.fixed[static_cast<std::size_t>(node(id, line))] = 1;
    for (NamedEdge& e : edges) {
        e.edge.from = node(e.from, e.line);
        e.edge.to = node(e.to, e.line);
        out.graph.edges.push_back(e.edge);
    }
    return out;
}

G2oFile read_g2o(const std::string& path) { return parse_g2o(read_file(path, "a pose graph of g2o", 20), path); }

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
