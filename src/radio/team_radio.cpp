#include "radio/team_radio.hpp"

#include <utility>

#include "outrider/rng.hpp"

namespace outrider {

TeamRadio::TeamRadio(const RadioSection& radio, const CommOptions& comm, std::uint64_t seed)
    : radio_(radio),
      comm_(comm),
      seed_(seed),
      chance_{Ir2Losses::draw(radio, seed), Fading(radio, seed), 0},
      medium_(comm, seed) {}

Medium::Exchange& TeamRadio::exchange(const WallField& walls, const Lattice& lattice, int step,
                                      std::span<const Transceiver> radios, std::vector<Outbox> sent,
                                      std::span<const int> order) {
    chance_.step = step;
    std::vector<Link> disturbing;
    if (comm_.medium_bytes > 0)
        disturbing = find_links(walls, lattice, better_by(radio_, disturbing_db), radios, chance_);
    under_way_.push_back(std::move(sent));
    std::vector<Outbox> arriving(radios.size());
    if (under_way_.size() > static_cast<std::size_t>(comm_.latency_steps)) {
        arriving = std::move(under_way_.front());
        under_way_.pop_front();
    }
    return medium_.exchange(finder_.find(walls, lattice, radio_, radios, chance_), std::move(arriving), disturbing,
                            order);
}

void TeamRadio::show(std::vector<Link> links, std::size_t robots) {
    medium_.exchange(std::move(links), std::vector<Outbox>(robots));
}

void TeamRadio::measure(RobotId robot, std::vector<LinkReport>& links) const {
    links = traffic().neighbours[static_cast<std::size_t>(robot)];
    if (radio_.sensed_noise_db <= 0) return;
    Rng rng(seed_, robot, Purpose::radio, chance_.step);
    for (LinkReport& link : links) link.signal_dbm += radio_.sensed_noise_db * rng.normal();
}

}  // namespace outrider
