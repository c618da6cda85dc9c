#include "outrider/belief.hpp"

#include <algorithm>

#include "messages/map_payload.hpp"
#include "outrider/error.hpp"
#include "outrider/skeleton.hpp"
#include "robot/knowledge.hpp"

namespace outrider {
namespace {

/// Words of others may name any robot number: check it before use.
std::size_t index(const Knowledge& knowledge, RobotId robot) {
    OUTRIDER_CHECK(robot, >=, 0);
    OUTRIDER_CHECK(static_cast<std::size_t>(robot), <, knowledge.contact.size());
    return static_cast<std::size_t>(robot);
}

}  // namespace

const Briefing& Belief::briefing() const { return knowledge_->briefing; }
RobotId Belief::self() const { return knowledge_->briefing.self; }
int Belief::step() const { return knowledge_->step; }
const Percept& Belief::percept() const {
    static const Percept nothing{};
    return knowledge_->percept ? *knowledge_->percept : nothing;
}
const std::vector<Received>& Belief::inbox() const {
    return knowledge_->here && knowledge_->percept ? knowledge_->here->inbox : percept().inbox;
}

const std::vector<OperatorCommand>& Belief::orders() const { return knowledge_->orders; }

const Pose& Belief::pose() const { return knowledge_->pose; }
Cell Belief::cell() const { return knowledge_->cell(); }
double Belief::speed_cells() const {
    const Briefing& me = knowledge_->briefing;
    return me.lattice.cells(me.me().speed_mps * me.step_s);
}

MapView Belief::map() const { return {knowledge_->map, knowledge_->trusted_plan}; }
const TeamTable& Belief::team() const {
    if (knowledge_->here) return knowledge_->here->team;
    return knowledge_->with_far ? *knowledge_->with_far : knowledge_->team;
}
const TeamRecord& Belief::latest(RobotId robot) const { return *team()[index(*knowledge_, robot)]; }
bool Belief::in_contact(RobotId robot) const { return knowledge_->contact[index(*knowledge_, robot)] == step(); }

bool Belief::received_far(RobotId robot) const {
    const std::size_t i = index(*knowledge_, robot);
    return i < knowledge_->far.size() && knowledge_->far[i] && knowledge_->far_step[i] == step();
}

bool Belief::base_in_contact() const {
    return std::any_of(briefing().team().begin(), briefing().team().end(),
                       [&](const TeamMember& m) { return m.role == Role::base && in_contact(m.id); });
}

bool Belief::delivered() const {
    return std::any_of(briefing().team().begin(), briefing().team().end(),
                       [&](const TeamMember& m) { return m.role == Role::base && delivered_to(m.id); });
}

std::span<const std::uint64_t> Belief::discovered_rows(Cell low) const {
    const BitTile* tile = knowledge_->discovered.find(tile_of(low));
    return tile ? std::span<const std::uint64_t>(tile->rows) : std::span<const std::uint64_t>();
}

bool Belief::delivered_to(RobotId other) const {
    if (const auto& mine = knowledge_->sent_submaps) {
        const auto& theirs = knowledge_->received_submaps[index(*knowledge_, other)];
        return theirs && holds_all(*theirs, *mine, knowledge_->contact.size());
    }
    const auto& received = knowledge_->received;
    const auto& sent = knowledge_->sent;
    if (!received || !sent) return false;
    const MapSnapshot* theirs = received->find(other);
    if (!theirs || theirs->frame != sent->frame) return false;
    return holds_all(*theirs, *sent);
}

int Belief::last_discovery() const { return knowledge_->last_discovery; }

Point Belief::home() const {
    if (briefing().bases.empty()) return briefing().start.position();
    const auto nearer = [&](const auto& a, const auto& b) {
        return distance(a.second.position(), pose().position()) < distance(b.second.position(), pose().position());
    };
    return std::min_element(briefing().bases.begin(), briefing().bases.end(), nearer)->second.position();
}

bool Belief::looked_in_vain(Cell goal, Cell look) const { return knowledge_->looked_in_vain(goal, look); }
NavView Belief::nav() const { return knowledge_->derived->nav(); }
NavView Belief::nav_for(double radius_cells) const { return knowledge_->derived->nav_for(radius_cells); }
WallView Belief::wall_distance(int horizon_cells) const { return knowledge_->derived->wall_distance(horizon_cells); }
SkeletonView Belief::skeleton() const { return knowledge_->derived->skeleton(); }
const std::vector<Frontier>& Belief::frontiers() const { return knowledge_->derived->frontiers(); }
double Belief::unknown_in_sight(Cell from, int rays) const { return knowledge_->derived->unknown_in_sight(from, rays); }
const Path& Belief::path_to(Cell goal) const { return knowledge_->derived->path_to(goal); }
Path Belief::clear_path(Cell from, Cell to) const { return knowledge_->derived->clear_path(from, to); }
bool Belief::any_angle() const { return knowledge_->any_angle; }
PathSearch Belief::search(Cell from, std::span<const Cell> goals) const {
    return knowledge_->derived->search(from, goals);
}

bool Belief::goal_unreachable() const { return knowledge_->goal_unreachable; }
bool Belief::overlays_wanted() const { return knowledge_->overlays_wanted; }

}  // namespace outrider
