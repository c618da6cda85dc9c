// outrider check-strategy
#include <cstdio>

#include "arguments/arguments.hpp"
#include "arguments/own_strategies.hpp"
#include "base/output.hpp"
#include "cli/commands.hpp"
#include "conformance/conformance.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"

namespace outrider {
namespace {

struct CheckStrategyFlags {
    std::optional<std::string> strategy;
    void fields(Flags& f) {
        f.positional("strategy", strategy);
        allow_external(f);
    }
};

int check_strategy(const CheckStrategyFlags& flags) {
    if (!flags.strategy) fail("expected outrider check-strategy NAME, \"NAME(option=value)\" or ./FILE.so");
    const std::string strategy = typed_strategy(*flags.strategy, "check-strategy");
    make_strategy(strategy, "check-strategy");
    allow_typed(strategy, "check-strategy");
    int failed = 0;
    for (const ConformanceCheck& check : conformance_checks()) {
        std::string wrong;
        try {
            wrong = check.run(strategy);
        } catch (const std::exception& error) {
            wrong = error.what();
        }
        print_plain("{}  {}{}\n", wrong.empty() ? "ok    " : "FAILED", check.name, wrong.empty() ? "" : ": " + wrong);
        std::fflush(stdout);
        failed += !wrong.empty();
    }
    print_plain("{:.1f} times the CPU of mresim_greedy a step\n", cost_against(strategy, "mresim_greedy"));
    print_plain("{}: {}\n", strategy,
                failed == 0 ? "does all that every strategy has to do" : fmt::format("{} checks failed", failed));
    return failed > 0;
}

}  // namespace

Subcommand check_strategy_command() {
    return subcommand<CheckStrategyFlags, check_strategy>(
        {"check-strategy",
         "Put a strategy through what every strategy has to do: explore and come home, decide the same again and at "
         "any "
         "number of threads, survive lost and damaged messages, show its reasons, keep off walls.\n",
         "[OPTION...] NAME|./FILE.so"},
        "put a strategy through what every strategy has to do");
}

}  // namespace outrider
