// A plan made by a team that knows the map (outrider bound), driven step by step: how good a team can be, after
// Quattrini Li, Amigoni, Basilico, "Searching for optimal off-line exploration paths in grid environments for a robot
// with limited visibility", 2012.
#include <cmath>

#include "outrider/strategy.hpp"
#include "robot/tour_plan.hpp"

namespace outrider::tour_strategy {
namespace {

constexpr int patience = 10;  // steps that a robot waits for a stop that it does not reach

struct TourOptions {
    std::string plan;
    void fields(Fields& f) { f("plan", plan, "JSON file with the plan, of outrider bound; empty: robots stay"); }
};

class Tour final : public Strategy {
  public:
    static constexpr Traits traits{};
    static constexpr const char* summary = "drives a plan made by a team that knows the map (outrider bound)";
    using Options = TourOptions;
    explicit Tour(const Options& options) : path_(options.plan) {
        if (!path_.empty()) plan_ = TourPlan::read(path_);
    }

    void expect_fits(double cell_m, const std::string& where) const override {
        if (!path_.empty() && std::abs(plan_.cell_m - cell_m) > 1e-9)
            fail("{}: {} is a plan for cells of {} m; expected {} m", where, path_, plan_.cell_m, cell_m);
    }

    Intent choose(const Belief& belief, Rng&) override {
        const auto self = static_cast<std::size_t>(belief.self());
        if (self >= plan_.robots.size()) return {.action = Stay{}, .done = true};
        const std::vector<TourPlan::Stop>& stops = plan_.robots[self];
        if (next_ < end_ && (belief.cell() == stops[end_ - 1].cell || ++late_ > patience)) next_ = end_;
        if (next_ >= stops.size()) return {.action = Stay{}, .done = true};
        if (next_ == end_) {
            late_ = 0;
            while (!stops[end_++].ends_step) {
            }
        }
        const TourPlan::Stop& stop = stops[end_ - 1];
        const Lattice& lattice = belief.map().lattice();
        const Point goal = lattice.centre(stop.cell);
        std::optional<Point> face;
        if (stop.yaw) {
            const auto [s, c] = sin_cos(*stop.yaw);
            face = goal + Point{c, s} * 10;
        }
        Intent intent;
        if (belief.goal_unreachable() && late_ > 0) {
            intent.action = Goto{goal, lattice.cell_m, face};
        } else {
            std::vector<Cell> path;
            for (std::size_t k = next_; k < end_; ++k) path.push_back(stops[k].cell);
            intent.action = Follow{std::move(path), face};
        }
        if (belief.overlays_wanted())
            intent.overlays = {rest_of(stops, lattice), Overlay::rule("the next step of the plan")};
        return intent;
    }

  private:
    Overlay rest_of(const std::vector<TourPlan::Stop>& stops, const Lattice& lattice) const {
        std::vector<Point> points;
        for (std::size_t k = next_; k < stops.size(); ++k) points.push_back(lattice.centre(stops[k].cell));
        return Overlay::polyline(Overlay::Meaning::path, "plan", std::move(points), "the rest of the plan");
    }

    std::string path_;
    TourPlan plan_;
    std::size_t next_ = 0, end_ = 0;  // the stops of this step
    int late_ = 0;                    // steps since it should have been there
};

OUTRIDER_STRATEGY("tour", Tour)

}  // namespace
}  // namespace outrider::tour_strategy
