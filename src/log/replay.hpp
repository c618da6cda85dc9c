// A full log, step by step: what every robot perceived, sent and decided, and what it knew. Without a world and without
// calling a strategy: maps are rebuilt from the percepts, starting at the keyframe before the step.
#pragma once

#include <deque>
#include <memory>
#include <unordered_map>

#include "log/log_reader.hpp"
#include "log/step_codec.hpp"
#include "radio/word_damage.hpp"
#include "run/run.hpp"
#include "scenario/scenario.hpp"
#include "wire/frame_inbox.hpp"

namespace outrider {

class Replay {
  public:
    /// Throws Error when the log is not of the full level. `log` outlives this.
    explicit Replay(LogReader& log);
    Replay(const Replay&) = delete;
    Replay& operator=(const Replay&) = delete;

    /// Goes on to the next step that can be read; false at the end of the log.
    bool next();
    /// Goes to a step, in any direction. False when the log does not hold it, or it is damaged.
    bool seek(int step);

    /// Whether the decisions are those of an open loop: they had no effect; others received the original messages.
    bool open_loop() const { return layout_.open_loop; }
    int step() const { return step_; }  ///< -1 before the first
    /// The present step; valid until the next call of next() or seek(). Messages are as they were sent.
    std::span<const Percept> percepts() const { return percepts_; }
    std::span<const Decision> decisions() const { return decisions_; }
    /// The robots after the present step. What they received of others' maps before the keyframe is not known to them.
    std::span<const Robot> team() const { return team_; }
    /// Grows whenever the robots were built anew from a keyframe: observers of their maps must start again.
    int rebuilds() const { return rebuilds_; }
    /// The same with hashes, as observers of a run see it.
    StepView view();
    /// What is recorded of the present step, by robot.
    const std::vector<RobotStep>& recorded() const { return *recorded_; }

    const Scenario& scenario() const { return scenario_; }
    const std::vector<Briefing>& briefings() const { return briefings_; }
    /// Chunks that could not be read so far: "steps 64-127: ...".
    const std::vector<std::string>& damaged() const { return damaged_; }

  private:
    /// Whether a keyframe does not hold all that the steps after it build on: then steps are read from the beginning.
    bool needs_all_steps() const {
        return layout_.past_moves || layout_.live || scenario_.comm.latency_steps > 0 || scenario_.maps_by_motion();
    }
    bool open_chunk(int at_or_after);
    void restore(std::string_view keyframe);
    std::string_view tile(std::int64_t id);
    void advance();

    StepLayout layout_;
    Scenario scenario_;
    std::vector<Briefing> briefings_;
    Statement find_chunk_, find_tile_;
    std::unordered_map<std::int64_t, std::string> tiles_;  // looked up, never iterated
    std::unique_ptr<StepReader> chunk_;
    int step_ = -1, last_ = -1;  // last_: of the chunk
    int rebuilds_ = 0;
    std::vector<Robot> team_;
    using Messages = std::vector<std::shared_ptr<const Message>>;  // by sender
    std::deque<Messages> in_flight_;       // by step, oldest first: what arrives in the next step, and what will later
    Messages arrived_;                     // what inboxes refer to
    std::vector<Messages> damaged_words_;  // likewise, by receiver
    std::vector<FrameInbox> inboxes_;      // by robot, of a live run
    WordDamage word_damage_;
    std::vector<Percept> percepts_;
    std::vector<Decision> decisions_;
    const std::vector<RobotStep>* recorded_ = nullptr;
    std::vector<Hash128> hashes_;
    std::vector<std::string> damaged_;
};

}  // namespace outrider
