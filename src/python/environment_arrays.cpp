// The arrays of environments, and what they show.
#include "python/environments.hpp"

namespace outrider::python {

void Environments::allocate(int most_agents) {
    const auto count = static_cast<int>(episodes_.size());
    agents_ = most_agents;
    for (int e = 0; e < count; ++e) moments_.push_back(std::make_shared<bool>(true));
    const py::ssize_t agents = agents_, most = options_.frontiers;
    members_ = {count, {agents}};
    due_ = {count, {agents}};
    alive_ = {count, {agents}};
    waited_ = {count, {agents}};
    settled_ = {count, {agents}};
    terms_ = {count, {agents, py::ssize_t{reward_term_names.size()}}};
    since_ = {count, {agents, py::ssize_t{reward_term_names.size()}}};
    terminated_ = {count, {}};
    truncated_ = {count, {}};
    steps_ = {count, {}};
    team_share_ = {count, {}};
    travelled_m_ = {count, {}};
    own_ = {count, {agents, py::ssize_t{own_feature_names.size()}}};
    mask_ = {count, {agents, most}};
    if (options_.on_graph()) slots_ = {count, {agents, py::ssize_t{PlaceGraph::neighbours}}};
    if (with_frontiers_) frontiers_ = {count, {agents, most, py::ssize_t{frontier_feature_names.size()}}};
    if (options_.window) {
        const py::ssize_t side = options_.window->pixels;
        window_ = {count, {agents, py::ssize_t{window_channel_names.size()}, side, side}};
    }
    if (options_.graph) {
        const py::ssize_t nodes = options_.graph->most;
        nodes_ = {count, {agents, nodes, py::ssize_t{place_feature_names.size()}}};
        neighbours_ = {count, {agents, nodes, py::ssize_t{PlaceGraph::neighbours}}};
        node_mask_ = {count, {agents, nodes}};
        node_ = {count, {agents, py::ssize_t{1}}};
        if (options_.action == AgentAction::view) ahead_ = {count, {agents, nodes, py::ssize_t{PlaceGraph::headings}}};
    }
}

void Environments::take_arrays(const Environments& other) {
    members_.take_from(other.members_);
    due_.take_from(other.due_);
    alive_.take_from(other.alive_);
    settled_.take_from(other.settled_);
    terminated_.take_from(other.terminated_);
    truncated_.take_from(other.truncated_);
    window_.take_from(other.window_);
    mask_.take_from(other.mask_);
    slots_.take_from(other.slots_);
    node_mask_.take_from(other.node_mask_);
    waited_.take_from(other.waited_);
    steps_.take_from(other.steps_);
    neighbours_.take_from(other.neighbours_);
    node_.take_from(other.node_);
    terms_.take_from(other.terms_);
    since_.take_from(other.since_);
    team_share_.take_from(other.team_share_);
    travelled_m_.take_from(other.travelled_m_);
    own_.take_from(other.own_);
    frontiers_.take_from(other.frontiers_);
    nodes_.take_from(other.nodes_);
    ahead_.take_from(other.ahead_);
}

py::dict Environments::arrays() const {
    py::dict out;
    out["members"] = members_.array;
    out["due"] = due_.array;
    out["alive"] = alive_.array;
    out["settled"] = settled_.array;
    out["terms"] = terms_.array;
    out["since"] = since_.array;
    out["waited"] = waited_.array;
    out["terminated"] = terminated_.array;
    out["truncated"] = truncated_.array;
    out["steps"] = steps_.array;
    out["team_share"] = team_share_.array;
    out["way_m"] = travelled_m_.array;
    out["own"] = own_.array;
    if (options_.action == AgentAction::frontier || with_frontiers_) out["mask"] = mask_.array;
    if (options_.on_graph()) out["slots"] = slots_.array;
    if (with_frontiers_) out["frontiers"] = frontiers_.array;
    if (options_.window) out["window"] = window_.array;
    if (options_.graph) {
        out["nodes"] = nodes_.array;
        out["neighbours"] = neighbours_.array;
        out["node_mask"] = node_mask_.array;
        out["node"] = node_.array;
        if (options_.action == AgentAction::view) out["ahead"] = ahead_.array;
    }
    return out;
}

/// What an environment shows now; of agents that are not due the observations stay.
void Environments::fill(int e) {
    const Episode& episode = this->episode(e);
    const EpisodeOutcome& outcome = episode.outcome();
    terminated_.of(e)[0] = outcome.terminated;
    truncated_.of(e)[0] = outcome.truncated;
    steps_.of(e)[0] = outcome.steps;
    team_share_.of(e)[0] = outcome.team_share;
    travelled_m_.of(e)[0] = outcome.travelled_m;
    for (int a = episode.agents(); a < agents_; ++a) leave_out(e, a);
    for (int a = 0; a < episode.agents(); ++a) {
        members_.of(e, a, agents_)[0] = 1;
        const bool due = episode.due(a);
        due_.of(e, a, agents_)[0] = due;
        alive_.of(e, a, agents_)[0] = episode.alive(a);
        waited_.of(e, a, agents_)[0] = episode.since_decision(a);
        settled_.of(e, a, agents_)[0] = episode.settled(a);
        std::ranges::copy(episode.terms(a), terms_.of(e, a, agents_).begin());
        std::ranges::copy(episode.terms_since(a), since_.of(e, a, agents_).begin());
        if (due || outcome.steps == 0) observe(e, a);
    }
}

void Environments::observe(int e, int a) {
    Episode& episode = this->episode(e);
    const Belief& belief = episode.belief(a);
    Agent::Observation out{};
    out.own = own_.of(e, a, agents_);
    out.mask = mask_.of(e, a, agents_);
    if (with_frontiers_) out.frontiers = frontiers_.of(e, a, agents_);
    if (options_.window) out.window = window_.of(e, a, agents_);
    if (options_.graph) {
        out.graph = {nodes_.of(e, a, agents_), neighbours_.of(e, a, agents_), node_mask_.of(e, a, agents_)};
        if (options_.action == AgentAction::view) out.graph.ahead = ahead_.of(e, a, agents_);
        out.node = node_.of(e, a, agents_);
    }
    if (options_.on_graph()) out.slots = slots_.of(e, a, agents_);
    episode.mind(a).observe(belief, out);
}

/// Of a place in the arrays that a smaller team leaves empty.
void Environments::leave_out(int e, int a) {
    const auto clear = [&](const auto&... arrays) {
        const auto one = [&](const auto& array) {
            if (array.all.empty()) return;
            std::ranges::fill(array.of(e, a, agents_), 0);
        };
        (one(arrays), ...);
    };
    clear(members_, due_, alive_, waited_, terms_, since_, own_, mask_, slots_, frontiers_, window_, nodes_,
          neighbours_, node_mask_, node_, ahead_);
    settled_.of(e, a, agents_)[0] = 1;
}

}  // namespace outrider::python
