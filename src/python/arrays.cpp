#include "metrics/metrics.hpp"
#include "outrider/error.hpp"
#include "python/bindings.hpp"

namespace outrider::python {

py::array_t<double> points_array(const std::vector<Point>& points, Point offset) {
    py::array_t<double> out({static_cast<py::ssize_t>(points.size()), py::ssize_t{2}});
    auto rows = out.mutable_unchecked<2>();
    for (std::size_t i = 0; i < points.size(); ++i) {
        rows(static_cast<py::ssize_t>(i), 0) = points[i].x + offset.x;
        rows(static_cast<py::ssize_t>(i), 1) = points[i].y + offset.y;
    }
    return out;
}

py::dict metric_columns(const std::vector<StepMetrics>& rows) {
    py::dict out;
    for (const MetricInfo& metric : step_metrics()) {
        py::array_t<double> values(static_cast<py::ssize_t>(rows.size()));
        for (std::size_t i = 0; i < rows.size(); ++i)
            values.mutable_at(static_cast<py::ssize_t>(i)) = metric.of_step(rows[i]);
        out[py::str(std::string(metric.name))] = values;
    }
    return out;
}

RobotId robot_named(const Scenario& scenario, const py::object& robot) {
    const std::vector<RobotEntry>& entries = scenario.robots;
    if (!py::isinstance<py::str>(robot)) {
        const auto id = robot.cast<RobotId>();
        if (id < 0 || id >= std::ssize(entries)) fail("robot {}: expected 0 to {}", id, entries.size() - 1);
        return id;
    }
    const auto name = robot.cast<std::string>();
    std::vector<std::string> names;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (entries[i].name == name) return static_cast<RobotId>(i);
        names.push_back(entries[i].name);
    }
    fail("no robot '{}'; there are {}", name, fmt::join(names, ", "));
}

}  // namespace outrider::python
