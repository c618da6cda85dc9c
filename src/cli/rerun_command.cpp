// outrider rerun
#include <fmt/ranges.h>

#include "base/output.hpp"
#include "cli/interrupt.hpp"
#include "cli/logged.hpp"
#include "outrider/error.hpp"

namespace outrider {

int rerun_command(const Arguments& arguments) {
    cxxopts::Options options(
        "outrider rerun",
        "Run a log's scenario again and compare every step with the log: 0 the same, 1 diverged.\n\n"
        "  outrider rerun LOG --log full -o NEW   builds what a log of a lower level left out\n");
    options.add_options()("threads", "threads; the result is the same", cxxopts::value<std::string>(), "N")(
        "log", "what the new log holds: metrics, poses or full", cxxopts::value<std::string>()->default_value("poses"),
        "LEVEL")("o,log-file", "write a log of the new run", cxxopts::value<std::string>(), "FILE")(
        "force", "overwrite a log that exists");
    const auto result = parse_with_log(options, arguments);
    if (!result) return 0;
    SimulationOptions sim_options;
    sim_options.log_level = log_level((*result)["log"].as<std::string>());
    if (result->count("log") && !result->count("log-file")) fail("--log: nowhere to write to: give -o FILE");
    if (sim_options.log_level == LogLevel::none) fail("--log none: leave it out to write no log");
    const Logged logged((*result)["file"].as<std::string>());
    logged.expect_closed_loop();
    sim_options.threads = static_cast<int>(whole_number(*result, "threads", 0, 256).value_or(0));
    sim_options.orders = logged.orders;
    sim_options.stop_after = logged.length();
    expect_distinct(*result, {"log-file"}, {(*result)["file"].as<std::string>()});
    if (result->count("log-file")) {
        sim_options.log_path = (*result)["log-file"].as<std::string>();
        prepare_database(sim_options.log_path, result->count("force") > 0);
    }
    sim_options.interrupted = &catch_interrupts();
    Simulation sim(logged.scenario, sim_options);
    HashCheck check(logged.steps);
    sim.add_observer(check);
    const bool whole = sim.run() != EndReason::interrupted;
    if (!whole)
        fmt::print("interrupted after {} of {} steps{}\n", sim.progress().steps, logged.length(),
                   sim_options.log_path.empty() ? "" : "; the new log ends there: " + sim_options.log_path);
    const int code = report(check, logged);
    return whole ? code : 130;
}

}  // namespace outrider
