#include "batch/statistics.hpp"

#include "outrider/error.hpp"
#include "python/bindings.hpp"

namespace outrider::python {
namespace {

void expect_some(const std::vector<double>& sample) {
    if (sample.empty()) fail("expected a sample of one value or more");
}

}  // namespace

void bind_statistics(py::module_& module) {
    module.def(
        "median",
        [](const std::vector<double>& sample) {
            expect_some(sample);
            return median(sample);
        },
        py::arg("sample"));
    module.def(
        "median_interval",
        [](const std::vector<double>& sample) {
            expect_some(sample);
            const Interval i = bootstrap_median(sample, 0.95);
            return std::pair(i.low, i.high);
        },
        py::arg("sample"), "95 % interval of the median, by bootstrap.");
    module.def(
        "wilcoxon", [](const std::vector<double>& differences) { return wilcoxon_signed_rank(differences).p; },
        py::arg("differences"), "Two-sided p of the signed-rank test of paired differences.");
    module.def(
        "holm", [](const std::vector<double>& p) { return holm(p); }, py::arg("p"),
        "p values adjusted for having made several tests.");
}

}  // namespace outrider::python
