#include "cli/commands.hpp"

#include "outrider/detail/settings.hpp"
#include "outrider/options.hpp"

namespace outrider {

std::vector<Subcommand> commands() {
    return {run_command(),        check_command(),   generate_command(), convert_command(), plan_command(),
            slam_command(),       graph_command(),   compare_command(),  sweep_command(),   figure_command(),
            log_command(),        rerun_command(),   replay_command(),   why_command(),     view_command(),
            strategies_command(), options_command(), metrics_command()};
}

std::vector<CommandFlags> all_flags() {
    std::vector<CommandFlags> all;
    const auto add = [&](const Subcommand& c) { all.push_back({c.page.name, c.summary, c.flags()}); };
    for (const Subcommand& c : commands()) {
        add(c);
        if (c.page.name == "check") add(check_sheet_command());
        if (c.parts)
            for (const Subcommand& part : c.parts()) add(part);
    }
    return all;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& known) {
    const std::string near = nearest_name(name, known);
    return near.empty() ? "" : "; did you mean '" + near + "'?";
}

}  // namespace outrider
