#include "batch/finding.hpp"

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
        "compare_samples",
        [](const std::vector<double>& first, const std::vector<std::vector<double>>& others,
           const std::vector<int>& maps, const std::vector<std::int64_t>& starts) {
            if (maps.size() != first.size() || starts.size() != first.size())
                fail("expected a map and a start for each value");
            std::vector<PairPlace> places;
            for (std::size_t i = 0; i < maps.size(); ++i) places.push_back({maps[i], starts[i]});
            std::vector<Difference> tests;
            for (const std::vector<double>& other : others) {
                if (other.size() != first.size()) fail("expected as many values of each");
                tests.push_back(compare_samples(first, other, places, true, true));
            }
            std::vector<Difference*> all;
            for (Difference& t : tests) all.push_back(&t);
            adjust(all);
            py::list out;
            for (const Difference& t : tests)
                out.append(py::make_tuple(t.mean, t.adjusted, t.made() && !t.possible ? too_few(t) : ""));
            return out;
        },
        py::arg("first"), py::arg("others"), py::arg("maps"), py::arg("starts"),
        "Paired differences of others to the first: of each the mean over maps, p over maps (of one map: over its "
        "starts) adjusted for their number, and why no result could be shown, or nothing.");
}

}  // namespace outrider::python
