#include "cli/commands.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/output.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "outrider/options.hpp"

namespace outrider {

std::vector<Subcommand> commands() {
    return {run_command(),
            check_command(),
            generate_command(),
            convert_command(),
            plan_command(),
            slam_command(),
            graph_command(),
            bound_command(),
            compare_command(),
            sweep_command(),
            figure_command(),
            submit_command(),
            leaderboard_command(),
            log_command(),
            rerun_command(),
            branch_command(),
            replay_command(),
            why_command(),
            view_command(),
            victims_command(),
            robot_command(),
            serve_command(),
            radio_command(),
            new_strategy_command(),
            build_strategy_command(),
            check_strategy_command(),
            allow_command(),
            strategies_command(),
            options_command(),
            metrics_command(),
            formats_command()};
}

int run_part(const HelpPage& page, const std::string& about, const std::vector<Subcommand>& parts,
             const Arguments& arguments) {
    const auto name_of = [&](const Subcommand& part) { return part.page.name.substr(page.name.size() + 1); };
    std::vector<std::string> names;
    std::size_t longest = 0;
    for (const Subcommand& part : parts) longest = std::max(longest, names.emplace_back(name_of(part)).size());
    if (arguments.empty() || arguments[0] == "--help" || arguments[0] == "-h") {
        print_plain("outrider {}: {}\n\n", page.name, about);
        for (const Subcommand& part : parts)
            print_plain("  outrider {} {:<{}}  {}\n", page.name, name_of(part), longest, part.summary);
        print_plain("\n  outrider {} PART --help says more.\n", page.name);
        return 0;
    }
    for (const Subcommand& part : parts)
        if (arguments[0] == name_of(part)) return part.run(part.page, {arguments.begin() + 1, arguments.end()});
    fail("outrider {} {}: expected {}{}", page.name, arguments[0], fmt::join(names, ", "),
         did_you_mean(arguments[0], names));
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
