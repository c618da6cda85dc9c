#include "learning/agent.hpp"

#include <algorithm>
#include <cmath>

#include "outrider/behaviours.hpp"
#include "outrider/ray.hpp"

namespace outrider {
namespace {

constexpr int look_again_steps = 5;  // without a frontier: after so many, whether there is one
constexpr double looks_there = radians(5), turned = radians(1);

/// The point itself or, when it cannot be reached, the farthest cell on the straight line to it that can.
Point towards(const Belief& belief, Point goal) {
    const Lattice& lattice = belief.map().lattice();
    if (belief.nav().reached(lattice.cell_of(goal))) return goal;
    Cell last = belief.cell();
    walk_segment(lattice.to_cells(belief.pose().position()), lattice.to_cells(goal), [&](Cell c, double) {
        if (belief.nav().reached(c)) last = c;
        return true;
    });
    return lattice.centre(last);
}

/// To a place, with a look at what is unknown there.
Goto towards_place(const Belief& belief, const PlaceGraph& graph, Cell place) {
    const Lattice& lattice = belief.map().lattice();
    Goto out{lattice.centre(place), 0, {}};
    if (const auto look = graph.look_from(place); look && *look != place) out.face = lattice.centre(*look);
    return out;
}

}  // namespace

void AgentOptions::expect_valid() const {
    if (frontiers < 1 || frontiers > 1000) fail("frontiers: expected 1 to 1000, got {}", frontiers);
    if (every < 0) fail("every: expected a number of steps, or \"event\", got {}", every);
    if (patience_steps < 1) fail("patience_steps: expected 1 or more, got {}", patience_steps);
    if (on_graph() && !graph)
        fail("action: '{}' needs the observation 'graph'", agent_action_names[static_cast<std::size_t>(action)]);
    if ((action == AgentAction::meta) == strategies.empty())
        fail("strategies: expected some for the action 'meta', and none for others, got {}", strategies.size());
    if (graph && (graph->most < 1 || graph->most > 100'000)) fail("nodes: expected 1 to 100000, got {}", graph->most);
    if (graph && !(graph->spacing_m >= 0 && graph->spacing_m <= 1000))
        fail("spacing_m: expected 0 to 1000, got {}", graph->spacing_m);
    if (!window) return;
    const auto [pixels, scale] = *window;
    if (pixels < 8 || pixels > 1024 || pixels % 8 != 0)
        fail("window: expected pixels in a multiple of 8, up to 1024, got {}", pixels);
    if (scale != 1 && scale != 2 && scale != 4 && scale != 8)
        fail("window: expected a scale of 1, 2, 4 or 8, got {}", scale);
}

int AgentOptions::actions() const {
    switch (action) {
        case AgentAction::frontier:
            return frontiers;
        case AgentAction::node:
            return PlaceGraph::neighbours;
        case AgentAction::view:
            return PlaceGraph::neighbours * PlaceGraph::headings;
        case AgentAction::meta:
            return static_cast<int>(strategies.size());
        case AgentAction::waypoint:
        case AgentAction::velocity:
            break;
    }
    return 0;
}

Agent::Agent(const AgentOptions& options) : options_(options) {
    options_.expect_valid();
    if (options_.graph) graph_.emplace(*options_.graph);
}

std::optional<Intent> Agent::look(const Belief& belief) {
    due_ = asks(belief);
    if (options_.window && (track_.empty() || track_.back() != belief.cell())) track_.push_back(belief.cell());
    if (graph_) graph_->update(belief);
    return due_ ? look_around(belief) : std::nullopt;
}

/// What it can choose from, now that it has to decide. When there is nothing, it drives by itself.
std::optional<Intent> Agent::look_around(const Belief& belief) {
    by_itself_ = false;
    if (options_.action == AgentAction::frontier) {
        choices_ = frontier_choices(belief, options_.frontiers);
        by_itself_ = choices_.empty();
    } else if (options_.on_graph()) {
        graph_->refresh(belief);
        const auto around = graph_->around();
        const bool stuck =
            std::none_of(around.begin(), around.end(), [](const auto& cell) { return cell.has_value(); });
        by_itself_ = stuck || !graph_->guided();
        if (by_itself_) choices_ = frontier_choices(belief, 1);
    }
    if (!by_itself_) return {};
    Intent intent = go_home(belief);
    if (!choices_.empty()) intent = {.action = go_to_frontier(belief, choices_[0].frontier)};
    due_ = false;  // nothing to ask it
    looked_ = belief.step();
    return intent;
}

bool Agent::asks(const Belief& belief) {
    contacts_.resize(belief.briefing().team().size());
    bool met = false;
    for (std::size_t r = 0; r < contacts_.size(); ++r) {
        const bool contact = belief.in_contact(static_cast<RobotId>(r));
        met = met || (contact && !contacts_[r]);
        contacts_[r] = contact;
    }
    if (looked_ < 0) return true;
    const int since = belief.step() - looked_;
    if (options_.every > 0) return since >= options_.every;
    if (by_itself_) return since >= look_again_steps;
    if (met || since >= options_.patience_steps || belief.goal_unreachable() || belief.percept().bumped) return true;
    if (target_ && explored(belief, *target_)) return true;
    return arrived(belief);
}

/// At its goal and, if it was to look somewhere there, done with turning.
bool Agent::arrived(const Belief& belief) {
    if (!goal_ || belief.cell() != belief.map().lattice().cell_of(*goal_)) return false;
    const double yaw = belief.pose().yaw;
    const bool turns = !yaw_ || std::abs(wrap_angle(yaw - *yaw_)) > turned;
    yaw_ = yaw;
    return !heading_ || !turns || std::abs(wrap_angle(yaw - *heading_)) <= looks_there;
}

std::array<bool, PlaceGraph::neighbours> Agent::slots() const {
    std::array<bool, PlaceGraph::neighbours> out{};
    if (!by_itself_)
        std::ranges::transform(graph_->around(), out.begin(), [](const auto& cell) { return cell.has_value(); });
    return out;
}

void Agent::expect_valid(const Belief& belief, std::int64_t choice) const {
    if (choice < 0 || choice >= options_.actions())
        fail("action of {}: expected 0 to {}, got {}", belief.briefing().me().name, options_.actions() - 1, choice);
}

void Agent::begin_decision(const Belief& belief) {
    decided_ = looked_ = belief.step();
    target_.reset();
    goal_.reset();
    heading_.reset();
    yaw_.reset();
}

std::optional<Intent> Agent::choose(const Belief& belief, std::int64_t choice) {
    expect_valid(belief, choice);
    begin_decision(belief);
    if (by_itself_ || options_.action == AgentAction::meta) return {};
    Intent intent;
    std::optional<Goto> go;
    if (options_.action == AgentAction::node) {
        if (const auto cell = graph_->around()[static_cast<std::size_t>(choice)])
            go = towards_place(belief, *graph_, *cell);
    } else if (options_.action == AgentAction::view) {
        if (const auto cell = graph_->around()[static_cast<std::size_t>(choice / PlaceGraph::headings)]) {
            heading_ = wrap_angle(2 * pi * static_cast<double>(choice % PlaceGraph::headings) / PlaceGraph::headings);
            const auto [sin, cos] = sin_cos(*heading_);
            const Point place = belief.map().lattice().centre(*cell);
            go = Goto{place, 0, place + Point{cos, sin}};
        }
    } else if (choice < std::ssize(choices_)) {
        target_ = choices_[static_cast<std::size_t>(choice)].frontier;
        go = go_to_frontier(belief, *target_);
    }
    if (go) {
        goal_ = go->goal;
        intent.action = *go;
    }
    return intent;
}

std::array<double, 2> Agent::bounds(const Belief& belief) const {
    if (options_.action == AgentAction::velocity) {
        const Briefing& briefing = belief.briefing();
        return {briefing.me().speed_mps, briefing.turn_radps > 0 ? briefing.turn_radps : pi};
    }
    const double range = belief.map().lattice().metres(sensor_range_cells(belief));
    return {range, range};
}

void Agent::expect_valid(const Belief& belief, const std::array<double, 2>& values) const {
    const std::array<double, 2> most = bounds(belief);
    for (std::size_t k = 0; k < 2; ++k)
        if (!(std::abs(values[k]) <= most[k] * (1 + 1e-6)))  // a float may be rounded up
            fail("action of {}: expected {} to {}, got {}", belief.briefing().me().name, -most[k], most[k], values[k]);
}

Intent Agent::choose(const Belief& belief, const std::array<double, 2>& values) {
    expect_valid(belief, values);
    begin_decision(belief);
    Intent intent;
    if (options_.action == AgentAction::velocity) {
        intent.action = Drive{values[0], values[1]};
    } else {
        goal_ = towards(belief, belief.pose().position() + Point{values[0], values[1]});
        intent.action = Goto{*goal_, 0, {}};
    }
    return intent;
}

void Agent::follow(const Belief& belief, const Intent& intent) {
    due_ = by_itself_ = false;
    begin_decision(belief);
    if (const auto* go = std::get_if<Goto>(&intent.action)) goal_ = go->goal;
}

void Agent::observe(const Belief& belief, const Observation& out) {
    const OwnFeatures own = own_features(belief);
    std::copy(own.begin(), own.end(), out.own.begin());
    const bool chooses = options_.action == AgentAction::frontier;
    const std::vector<FrontierChoice> found = !chooses && !out.frontiers.empty()
                                                  ? frontier_choices(belief, options_.frontiers)
                                                  : std::vector<FrontierChoice>{};
    const std::vector<FrontierChoice>& choices = chooses ? choices_ : found;
    for (std::size_t k = 0; k < out.mask.size(); ++k) out.mask[k] = k < choices.size();
    if (!out.frontiers.empty()) {
        std::fill(out.frontiers.begin(), out.frontiers.end(), 0.0f);
        for (std::size_t k = 0; k < choices.size(); ++k)
            std::copy(choices[k].features.begin(), choices[k].features.end(),
                      out.frontiers.begin() + static_cast<std::ptrdiff_t>(k * frontier_feature_names.size()));
    }
    if (!out.window.empty()) draw_window(belief, *options_.window, track_, out.window);
    if (!out.node.empty()) out.node[0] = graph_->fill(belief, out.graph);
    if (!out.slots.empty()) std::ranges::copy(slots(), out.slots.begin());
}

}  // namespace outrider
