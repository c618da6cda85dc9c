// What a feature does in the step of a robot. The core calls its parts between the parts of its own work
// (docs/architecture.md) and knows no feature.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "outrider/detail/boxed.hpp"
#include "outrider/percept.hpp"
#include "slam/mapping.hpp"

namespace outrider {

struct Intent;
struct Knowledge;

/// The scans of a percept on their way into the map.
class StepScans {
  public:
    /// Both have to outlive this. mappers: by sensor.
    StepScans(const Percept& percept, const std::vector<ScanMapper>& mappers) : percept_(percept), mappers_(mappers) {}

    const Percept& percept() const { return percept_; }
    const ScanGeometry& geometry(const Scan& scan) const {
        return mappers_.at(static_cast<std::size_t>(scan.sensor)).geometry();
    }
    const std::vector<Scan>& all() const { return changed_ ? *changed_ : percept_.scans; }
    /// A copy of them, which all() returns from now on. Only ranges may be changed.
    std::vector<Scan>& change() { return changed_ ? *changed_ : changed_.emplace(percept_.scans); }

  private:
    const Percept& percept_;
    const std::vector<ScanMapper>& mappers_;
    std::optional<std::vector<Scan>> changed_;
};

/// Each function is called once a step, of all parts in the order of make_robot_parts(). `known`: of this robot.
class RobotPart {
  public:
    virtual ~RobotPart() = default;
    /// For a copy of the run; see Copied. nullptr: there can be none.
    virtual std::unique_ptr<RobotPart> clone() const { return nullptr; }
    /// Takes out of the scans what must not be matched. The robot does not know its new pose yet.
    virtual void before_localising(StepScans&) {}
    /// Takes out of the scans what must not be drawn. The pose is known, and messages have been merged.
    virtual void before_drawing(Knowledge& /*known*/, StepScans&) {}
    /// Adds to the map what comes of other sensors, and learns from it. The scans are in it.
    virtual void after_drawing(Knowledge& /*known*/, const Percept&) {}
    /// Prepares what the strategy sees. This and after_choice() are left out where the step of a log is replayed.
    virtual void before_choice(Knowledge& /*known*/) {}
    /// Whether it waits for something: a run does not end while a part of a robot does.
    virtual bool waits() const { return false; }
    /// Changes what the strategy chose, and adds its own words and overlays.
    virtual void after_choice(Knowledge& /*known*/, Intent&) {}
};

}  // namespace outrider
