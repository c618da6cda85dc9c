// What is measured of it.
#include <array>

#include "features/NAME/world.hpp"
#include "metrics/group.hpp"
#include "metrics/rows.hpp"

namespace outrider {
namespace {

class CamelCounts final : public Copied<CamelCounts, Counter> {
  public:
    explicit CamelCounts(const Measured& run) { count_in(run); }
    void count_in(const Measured& run) override { field_ = run.driver.part<CamelField>(); }
    void on_step(const StepView&) override {
        for (const auto& inside : field_->inside()) steps += inside[0];
    }
    int steps = 0;

  private:
    const CamelField* field_ = nullptr;
};

constexpr std::array NAME_rows{
    MetricInfo{"NAME_steps", "steps", 1, "time that robots were within reach of it, summed up", plain,
               [](Record r) { return count(r.counts<CamelCounts>().steps); }},
};

std::string NAME_steps_in_words(const SummaryWords& run) {
    return fmt::format("{:<20} {:.0f} robot-steps within its reach\n", "NAME", run["NAME_steps"]);
}

}  // namespace

extern const MetricGroup NAME_metrics;
const MetricGroup NAME_metrics{NAME_rows, has_part<CamelField>, make_counter<CamelCounts>, "NAME", NAME_steps_in_words};

}  // namespace outrider
