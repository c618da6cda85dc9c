// A strategy: one file in strategies/, one class, one OUTRIDER_STRATEGY line. It sees its robot's belief and nothing
// else.
//
//     struct MyOptions {
//         double alpha = 2;
//         void fields(Fields& f) { f("alpha", alpha, 0, 10, "weight of the gain"); }
//     };
//
//     class Mine final : public Strategy {
//       public:
//         static constexpr Traits traits{.explores = true};
//         static constexpr const char* summary = "what it does, in a line";
//         using Options = MyOptions;
//         explicit Mine(const Options& options) ...
//         Intent choose(const Belief& belief, Rng& rng) override ...
//     };
//     OUTRIDER_STRATEGY("mine", Mine)
//
// State is kept in members, never in statics. No files, no clocks: the same belief and the same random numbers must
// give the same intent.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "outrider/belief.hpp"
#include "outrider/decision.hpp"
#include "outrider/frontier.hpp"
#include "outrider/options.hpp"
#include "outrider/path.hpp"
#include "outrider/percept.hpp"
#include "outrider/rng.hpp"

namespace outrider {

/// Drive to a point of the map; the robot plans the path and keeps to it while it stands.
struct Goto {
    Point goal;
    double tolerance_m = 0;     ///< that close is close enough: the nearest reachable cell, when the goal is not
    std::optional<Point> face;  ///< where to look on arrival
};
/// Drive along these cells, from the one that is nearest; unreachable while a wall is known on the rest of them.
struct Follow {
    std::vector<Cell> path;
    std::optional<Point> face;
};
/// Velocities for one step: metres per second, radians per second.
struct Drive {
    double forward = 0, turn = 0;
};
struct Stay {
    std::optional<Point> face;
};
/// A short drive in a random direction, to get unstuck.
struct RandomStep {};

using Action = std::variant<Stay, Goto, Follow, Drive, RandomStep>;

struct Intent {
    Action action{};
    std::optional<Role> role{};  ///< none: as before
    std::vector<Word> words{};
    Share share = Share::all;
    int summary_tiles = 16;  ///< for Share::summary
    bool done = false;       ///< nothing is left to do
    std::vector<Overlay> overlays{};
    std::vector<StrategyEvent> strategy_events{};
};

/// By which the conformance tests judge a strategy.
struct Traits {
    bool explores = false;          ///< explores everything reachable, alone as well
    bool needs_contact = false;     ///< does not move without its team
    bool operator_driven = false;   ///< waits for commands
    bool needs_deliveries = false;  ///< reads the marks at_base
};

class Strategy {
  public:
    virtual ~Strategy() = default;
    /// Throws Error, beginning with `where`, when its options do not fit maps with cells of this size.
    virtual void expect_fits(double /*cell_m*/, const std::string& /*where*/) const {}
    /// Called every step. rng is keyed by (seed, robot, step).
    virtual Intent choose(const Belief& belief, Rng& rng) = 0;
};

struct NoOptions {
    void fields(Fields&) {}
};

/// What the registry knows of a strategy.
struct StrategyInfo {
    std::string name, summary;
    Traits traits;
    std::vector<FieldInfo> options;
    std::function<std::unique_ptr<Strategy>(std::vector<Setting>& settings, const std::string& prefix)> make;
};

/// All strategies by name.
const std::vector<StrategyInfo>& strategies();
/// Throws Error and names the nearest one when there is no such strategy.
const StrategyInfo& find_strategy(const std::string& name, const std::string& where);
/// From "name" or "name(option=value, ...)". Throws Error.
std::unique_ptr<Strategy> make_strategy(const std::string& text, const std::string& where);
/// The same for maps with cells of this size, which its options have to fit.
std::unique_ptr<Strategy> make_strategy(const std::string& text, const std::string& where, double cell_m);
/// "name(alpha=2)" gives "name".
std::string strategy_name(const std::string& text);

namespace detail {
/// Stops the program at start-up when two strategies have one name.
bool register_strategy(StrategyInfo info);

template <std::derived_from<Strategy> T>
bool register_type(const char* name) {
    using Options = typename T::Options;
    return register_strategy({name, T::summary, T::traits, list_fields(Options{}),
                              [](std::vector<Setting>& settings, const std::string& prefix) {
                                  Options options;
                                  SettingReader reader(settings, prefix);
                                  options.fields(reader);
                                  reader.expect_all_used();
                                  return std::unique_ptr<Strategy>(std::make_unique<T>(options));
                              }});
}
}  // namespace detail

#define OUTRIDER_STRATEGY(name, Class) \
    static const bool outrider_registered_##Class = ::outrider::detail::register_type<Class>(name);

}  // namespace outrider
