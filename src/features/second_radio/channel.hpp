// A second radio of every robot and base station: it reaches farther and carries little. Over it goes what a robot says
// of itself, never a map, and nothing is forwarded.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "features/second_radio/options.hpp"
#include "outrider/percept.hpp"
#include "radio/links.hpp"

namespace outrider {

class SecondChannel {
  public:
    /// Bytes of a message before its words: header, pose, goal, role and flags.
    static constexpr std::size_t fixed_bytes = 24;

    /// For a team of so many.
    SecondChannel(const SecondRadioOptions& options, std::size_t robots) : options_(options), queues_(robots) {}

    /// Sends what each robot said in the last step (nullptr: nothing) and delivers what arrives in this one. `radios`:
    /// where they are now; their ranges do not count.
    void exchange(const WallField& walls, const Lattice& lattice, std::span<const Transceiver> radios,
                  std::span<const std::shared_ptr<const Message>> messages);
    /// What arrived at a robot, by sender: the records of the senders, with the words that fitted.
    const std::vector<TeamRecord>& received(RobotId robot) const { return received_[static_cast<std::size_t>(robot)]; }
    /// Bytes sent in this step by all.
    std::uint64_t bytes() const { return bytes_; }

  private:
    /// The words of a robot that wait, in the order in which they are sent; of each topic and receiver the newest.
    struct Queue {
        std::deque<Word> words;
        std::size_t saved = 0;  ///< bytes left over, while a word waits
    };
    TeamRecord packed(const Message& message, Queue& queue);

    SecondRadioOptions options_;
    std::vector<Queue> queues_;
    using Inboxes = std::vector<std::vector<TeamRecord>>;
    std::deque<Inboxes> under_way_;
    Inboxes received_;
    std::uint64_t bytes_ = 0;
};

}  // namespace outrider
