// What a feature of src/features/ is in a scenario: options, checks, what it does not go with, parts of the world.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "run/run.hpp"
#include "scenario/exclusions.hpp"
#include "scenario/scenario.hpp"
#include "simulator/sim_driver.hpp"
#include "simulator/world_part.hpp"

namespace outrider {

/// When a part of the world acts among the others, in each phase of a step. Commands are limited in this order, too.
enum class Turn {
    walls,
    failures,
    motion,
    hazards,
    energy,
    air,
    tilt,
    rays,
    glass,
    bodies,
    smoke,
    sightings,
    finds,
    last
};

struct WorldPartKind {
    Turn turn = Turn::last;
    /// world: with its ground laid. nullptr: the scenario does not ask for it.
    std::unique_ptr<WorldPart> (*make)(const Scenario&, const World& world);
};

/// Somebody who gives orders along a run, as an operator would.
class OrderSource {
  public:
    virtual ~OrderSource() = default;
    /// For a copy of the run; see Copied. nullptr: there can be none.
    virtual std::unique_ptr<OrderSource> clone() const { return nullptr; }
    /// After a step: orders for the first base station.
    virtual std::vector<OperatorCommand> orders(const StepView& last) = 0;
    /// Whether orders of this kind come from here alone. A log holds them, too.
    virtual bool gives(const OperatorCommand& command) const = 0;
};

/// The files that a scenario names while it is loaded.
class ScenarioFiles {
  public:
    ScenarioFiles(const std::string& folder, const ConfigTable& config) : folder_(folder), config_(config) {}
    /// Of a file that the scenario names.
    std::string path(const std::string& name) const;
    /// Calls read(path) for what the option `key` of a section names, unless that is empty. Notes it in s.layer_files;
    /// the option keeps the name without its folder. What read() throws is thrown with the option's place.
    void read(Scenario& s, const char* section, const char* key, std::string& name,
              const std::function<void(const std::string& path)>& read) const;

    std::vector<std::uint8_t> outside{};  ///< as of MapFile

  private:
    const std::string& folder_;
    const ConfigTable& config_;
};

/// A list of its own, [[smoke]]: what an entry is for, and a maker.
struct FeatureListKind {
    const char* name = "";  ///< "": none
    const char* about = "";
    std::unique_ptr<FeatureList> (*make)() = nullptr;
};

struct ScenarioFeature {
    /// Its own section, "magnet", and a maker of its options; "": none.
    const char* section = "";
    const char* after = "";  ///< the section after which it stands in a resolved scenario; "": the last one
    /// Mobile robots have a section of their own, [robot.magnet]; base stations have the defaults.
    bool of_robots = false;
    std::unique_ptr<FeatureOptions> (*options)() = nullptr;
    FeatureListKind list{};
    /// As people call it, an example, and how a scenario asks for it.
    std::vector<ScenarioPart> parts{};
    /// Parts that these do not go with, and why.
    std::span<const Exclusion> excludes{};
    /// Checks what was read, once the team is there, as far as no map is needed. Throws Error.
    void (*read)(ConfigTable&, Scenario&) = nullptr;
    /// Reads the files that it names, once the map is there. Throws Error.
    void (*load)(Scenario&, const ScenarioFiles&) = nullptr;
    /// Makes the layers that follow from the map and the seed.
    void (*draw)(Scenario&) = nullptr;
    /// Once the map is there and the team has its places. Throws Error with what was expected; nullptr: any values are
    /// right.
    void (*check)(const Scenario&) = nullptr;
    /// What robots do otherwise because of it, and what they know beforehand.
    void (*robots)(const Scenario&, RobotOptions&) = nullptr;
    void (*brief)(const Scenario&, Briefing&) = nullptr;
    /// Nonzero: cells of the map's frame that measures count; nullptr: all.
    std::shared_ptr<const Grid<std::uint8_t>> (*counted)(const Scenario&) = nullptr;
    std::vector<WorldPartKind> world{};
    /// The driver outlives what this returns. nullptr: the scenario has nobody of the kind.
    std::unique_ptr<OrderSource> (*orders)(const Scenario&, const SimDriver&) = nullptr;
};

/// On rough ground a step costs a robot so many times as much at least, unless the scenario says how many.
void expect_rough(const Scenario& s, RobotOptions& options, double cost);

/// What this says of each robot.
template <class Of>
auto by_robot(const Scenario& s, Of of) {
    std::vector<std::decay_t<decltype(of(s.robots.front()))>> out;
    for (const RobotEntry& r : s.robots) out.push_back(of(r));
    return out;
}

template <class Has>
bool any_robot(const Scenario& s, Has has) {
    return std::any_of(s.robots.begin(), s.robots.end(), has);
}

/// All features (src/features/list.cpp).
std::span<const ScenarioFeature> scenario_features();

}  // namespace outrider
