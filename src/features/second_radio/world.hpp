// The second radio of robots and base stations.
#pragma once

#include "features/second_radio/channel.hpp"
#include "scenario/feature.hpp"

namespace outrider {

class SecondRadio final : public Copied<SecondRadio, WorldPart> {
  public:
    SecondRadio(const SecondRadioOptions& options, std::size_t robots) : channel_(options, robots) {}
    void on_air(const WorldState& state, std::span<Transceiver> radios, std::span<const Outbox> sent) override {
        std::vector<std::shared_ptr<const Message>> messages;
        for (const Outbox& outbox : sent) messages.push_back(outbox.empty() ? nullptr : outbox.front());
        channel_.exchange(state.world.field(), state.world.lattice(), radios, messages);
    }
    void sense(const WorldState&, RobotId robot, Percept& percept) override {
        percept.received_far = channel_.received(robot);
    }

  private:
    SecondChannel channel_;
};

ScenarioFeature second_radio_scenario();

}  // namespace outrider
