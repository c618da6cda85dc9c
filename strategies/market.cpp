// Market economy (R. Zlot, A. Stentz, M. B. Dias & S. Thayer, ICRA 2002): every robot is a trader with a tour of goals;
// it auctions them, and who can take a goal up with a smaller detour gets it.
#include <algorithm>
#include <cmath>

#include "shared/gain.hpp"
#include "shared/teamwork.hpp"
#include "shared/topics.hpp"
#include "shared/tours.hpp"

namespace outrider::market_strategy {
namespace {

enum class Generate { quadtree, nearest, random };
constexpr std::array<std::string_view, 3> generate_names{"quadtree", "nearest", "random"};

struct MarketOptions {
    ReplanGuard::Options replan;
    MateOptions mates;
    Generate generate = Generate::nearest;
    int goals = 3;
    GoalOptions goal_rule;
    double unknown_share = 0.2;

    void fields(Fields& f) {
        replan.fields(f);
        mates.fields(f);
        f("generate", generate, generate_names,
          "where an idle trader finds goals: one frontier in each square of two sensor ranges with enough unknown, the "
          "nearest frontiers, or any");
        f("goals", goals, 1, 100, "that an idle trader generates");
        goal_rule.fields(f);
        f("unknown_share", unknown_share, 0, 1, "quadtree: unknown share that a square needs");
    }
};

constexpr std::uint32_t tour_topic = 0x746f7572, offer_topic = 0x6f666672, bid_topic = 0x62696420,
                        award_topic = 0x61776172;

/// A goal as it is sent: where to stand and where to look.
void say(std::vector<std::int64_t>& values, const Frontier& f) {
    values.insert(values.end(), {f.goal.x, f.goal.y, f.look.x, f.look.y});
}
Frontier received_frontier(std::span<const std::int64_t> values, std::size_t i) {
    Frontier f;
    f.goal = received_cell(values, i);
    f.look = received_cell(values, i + 2);
    f.uncleared = f.look == f.goal;  // others have an unknown cell to look at
    return f;
}

class Market final : public Strategy {
  public:
    static constexpr Traits traits{.explores = true};
    static constexpr const char* summary =
        "traders with tours of goals auction them to who has the smaller detour (Zlot)";
    using Options = MarketOptions;
    explicit Market(const Options& options) : options_(options), replan_(options.replan) {}

    Intent choose(const Belief& belief, Rng& rng) override {
        const std::size_t before = tour_.size();
        if (!tour_.empty() && (belief.goal_unreachable() || stall_.stalled(belief, tour_[0].goal)))
            tour_.erase(tour_.begin());
        std::erase_if(tour_, [&](const Frontier& f) { return explored(belief, f) || !belief.nav().reached(f.goal); });
        std::vector<Word> words;
        take_awards(belief);
        award(belief, words);
        bid(belief, words);
        const bool beat = replan_.due(belief, tour_.empty() || tour_.size() < before);
        if (beat && tour_.empty()) {
            generate(belief, rng);
            nothing_left_ = tour_.empty();
        }
        if (beat && !tour_.empty()) offer(belief, words);
        if (!tour_.empty()) {
            Word tour{tour_topic, to_all, {}};
            for (const Frontier& f : tour_) say(tour.values, f);
            words.push_back(std::move(tour));
        }
        Intent intent;  // between a goal that is gone and new ones: stay
        if (!tour_.empty())
            intent.action = go_to_frontier(belief, tour_[0]);
        else if (nothing_left_)
            intent = go_home(belief);
        intent.words = std::move(words);
        if (belief.overlays_wanted()) intent.overlays = explain(belief);
        return intent;
    }

  private:
    TourCosts paths(const Belief& belief, const std::vector<Frontier>& goals) const {
        return tour_costs(belief, belief.cell(), goals_of(goals));
    }
    std::vector<int> as_tour() const {
        std::vector<int> tour;
        for (std::size_t i = 0; i < tour_.size(); ++i) tour.push_back(static_cast<int>(i));
        return tour;
    }

    /// Visits the words of a topic that team-mates sent in the step before, to this robot or to all.
    template <class Visit>
    void listen(const Belief& belief, std::uint32_t topic, Visit&& visit) const {
        for (const auto& record : belief.team())
            if (record->robot != belief.self() && record->seq > 0 && record->step == belief.step() - 1 &&
                record->frame == belief.map().frame())
                for (const Word& w : record->words)
                    if (w.topic == topic && (w.to == to_all || w.to == belief.self())) visit(record->robot, w.values);
    }

    /// 3. Takes the goals that it bought.
    void take_awards(const Belief& belief) {
        listen(belief, award_topic, [&](RobotId, const std::vector<std::int64_t>& v) {
            for (std::size_t k = 0; k + 4 <= v.size(); k += 4) {
                const Frontier f = received_frontier(v, k);
                if (has(f.goal) || explored(belief, f) || !belief.nav().reached(f.goal)) continue;
                std::vector<Frontier> all = tour_;
                all.push_back(f);
                const Insertion in = cheapest_insertion(paths(belief, all), as_tour(), static_cast<int>(tour_.size()));
                if (in.cost < no_path) tour_.insert(tour_.begin() + static_cast<std::ptrdiff_t>(in.position), f);
            }
        });
    }

    /// 2. Sells goals offered two steps ago, each to the best bid below the own detour.
    void award(const Belief& belief, std::vector<Word>& words) {
        if (offered_at_ != belief.step() - 2) return;
        struct Best {
            RobotId robot = -1;
            std::int64_t price = 0;
        };
        std::vector<Best> best(offered_.size());
        listen(belief, bid_topic, [&](RobotId robot, const std::vector<std::int64_t>& v) {
            for (std::size_t k = 0; k + 3 <= v.size(); k += 3)
                for (std::size_t i = 0; i < offered_.size(); ++i)
                    if (offered_[i].first.x == v[k] && offered_[i].first.y == v[k + 1] &&
                        v[k + 2] < offered_[i].second && (best[i].robot < 0 || v[k + 2] < best[i].price))
                        best[i] = {robot, v[k + 2]};
        });
        std::vector<RobotId>
            bought;  // a bid counts on the tour as it was: one goal for each buyer and seller at a time
        for (std::size_t i = 0; i < offered_.size(); ++i) {
            if (best[i].robot < 0 || std::find(bought.begin(), bought.end(), best[i].robot) != bought.end()) continue;
            const auto sold = std::find_if(tour_.begin(), tour_.end(),
                                           [&](const Frontier& f) { return f.goal == offered_[i].first; });
            if (sold == tour_.end()) continue;
            bought.push_back(best[i].robot);
            Word word{award_topic, best[i].robot, {}};
            say(word.values, *sold);
            words.push_back(std::move(word));
            tour_.erase(sold);
        }
    }

    /// 1. Bids for offered goals: the detour that each would cost this robot, in whole cells.
    void bid(const Belief& belief, std::vector<Word>& words) const {
        listen(belief, offer_topic, [&](RobotId seller, const std::vector<std::int64_t>& v) {
            Word word{bid_topic, seller, {}};
            for (std::size_t k = 0; k + 5 <= v.size(); k += 5) {
                const Frontier f = received_frontier(v, k);
                if (explored(belief, f) || !belief.nav().reached(f.goal) || stall_.barred(belief, f.goal)) continue;
                // Too far already by the straight distance: no search.
                if (tour_.empty() && octile_cost(belief.cell(), f.goal) / straight_cost >= v[k + 4]) continue;
                std::vector<Frontier> all = tour_;
                all.push_back(f);
                const Insertion in = cheapest_insertion(paths(belief, all), as_tour(), static_cast<int>(tour_.size()));
                if (in.cost < static_cast<double>(v[k + 4]))
                    word.values.insert(word.values.end(), {f.goal.x, f.goal.y, std::llround(std::ceil(in.cost))});
            }
            if (!word.values.empty()) words.push_back(std::move(word));
        });
    }

    /// 0. Offers its goals, each with what it would save without it.
    void offer(const Belief& belief, std::vector<Word>& words) {
        const TourCosts costs = paths(belief, tour_);
        std::vector<int> tour = as_tour();
        improve_tour(costs, tour);
        std::vector<Frontier> better;
        for (const int i : tour) better.push_back(tour_[static_cast<std::size_t>(i)]);
        const double whole = tour_cost(costs, tour);
        offered_.clear();
        offered_at_ = belief.step();
        Word word{offer_topic, to_all, {}};
        for (std::size_t i = 0; i < tour.size(); ++i) {
            std::vector<int> without = tour;
            without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
            const double saved = whole - tour_cost(costs, without);
            if (!std::isfinite(saved)) continue;  // a search gave up
            const auto reserve = static_cast<std::int64_t>(saved);
            say(word.values, better[i]);
            word.values.push_back(reserve);
            offered_.emplace_back(better[i].goal, reserve);
        }
        tour_ = std::move(better);
        words.push_back(std::move(word));
    }

    bool has(Cell goal) const {
        return std::any_of(tour_.begin(), tour_.end(), [&](const Frontier& f) { return f.goal == goal; });
    }

    /// New goals, where no known tour leads yet; when there are none, wherever there is something to explore.
    void generate(const Belief& belief, Rng& rng) {
        const double range = sensor_range_cells(belief);
        std::vector<Frontier> frontiers = frontier_goals(belief, options_.goal_rule);
        std::erase_if(frontiers, [&](const Frontier& f) { return stall_.barred(belief, f.goal); });
        std::vector<Cell> others;
        for (const Participant& p : participants(belief, options_.mates)) {
            if (p.robot == belief.self()) continue;
            for (const Word& w : belief.latest(p.robot).words)
                for (std::size_t k = 0; w.topic == tour_topic && k + 4 <= w.values.size(); k += 4)
                    others.push_back(received_frontier(w.values, k).goal);
        }
        std::vector<Frontier> fresh;
        const double near = range / 2;
        for (const Frontier& f : frontiers)
            if (std::none_of(others.begin(), others.end(),
                             [&](Cell o) { return static_cast<double>(squared_distance(o, f.goal)) < near * near; }))
                fresh.push_back(f);
        if (fresh.empty()) fresh = std::move(frontiers);
        PathSearch search = belief.search(belief.cell(), goals_of(fresh));
        std::vector<Frontier> ordered;  // by way
        const std::size_t wanted =
            options_.generate == Generate::nearest ? static_cast<std::size_t>(options_.goals) : fresh.size();
        for (int f = 0; ordered.size() < wanted && (f = search.find_next()) >= 0;)
            ordered.push_back(fresh[static_cast<std::size_t>(f)]);
        if (options_.generate == Generate::random)
            for (std::size_t i = 0; i < ordered.size(); ++i)
                std::swap(ordered[i], ordered[i + rng.below(static_cast<std::uint32_t>(ordered.size() - i))]);
        if (options_.generate == Generate::quadtree) ordered = by_square(belief, std::move(ordered), range);
        if (ordered.size() > static_cast<std::size_t>(options_.goals))
            ordered.resize(static_cast<std::size_t>(options_.goals));
        const std::vector<int> order = short_tour(paths(belief, ordered));
        for (const int i : order) tour_.push_back(ordered[static_cast<std::size_t>(i)]);
    }

    /// Of each square of two sensor ranges with enough unknown in it, the frontier nearest to its middle; in the order
    /// in which the squares are met. All when no square has enough.
    std::vector<Frontier> by_square(const Belief& belief, std::vector<Frontier> ordered, double range) const {
        const double side = 2 * range;
        struct Square {
            Cell at;
            double from_middle;
        };
        std::vector<Square> squares;
        std::vector<Frontier> out;
        for (const Frontier& f : ordered) {
            const Cell at{whole_below(f.goal.x / side), whole_below(f.goal.y / side)};
            const Point middle{(at.x + 0.5) * side, (at.y + 0.5) * side};
            const double d = distance(middle, {f.goal.x + 0.5, f.goal.y + 0.5});
            const auto known =
                std::find_if(squares.begin(), squares.end(), [&](const Square& s) { return s.at == at; });
            if (known != squares.end()) {
                if (d >= known->from_middle) continue;
                known->from_middle = d;
                out[static_cast<std::size_t>(known - squares.begin())] = f;
                continue;
            }
            const Cell centre{static_cast<std::int32_t>(middle.x), static_cast<std::int32_t>(middle.y)};
            if (unknown_within(belief.map(), centre, range) < options_.unknown_share * pi * range * range) continue;
            squares.push_back({at, d});
            out.push_back(f);
        }
        return out.empty() ? std::move(ordered) : out;
    }

    std::vector<Overlay> explain(const Belief& belief) const {
        Overlay line = Overlay::polyline(Overlay::Meaning::path, "tour", {belief.pose().position()});
        for (const Frontier& f : tour_) line.points.push_back(belief.map().lattice().centre(f.goal));
        std::vector<double> prices;
        std::vector<Frontier> goals;
        for (const Frontier& f : tour_)
            for (const auto& [goal, price] : offered_)
                if (goal == f.goal) {
                    goals.push_back(f);
                    prices.push_back(static_cast<double>(price));
                }
        return {candidates_overlay(belief, goals, std::move(prices), "cells that the tour would be shorter without it"),
                std::move(line), Overlay::rule(tour_.empty() ? "no goal left: home" : "the first goal of the tour")};
    }

    MarketOptions options_;
    ReplanGuard replan_;
    StallGuard stall_;
    std::vector<Frontier> tour_;
    std::vector<std::pair<Cell, std::int64_t>> offered_;  // goal, reserve price
    int offered_at_ = -10;
    bool nothing_left_ = false;  // when it last looked for goals
};

OUTRIDER_STRATEGY("market", Market)

}  // namespace
}  // namespace outrider::market_strategy
