// A strategy in another program: what the robot knows goes out as lines of JSON, what it wants to do comes back. The
// one strategy outside of strategies/: it starts a program, which strategies there must not do.

#include "base/child_process.hpp"
#include "base/programs.hpp"
#include "external/external_protocol.hpp"
#include "outrider/behaviours.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"

namespace outrider {
namespace {

struct ExternalOptions {
    std::string cmd;
    double timeout_s = 10;

    void fields(Fields& f) {
        f("cmd", cmd,
          "shell command of the program, started once for each robot; docs/strategies.md describes its lines");
        f("timeout_s", timeout_s, 0.01, 86400, "the run ends when the program has not answered for so long");
    }
};

class External final : public Strategy, public SaysVersion {
  public:
    static constexpr Traits traits{};
    static constexpr const char* summary = "asks another program, in any language, by lines of JSON";
    using Options = ExternalOptions;
    explicit External(Options options) : options_(std::move(options)) {
        if (options_.cmd.empty()) fail("external: expected cmd=\"a program to run\"");
    }

    /// In step with the program: one line out, one line in. Its answer is recorded like any other decision.
    Intent choose(const Belief& belief, Rng& rng) override {
        try {
            return ask(belief, rng);
        } catch (const WaitBrokenOff&) {
            program_.reset();
            return {.overlays = {Overlay::rule("stays: the run was interrupted before the program had answered")}};
        }
    }

    const std::string& reported_version() const override { return version_; }

  private:
    Intent ask(const Belief& belief, Rng& rng) {
        if (!program_) start(belief);
        program_->expect_silence();  // a second answer would be taken as the one to the next line, and so on
        const std::vector<Frontier> frontiers = candidate_frontiers(belief);
        const KnownMap& map = belief.map();
        const MapChanges changes = map.changes_since(sent_);
        const bool map_anew = changes.everything && std::exchange(begun_, true);
        program_->write_line(belief_line(belief, frontiers, changes, map_anew, rng.next()), options_.timeout_s);
        const std::string line = program_->read_line(options_.timeout_s);
        try {
            std::string version = version_;
            Intent intent = parse_intent(line, belief, frontiers, version);
            if (!version_.empty() && version != version_)
                fail("expected the version that it reported before, '{}'", version_);
            version_ = version;
            return intent;
        } catch (const Error& error) {
            const bool longer = line.size() > 100;
            throw RunFailure(fmt::format("'{}' wrote '{}{}': {}", options_.cmd, line.substr(0, 100),
                                         longer ? "..." : "", error.what()));
        }
    }
    void start(const Belief& belief) {
        expect_allowed(options_.cmd, "strategy external");
        program_ = std::make_unique<ChildProcess>(options_.cmd);
        program_->write_line(briefing_line(belief), options_.timeout_s);
    }

    ExternalOptions options_;
    std::unique_ptr<ChildProcess> program_;
    ChangeCursor sent_;  // of the map
    bool begun_ = false;
    std::string version_;
};

OUTRIDER_STRATEGY("external", External)

}  // namespace
}  // namespace outrider
