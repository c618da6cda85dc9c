// Robots that recognise each other: where team-mates in view are.
#pragma once

#include "messages/sighting_options.hpp"
#include "simulator/world_part.hpp"

namespace outrider {

class Recognition final : public Copied<Recognition, WorldPart> {
  public:
    /// recognised: by robot, whether others in whose view it is know who it is.
    Recognition(const SightingOptions& options, std::vector<std::uint8_t> recognised)
        : options_(options), recognised_(std::move(recognised)) {}
    void sense(const WorldState& state, RobotId robot, Percept& percept) override;

  private:
    SightingOptions options_;
    std::vector<std::uint8_t> recognised_;
};

}  // namespace outrider
