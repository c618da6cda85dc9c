// Words that arrive damaged, and nobody can tell. What arrives follows from the messages, the step, the receiver and
// the seed alone: a log keeps messages as they were sent, and a replay damages them again.
#pragma once

#include <memory>
#include <vector>

#include "outrider/percept.hpp"
#include "radio/medium.hpp"

namespace outrider {

class WordDamage {
  public:
    WordDamage(const CommOptions& options, std::uint64_t seed)
        : jumble_rate_(options.jumble_rate), noise_(options.word_noise), seed_(seed) {}
    bool any() const { return jumble_rate_ > 0 || noise_ > 0; }
    /// Puts copies with damaged words in the place of the messages that a robot receives. The copies are kept in
    /// `copies`, whose content of before is dropped.
    void apply(RobotId receiver, int step, std::vector<Received>& inbox,
               std::vector<std::shared_ptr<const Message>>& copies) const;

  private:
    double jumble_rate_, noise_;
    std::uint64_t seed_;
};

}  // namespace outrider
