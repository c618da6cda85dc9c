// Procedures: what a team does together in steps that its lead robot announces, such as a meeting at home.
// Source: the set plays of CAMBADA (Lau, Lopes, Corrente & Filipe, EPIA 2009): tables of steps, each with a condition
// to go on, a time after which it is given up, and who does what.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace outrider {

/// What a robot does in a step.
enum class Part { goes_on, home, wait };

enum class Sign { at_once, all_home, all_in_contact };

struct ProcedureStep {
    std::string_view name;
    int wait_steps = 0;          ///< at least so long
    int abort_steps = 0;         ///< given up when it takes longer
    Sign until = Sign::at_once;  ///< and then until this holds
    Part lead = Part::goes_on, others = Part::goes_on;
    enum class Then { next, finish, abort } then = Then::next;
};
struct Procedure {
    std::string_view name;
    double least_battery = 0;  ///< given up when the lead robot has less
    std::vector<ProcedureStep> steps;
};

/// All meet at home, so that everybody and the base know what each knows, and go on when all were heard.
const Procedure& gathering();

/// What the lead robot sees.
struct ProcedureSigns {
    bool all_home = false, all_in_contact = false;
    double battery = 1;
};
/// Where it stands: which step, since when.
struct ProcedureState {
    int step = 0, since = 0;
    bool operator==(const ProcedureState&) const = default;
};
/// The lead robot's state after this step of time; nothing: it is finished, or given up.
std::optional<ProcedureState> advance(const Procedure& procedure, const ProcedureState& state, int now,
                                      const ProcedureSigns& signs);

/// The part of a robot in a step.
Part part_of(const Procedure& procedure, int step, bool leads);

}  // namespace outrider
