// A learned choice of frontiers: a small neural network scores what is known of each (outrider/features.hpp), and the
// robot drives to the one with the highest score. The shipped network was trained by
// docs/examples/train_frontier_mlp.py (docs/learning.md).
#include <algorithm>

#include "learned/baseline.hpp"
#include "outrider/features.hpp"
#include "shared/teamwork.hpp"

namespace outrider::mlp_strategy {
namespace {

struct MlpOptions {
    ReplanGuard::Options replan;
    std::string weights;
    int choices = 8;

    void fields(Fields& f) {
        replan.fields(f);
        f("weights", weights, "JSON file with the network; empty: the one that comes with the program");
        f("choices", choices, 1, 1000, "frontiers that are scored: the nearest ones by path");
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
          pursuit_(options.replan) {}

    Intent choose(const Belief& belief, Rng&) override {
        std::vector<FrontierChoice> choices;
        const auto candidates = [&](const Belief&) {
            choices = frontier_choices(belief, options_.choices);
            std::vector<Frontier> frontiers;
            for (const FrontierChoice& choice : choices) frontiers.push_back(choice.frontier);
            return frontiers;
        };
        return pursuit_.step(belief, candidates,
                             [&](const std::vector<Frontier>& left) { return best(belief, choices, left); });
    }

  private:
    /// Of `left`, which are among the choices.
    int best(const Belief& belief, const std::vector<FrontierChoice>& choices, const std::vector<Frontier>& left) {
        std::vector<double> scores;
        for (const Frontier& f : left) {
            const auto choice = std::find_if(choices.begin(), choices.end(),
                                             [&](const FrontierChoice& c) { return c.frontier.goal == f.goal; });
            scores.push_back(network_.score(choice->features));
        }
        const auto most = std::max_element(scores.begin(), scores.end());  // the first of equal ones: the nearest
        const int chosen = static_cast<int>(most - scores.begin());
        if (belief.overlays_wanted())
            pursuit_.explain({candidates_overlay(belief, left, std::move(scores), "the network's score, the most"),
                              Overlay::rule("the highest score")});
        return chosen;
    }

    MlpOptions options_;
    Network network_;
    Pursuit pursuit_;
};

OUTRIDER_STRATEGY("mlp", Mlp)

}  // namespace
}  // namespace outrider::mlp_strategy
