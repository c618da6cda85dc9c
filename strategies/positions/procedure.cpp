#include "positions/procedure.hpp"

namespace outrider {

const Procedure& gathering() {
    static const Procedure table{"gathering",
                                 0.1,
                                 {{.name = "come home",
                                   .abort_steps = 200,
                                   .until = Sign::all_home,
                                   .lead = Part::home,
                                   .others = Part::home,
                                   .then = ProcedureStep::Then::next},
                                  {.name = "tell",
                                   .wait_steps = 2,
                                   .abort_steps = 20,
                                   .until = Sign::all_in_contact,
                                   .lead = Part::wait,
                                   .others = Part::wait,
                                   .then = ProcedureStep::Then::finish}}};
    return table;
}

std::optional<ProcedureState> advance(const Procedure& procedure, const ProcedureState& state, int now,
                                      const ProcedureSigns& signs) {
    const ProcedureStep& step = procedure.steps.at(static_cast<std::size_t>(state.step));
    const int took = now - state.since;
    if (signs.battery < procedure.least_battery || took > step.abort_steps) return {};
    const bool holds = step.until == Sign::at_once || (step.until == Sign::all_home && signs.all_home) ||
                       (step.until == Sign::all_in_contact && signs.all_in_contact);
    if (took < step.wait_steps || !holds) return state;
    if (step.then != ProcedureStep::Then::next) return {};
    return ProcedureState{state.step + 1, now};
}

Part part_of(const Procedure& procedure, int step, bool leads) {
    if (step < 0 || static_cast<std::size_t>(step) >= procedure.steps.size()) return Part::goes_on;
    const ProcedureStep& at = procedure.steps[static_cast<std::size_t>(step)];
    return leads ? at.lead : at.others;
}

}  // namespace outrider
