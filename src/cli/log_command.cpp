// outrider log
#include <cstdio>

#include "cli/arguments.hpp"
#include "outrider/error.hpp"
#include "run/log_reader.hpp"

namespace outrider {

int log_command(const Arguments& arguments) {
    cxxopts::Options options(
        "outrider log",
        "What a log holds.\n\n  outrider log info LOG     where it is from, how far it goes\n"
        "  outrider log digest LOG   canonical hash of all but the timing: same scenario, seed and\n"
        "                            version give the same digest\n");
    options.add_options()("what", "info or digest", cxxopts::value<std::string>())("file", "the log",
                                                                                   cxxopts::value<std::string>());
    options.parse_positional({"what", "file"});
    options.positional_help("info|digest LOG");
    const auto result = parse_arguments(options, arguments);
    if (!result) return 0;
    if (!result->count("what") || !result->count("file"))
        fail("expected outrider log info LOG, or outrider log digest LOG");
    const auto what = (*result)["what"].as<std::string>();
    if (what != "info" && what != "digest") fail("outrider log {}: expected info or digest", what);
    LogReader log((*result)["file"].as<std::string>());
    if (what == "digest") {
        fmt::print("{}\n", log.digest().hex());
        return 0;
    }
    for (const auto& [key, value] : log.meta())
        if (key != "scenario") fmt::print("{:<16}{}\n", key, value);
    const LogSteps steps = log.steps();
    fmt::print("{:<16}{}{}\n", "steps", steps.metrics.size(),
               log.meta().contains("end_reason") ? "" : "; the run was cut off here, the log has no end");
    for (const std::string& damaged : steps.damaged) fmt::print("{:<16}{}\n", "damaged", damaged);
    return 0;
}

}  // namespace outrider
