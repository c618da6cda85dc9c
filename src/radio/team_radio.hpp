// The radio of a team: links from the true walls, and messages that take their time.
#pragma once

#include <deque>
#include <span>
#include <vector>

#include "radio/links.hpp"
#include "radio/medium.hpp"

namespace outrider {

class TeamRadio {
  public:
    TeamRadio(const RadioSection& radio, const CommOptions& comm, std::uint64_t seed);

    /// Takes what each robot sent, and delivers what arrives in this step (comm.latency_steps) over the links between
    /// the radios; see Medium::exchange().
    Medium::Exchange& exchange(const WallField& walls, const Lattice& lattice, int step,
                               std::span<const Transceiver> radios, std::vector<Outbox> sent,
                               std::span<const int> order);
    /// A step of robots that are not simulated: who heard whom, sorted.
    void show(std::vector<Link> links, std::size_t robots);
    /// Of the last step; for observers.
    const Traffic& traffic() const { return medium_.traffic(); }
    /// The neighbours of a robot in this step, with their signals as it measures them.
    void measure(RobotId robot, std::vector<LinkReport>& links) const;

  private:
    RadioSection radio_;
    CommOptions comm_;
    std::uint64_t seed_;
    RadioChance chance_;
    LinkFinder finder_;
    Medium medium_;
    std::deque<std::vector<Outbox>> under_way_;  // by step, oldest first: not delivered yet
};

}  // namespace outrider
