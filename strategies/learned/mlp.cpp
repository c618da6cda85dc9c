// A learned choice of frontiers: a small neural network scores what is known of each (outrider/features.hpp), and the
// robot drives to the one with the highest score. The shipped network was trained by examples/train_frontier_mlp.py
// (docs/learning.md).
#include "learned/baseline.hpp"
#include "outrider/behaviours.hpp"
#include "outrider/features.hpp"

namespace outrider {
namespace {

struct MlpOptions {
    ReplanGuard::Options replan;
    std::string weights;
    int choices = 8;

    void fields(Fields& f) {
        replan.fields(f);
        f("weights", weights, "JSON file with the network; empty: the one that comes with the program");
        f("choices", choices, 1, 1000, "frontiers that are scored: the nearest ones by way");
    }
};

class Mlp final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary = "a small neural network scores what is known of each frontier (learned)";
    using Options = MlpOptions;
    explicit Mlp(const Options& options)
        : options_(options),
          network_(options.weights.empty() ? Network::parse(baseline, "the shipped network")
                                           : Network::read(options.weights)),
          replan_(options.replan) {}

    Intent choose(const Belief& belief, Rng&) override {
        const bool gone = !target_ || explored(belief, *target_);
        const bool stalled = target_ && stall_.stalled(belief, target_->goal);
        if (replan_.due(belief, gone || stalled)) target_ = select(belief);
        Intent intent = target_ ? Intent{.action = go_to_frontier(belief, *target_)} : go_home(belief);
        intent.overlays = why_;
        return intent;
    }

  private:
    std::optional<Frontier> select(const Belief& belief) {
        std::vector<Frontier> frontiers;
        std::vector<double> scores;
        for (const FrontierChoice& choice : frontier_choices(belief, options_.choices)) {
            if (stall_.barred(belief, choice.frontier.goal)) continue;
            frontiers.push_back(choice.frontier);
            scores.push_back(network_.score(choice.features));
        }
        const auto best = std::max_element(scores.begin(), scores.end());  // the first of equal ones: the nearest
        if (belief.overlays_wanted()) {
            why_ = {candidates_overlay(belief, frontiers, scores, "the network's score, the most"),
                    Overlay::rule(frontiers.empty() ? "no frontier can be reached: home" : "the highest score")};
        }
        if (frontiers.empty()) return {};
        return frontiers[static_cast<std::size_t>(best - scores.begin())];
    }

    MlpOptions options_;
    Network network_;
    ReplanGuard replan_;
    StallGuard stall_;
    std::optional<Frontier> target_;
    std::vector<Overlay> why_;  // of the last choice
};

OUTRIDER_STRATEGY("mlp", Mlp)

}  // namespace
}  // namespace outrider
