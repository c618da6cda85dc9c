#include "simulator/sim_driver.hpp"

#include <utility>

#include "base/parallel.hpp"
#include "grid/morton_order.hpp"
#include "messages/order_words.hpp"
#include "messages/team_size.hpp"

namespace outrider {

SimDriver::SimDriver(World world, std::vector<Equipment> equipment, const SimOptions& options, WorldParts parts)
    : state_{.world = std::move(world), .equipment = std::move(equipment), .seed = options.seed},
      parts_(std::move(parts)),
      radio_(options.radio, options.comm, options.seed),
      scan_spacing_(options.scans),
      outboxes_(state_.equipment.size()),
      orders_(state_.equipment.size()),
      orders_by_radio_(options.orders_by_radio) {
    const std::size_t robots = state_.equipment.size();
    OUTRIDER_CHECK(state_.world.bodies().size(), ==, robots);
    state_.moves.resize(robots);
    state_.blinded.resize(robots);
    for (std::size_t i = 0; i < robots; ++i)
        motion_sensors_.emplace_back(options.instrument, state_.equipment[i].noise, state_.world.bodies()[i].pose,
                                     state_.world.step_s(), options.seed, static_cast<RobotId>(i));
}

bool SimDriver::sense(std::span<Percept> percepts) {
    OUTRIDER_CHECK(percepts.size(), ==, state_.equipment.size());
    if (!script_.empty() && state_.step + 1 >= static_cast<int>(script_.size())) return false;
    ++state_.step;
    for (const auto& part : parts_) part->begin(state_);
    Medium::Exchange& air = exchange();
    for (const auto& part : parts_) part->delivered(state_, air);
    parallel_for(static_cast<int>(percepts.size()), [&](int i) {
        const auto robot = static_cast<std::size_t>(i);
        Percept& p = percepts[robot];
        p.step = state_.step;
        p.alive = state_.world.body(i).alive;
        p.battery = 1;
        p.inbox.swap(air.inboxes[robot]);
        p.joined.swap(air.joined[robot]);
        p.links.clear();
        p.motion = {};
        p.bumped = false;
        p.commands = std::exchange(orders_[robot], {});
        if (!p.alive) {
            p.scans.clear();
            p.commands.clear();
            p.rough.clear();
            p.steps.clear();
            p.received_far.clear();
            return;
        }
        radio_.measure(i, p.links);
        look(i, p);
        p.bumped = state_.moves[robot].bumped;
        p.sightings.clear();
        for (const auto& part : parts_) part->sense(state_, i, p);
    });
    return true;
}

void SimDriver::show(std::span<const std::optional<Pose>> believed, std::vector<Link> links) {
    World& world = state_.world;
    OUTRIDER_CHECK(believed.size(), ==, state_.equipment.size());
    ++state_.step;
    for (std::size_t i = 0; i < believed.size(); ++i) {
        const auto robot = static_cast<RobotId>(i);
        state_.moves[i] = {world.body(robot).pose, {}, {}, false};
        if (!believed[i])
            world.kill(robot);
        else if (!world.field().wall(world.lattice().cell_of(believed[i]->position())))
            state_.moves[i] = world.place(robot, *believed[i]);
    }
    radio_.show(std::move(links), believed.size());
}

/// Delivers the messages that arrive in this step, over the links at the present poses.
Medium::Exchange& SimDriver::exchange() {
    const World& world = state_.world;
    std::vector<Transceiver> radios;
    for (std::size_t i = 0; i < state_.equipment.size(); ++i) {
        const Body& body = world.bodies()[i];
        radios.push_back({body.pose.position(), state_.equipment[i].radio_range_m, body.alive});
    }
    for (const auto& part : parts_) part->on_air(state_, radios, outboxes_);
    if (radios.size() >= large_team) {
        std::vector<Point> places;
        for (const Transceiver& radio : radios) places.push_back(radio.position);
        order_ = morton_order(places, world.lattice().cell_m);
    }
    return radio_.exchange(world.field(), world.lattice(), state_.step, radios,
                           std::exchange(outboxes_, std::vector<Outbox>(radios.size())), order_);
}

void SimDriver::command(RobotId robot, OperatorCommand command) {
    if (orders_by_radio_ && command.to < 0 && is_order(command.behaviour) && state_.equipment.front().base) {
        command.to = robot;
        robot = 0;
    }
    orders_[static_cast<std::size_t>(robot)].push_back(std::move(command));
}

void SimDriver::act(std::span<const Decision> decisions) {
    OUTRIDER_CHECK(decisions.size(), ==, state_.equipment.size());
    const auto next = static_cast<std::size_t>(state_.step + 1);
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        const auto robot = static_cast<RobotId>(i);
        Move& move = state_.moves[i];
        if (script_.empty()) {
            Command command = decisions[i].command;
            bool waits = false;
            for (const auto& part : parts_) waits |= part->limit(state_, robot, command);
            move = state_.world.move(robot, waits ? Command{} : command);
            move.bumped |= waits;
        } else
            move = next < script_.size() ? state_.world.place(robot, script_[next][i]) : Move{};
        outboxes_[i] = decisions[i].outbox;
    }
}

}  // namespace outrider
