// outrider new-strategy
#include <cctype>
#include <cstdio>

#include "arguments/arguments.hpp"
#include "base/output.hpp"
#include "base/version.hpp"
#include "cli/commands.hpp"
#include "cli/strategy_template.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"

namespace outrider {
namespace {

struct NewStrategyFlags {
    std::optional<std::string> name, output;
    bool force = false;
    void fields(Flags& f) {
        f.positional("name", name);
        f("o,output", output, "FILE.cpp", "the file; otherwise NAME.cpp");
        f("force", force, "overwrite a file that exists");
    }
};

void expect_strategy_name(const std::string& name) {
    const bool fits = !name.empty() && std::islower(static_cast<unsigned char>(name[0])) &&
                      name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
    if (!fits) fail("new-strategy: '{}': expected lower case letters, digits and _, a letter first", name);
    for (const StrategyInfo& info : strategies())
        if (info.name == name) fail("new-strategy: there is a strategy '{}' already", name);
}

/// my_idea: MyIdea.
std::string class_name(const std::string& name) {
    std::string out;
    bool begins = true;
    for (const char c : name) {
        if (c == '_') {
            begins = true;
            continue;
        }
        out += begins ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
        begins = false;
    }
    return out;
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
        text.replace(at, what.size(), with);
}

int new_strategy(const NewStrategyFlags& flags) {
    if (!flags.name) fail("expected outrider new-strategy NAME");
    const std::string& name = *flags.name;
    expect_strategy_name(name);
    std::string text(strategy_template::text);
    replace_all(text, "0xTOPIC", "0x" + fingerprint_of(name).substr(0, 8));
    replace_all(text, "CLASS", class_name(name));
    replace_all(text, "NAME", name);
    OutputFile file(flags.output.value_or(name + ".cpp"), flags.force);
    file.write(text);
    file.commit();
    print_plain("wrote {}\nnext: outrider build-strategy {}\n", file.path(), shell_word(file.path()));
    return 0;
}

}  // namespace

Subcommand new_strategy_command() {
    return subcommand<NewStrategyFlags, new_strategy>(
        {"new-strategy",
         "Write the source of a strategy to begin with, anywhere: it chooses frontiers, says where it goes and shows "
         "its reasons. Then build-strategy, check-strategy, run, compare.\n",
         "[OPTION...] NAME"},
        "write the source of a strategy of your own to begin with");
}

}  // namespace outrider
