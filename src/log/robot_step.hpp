// What is recorded of a step of a robot.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "messages/decision.hpp"
#include "outrider/percept.hpp"

namespace outrider {

class Robot;

/// A message that was received. Its content is stored with its sender, in the step in which it was sent: the one
/// before, or as much earlier as comm.latency_steps says. Damage to its words follows from the options
/// (radio/word_damage.hpp).
struct Reception {
    RobotId from = 0;
    std::uint64_t bytes = 0;  ///< on the air
    bool all_tiles = true;
    std::vector<TileCoord> tiles;  ///< sorted; when not all
    bool operator==(const Reception&) const = default;
};

/// What a robot sent to all. Its map, and from whom it had received, follow from its percepts up to then.
struct Transmission {
    Role role = Role::explorer;
    bool done = false;
    Share share = Share::all;
    int summary_tiles = 0;
    std::optional<Point> goal;
    std::vector<Word> words;
    bool operator==(const Transmission&) const = default;
};

/// A step of a robot. The inbox of `percept` is empty: it is in `heard`.
struct RobotStep {
    Percept percept;
    std::vector<Reception> received;
    std::vector<std::string> frames;  ///< of a live robot: messages as they came off the air, instead of `heard`
    std::optional<PoseEstimate> pose_estimate;
    Command command;
    std::optional<Transmission> sent;
    /// Only in the log of an open loop: what was sent in the run that the percepts come from; this is what
    /// others receive.
    std::optional<Transmission> sent_then;
    std::vector<Overlay> overlays;

    /// What others receive of this step.
    const std::optional<Transmission>& audible(bool open_loop) const { return open_loop ? sent_then : sent; }
    /// Stores what is recorded of a step. `bytes`: of the messages of the inbox.
    void take(const Percept& p, const Decision& d, std::span<const std::uint64_t> bytes);
    /// The same of a live robot, whose inbox came in these frames.
    void take(const Percept& p, const Decision& d, std::span<const std::string> off_air);

  private:
    void take(const Percept& p, const Decision& d);
};

/// Takes a robot through a step that was recorded: what it decided, and the message that it made of what it then knew,
/// whether it sent that or not (nullptr: it is out of service). `percept` has its inbox.
std::pair<Decision, std::shared_ptr<const Message>> retrace(Robot& robot, const Percept& percept,
                                                            const RobotStep& recorded);

}  // namespace outrider
