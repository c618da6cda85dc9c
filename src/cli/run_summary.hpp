// What `outrider run` says of a run at its end, for people and for programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/output.hpp"
#include "metrics/health.hpp"
#include "metrics/step_metrics.hpp"
#include "simulation/simulation.hpp"

namespace outrider {

void print_summary(const Simulation& sim, EndReason reason, const std::vector<SummaryValue>& summary);
/// Robots that got nowhere, and why.
void print_standstills(const Simulation& sim);
/// What may be wrong with the strategy, and why the run was stopped. `log`: its file; empty: none.
void print_health(const Health& health, const Simulation& sim, const std::string& log);
/// All metrics of the team and of each robot, how the run ended, and its hash, as JSON.
std::string summary_json(const Simulation& sim, EndReason reason, const std::vector<SummaryValue>& summary,
                         const Health& health, const std::string& log);
/// What the mobile robots do; "A and B" when they differ. As a part of a file name: bare names.
std::string strategies_of(const Scenario& scenario, bool bare);
/// Takes the name of a log: this one, where `force` replaces an old log; otherwise a new one in logs/. Throws Error.
TakenName take_log_name(const std::optional<std::string>& file, bool force, const Scenario& scenario);

}  // namespace outrider
