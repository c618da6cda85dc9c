// Words that arrive damaged.
#pragma once

#include "radio/word_damage.hpp"
#include "simulator/world_part.hpp"

namespace outrider {

class DamagedWords final : public Copied<DamagedWords, WorldPart> {
  public:
    DamagedWords(const CommOptions& options, std::uint64_t seed, std::size_t robots)
        : damage_(options, seed), copies_(robots) {}
    void sense(const WorldState& state, RobotId robot, Percept& percept) override {
        damage_.apply(robot, state.step, percept.inbox, copies_[static_cast<std::size_t>(robot)]);
    }

  private:
    WordDamage damage_;
    std::vector<std::vector<std::shared_ptr<const Message>>> copies_;  // by receiver, in this step
};

}  // namespace outrider
