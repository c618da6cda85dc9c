// One-shot auctions (R. Simmons et al., AAAI 2000): robots bid gain - way for frontiers, the best bid wins, and what
// the winner will see is worth less to the others. Every robot works out the awards from the same bids.
#include <cmath>

#include "shared/gain.hpp"
#include "shared/teamwork.hpp"
#include "shared/topics.hpp"

namespace outrider::auction_strategy {
namespace {

enum class GainModel { area, constant };
constexpr std::array<std::string_view, 2> gain_model_names{"area", "constant"};

struct AuctionOptions {
    int period_steps = 15;
    int min_gap_steps = 3;
    MateOptions mates;
    GainModel gain_model = GainModel::area;
    double path_weight = 1;
    GoalOptions goals;
    int bids = 12;

    void fields(Fields& f) {
        f("period_steps", period_steps, 2, 10000, "all robots bid in every so many steps, at the same time");
        f("min_gap_steps", min_gap_steps, 2, 10000, "who lost its target bids again, at most so often");
        mates.fields(f);
        f("gain_model", gain_model, gain_model_names,
          "area: the unknown in sight, in cells, divided by the sensor's range in cells; constant: each goal is worth "
          "the path of a sensor's range");
        f("way_weight", path_weight, 0, 1000, "of a cell of path against a unit of gain");
        goals.fields(f);
        f("bids", bids, 1, 1000, "a robot bids for so many goals, the nearest ones");
    }
};

constexpr std::uint32_t bid_topic = 0x62696473;
constexpr double price_unit = 1.0 / 64;  // prices are sent in whole units, so that all compute with the same values

struct Bid {
    RobotId robot = 0;
    Cell goal;
    double gain = 0, path = 0;
};

class Auction final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary =
        "bids gain - path; the best bid wins, overlapping gain is discounted (Simmons)";
    using Options = AuctionOptions;
    explicit Auction(const Options& options) : options_(options) {}

    Intent choose(const Belief& belief, Rng&) override {
        const bool gone = !target_ || explored(belief, *target_) || belief.goal_unreachable();
        const bool stalled = target_ && stall_.stalled(belief, target_->goal);
        std::vector<Word> words;
        if (round_ >= 0 && round_ == belief.step() - 1) settle(belief);
        const bool beat = belief.step() % options_.period_steps == 0;
        if (round_ < 0 || beat || ((gone || stalled) && belief.step() - round_ >= options_.min_gap_steps))
            words = call_for_bids(belief, gone || stalled);
        Intent intent = target_ ? Intent{.action = go_to_frontier(belief, *target_)} : go_home(belief);
        intent.words = std::move(words);
        intent.overlays = why_;
        return intent;
    }

  private:
    /// Bids for the nearest goals. Until the awards, in the next step, a robot without a target goes for its own best.
    std::vector<Word> call_for_bids(const Belief& belief, bool gone) {
        round_ = belief.step();
        frontiers_ = frontier_goals(belief, options_.goals);
        std::erase_if(frontiers_, [&](const Frontier& f) { return stall_.barred(belief, f.goal); });
        const double range = sensor_range_cells(belief);
        const std::vector<Cell> goals = goals_of(frontiers_);
        PathSearch paths = belief.search(belief.cell(), goals);
        Word word{bid_topic, to_all, {}};
        std::vector<Bid> bids;
        std::vector<Frontier> offered;
        for (int f = paths.find_next(); f >= 0 && static_cast<int>(bids.size()) < options_.bids;
             f = paths.find_next()) {
            const auto i = static_cast<std::size_t>(f);
            const double gain = options_.gain_model == GainModel::constant ? options_.path_weight * range
                                                                           : belief.unknown_in_sight(goals[i]) / range;
            const std::int64_t values[] = {goals[i].x, goals[i].y, std::llround(gain / price_unit),
                                           std::llround(paths.cost(i) / double(straight_cost) / price_unit)};
            word.values.insert(word.values.end(), std::begin(values), std::end(values));
            bids.push_back(bid_of(belief.self(), values));
            offered.push_back(frontiers_[i]);
        }
        frontiers_ = std::move(offered);
        if (gone) {
            const int best = best_bid(bids, {}, range);
            target_ = best < 0 ? std::nullopt : std::optional(frontiers_[static_cast<std::size_t>(best)]);
        }
        return {std::move(word)};
    }

    /// Awards goal after goal to the best bid of those who bid in this round. The others are on their way: what they
    /// will see counts as taken.
    void settle(const Belief& belief) {
        const double range = sensor_range_cells(belief);
        std::vector<Bid> bids;
        std::vector<Cell> taken;
        for (const Participant& p : participants(belief, options_.mates)) {
            const TeamRecord& record = belief.latest(p.robot);
            const Word* word = nullptr;
            for (const Word& w : record.words)
                if (w.topic == bid_topic && record.step == round_) word = &w;
            if (!word && p.goal) taken.push_back(*p.goal);
            for (std::size_t k = 0; word && k + 4 <= word->values.size(); k += 4)
                bids.push_back(bid_of(p.robot, std::span(word->values).subspan(k)));
        }
        const std::vector<Bid> all = bids;
        Bid won;
        bool mine = false;
        while (!mine) {
            const int best = best_bid(bids, taken, range);
            if (best < 0) break;
            won = bids[static_cast<std::size_t>(best)];
            mine = won.robot == belief.self();
            taken.push_back(won.goal);
            std::erase_if(bids, [&](const Bid& b) { return b.robot == won.robot; });
        }
        if (!mine) return;  // no bid of its own: it can reach nothing
        for (const Frontier& f : frontiers_)
            if (f.goal == won.goal) target_ = f;
        if (belief.overlays_wanted()) explain(belief, all, taken, range);
    }

    Bid bid_of(RobotId robot, std::span<const std::int64_t> values) const {
        return {robot, received_cell(values, 0), static_cast<double>(values[2]) * price_unit,
                static_cast<double>(values[3]) * price_unit};
    }

    double worth(const Bid& b, const std::vector<Cell>& taken, double range) const {
        double gain = b.gain;
        for (const Cell t : taken)
            gain *= 1 - disc_overlap(std::sqrt(static_cast<double>(squared_distance(t, b.goal))), range);
        return gain - options_.path_weight * b.path;
    }

    /// Taken goals come after all others. Equal ones: the first, by robot, then in the order of its bids.
    int best_bid(const std::vector<Bid>& bids, const std::vector<Cell>& taken, double range) const {
        int best = -1;
        std::pair most{false, 0.0};
        for (std::size_t i = 0; i < bids.size(); ++i) {
            const bool free = std::find(taken.begin(), taken.end(), bids[i].goal) == taken.end();
            const std::pair value{free, worth(bids[i], taken, range)};
            if (best >= 0 && value <= most) continue;
            best = static_cast<int>(i);
            most = value;
        }
        return best;
    }

    void explain(const Belief& belief, const std::vector<Bid>& bids, const std::vector<Cell>& taken, double range) {
        std::vector<double> worths;
        std::size_t next = 0;
        for (const Bid& b : bids)
            if (b.robot == belief.self() && next++ < frontiers_.size()) worths.push_back(worth(b, {}, range));
        Overlay awards = Overlay::marks(Overlay::Meaning::goal, "awards", "goals awarded before, and the own one");
        for (const Cell c : taken) awards.points.push_back(belief.map().lattice().centre(c));
        why_ = {candidates_overlay(belief, frontiers_, std::move(worths), "own bids: gain - path, the most"),
                std::move(awards), Overlay::rule("the goal that the auction awarded")};
    }

    AuctionOptions options_;
    StallGuard stall_;
    int round_ = -1;                   // the step of the last own bids
    std::vector<Frontier> frontiers_;  // frontiers of these bids, in their order
    std::optional<Frontier> target_;
    std::vector<Overlay> why_;
};

OUTRIDER_STRATEGY("auction", Auction)

}  // namespace
}  // namespace outrider::auction_strategy
