#include "cli/manual.hpp"

#include <fmt/ranges.h>

#include <map>

#include "base/version.hpp"
#include "cli/commands.hpp"
#include "robot/registry.hpp"

namespace outrider {
namespace {

/// A text in troff: no command begins in it, and a dash is one that can be copied.
std::string troff(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
    }
    return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string flag_entry(const FlagInfo& f) {
    std::string head = f.positional ? "\\fI" + troff(f.name) + "\\fR" : "";
    if (!f.positional) {
        if (!f.letter.empty()) head = "\\fB\\-" + f.letter + "\\fR, ";
        head += "\\fB\\-\\-" + troff(f.name) + "\\fR";
        if (!f.value.empty()) head += " \\fI" + troff(f.value) + "\\fR";
    }
    std::string text = troff(f.meaning);
    if (!f.choices.empty())
        text += (text.empty() ? "" : "; ") + troff(fmt::format("one of {}", fmt::join(f.choices, ", ")));
    if (!f.default_value.empty()) text += troff(fmt::format(" (default {})", f.default_value));
    return fmt::format(".TP\n{}\n{}\n", head, text);
}

/// Words for a shell's list in single quotes.
template <class List, class Text>
std::string words(const List& list, Text&& text) {
    std::string out;
    for (const auto& item : list)
        if (const std::string word = text(item); !word.empty()) out += (out.empty() ? "" : " ") + word;
    return out;
}

}  // namespace

std::string manual_page() {
    std::string out = fmt::format(
        ".TH OUTRIDER 1 \"\" \"Outrider {}\" \"User Commands\"\n.SH NAME\noutrider \\- simulates teams of robots that "
        "explore an "
        "unknown map\n.SH SYNOPSIS\n\\fBoutrider\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n.SH COMMANDS\n",
        version());
    for (const CommandFlags& c : all_flags()) {
        out += fmt::format(".SS outrider {}\n{}\n", troff(c.command), troff(c.summary));
        for (const FlagInfo& f : c.flags)
            if (!f.positional || !f.meaning.empty()) out += flag_entry(f);
    }
    return out +
           ".SH EXIT STATUS\n0 done, 1 the run failed, 2 a mistake in the arguments or files, 75 a sweep has work "
           "left, 130 "
           "interrupted.\n.SH ENVIRONMENT\n.TP\nOUTRIDER_STRATEGIES\nfolders with strategies of your own, with colons "
           "between "
           "them\n.TP\nOUTRIDER_MAP_FOLDERS\nfolders with maps that suites name\n.SH EXAMPLES\n.nf\n"
           "outrider run office \\-\\-strategy nearest \\-\\-png office.png\n"
           "outrider compare nearest mresim_greedy \\-\\-map office\\-12@1 \\-\\-seeds 2\n.fi\n";
}

std::string bash_completion() {
    std::map<std::string, std::vector<std::string>> parts;  // of commands that have some
    std::string flags_of, choices_of;
    for (const CommandFlags& c : all_flags()) {
        if (const std::size_t space = c.command.find(' '); space != std::string::npos)
            parts[c.command.substr(0, space)].push_back(c.command.substr(space + 1));
        flags_of +=
            fmt::format("        '{}') flags='{}' ;;\n", c.command,
                        words(c.flags, [](const FlagInfo& f) { return f.positional ? std::string() : "--" + f.name; }));
        for (const FlagInfo& f : c.flags)
            if (!f.positional && !f.choices.empty())
                choices_of += fmt::format("        '{} --{}') COMPREPLY=($(compgen -W '{}' -- \"$word\")); return ;;\n",
                                          c.command, f.name, fmt::join(f.choices, " "));
    }
    std::string parts_of;
    for (const auto& [command, names] : parts)
        parts_of += fmt::format("        {}) words='{}' ;;\n", command, fmt::join(names, " "));
    const std::string commands_text = words(commands(), [](const Subcommand& c) { return c.page.name; });
    const std::string strategy_names = words(strategies(), [](const StrategyInfo& s) { return s.name; });
    return fmt::format(
        R"(# Completion of outrider for bash, made by: outrider help --bash
_outrider() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}} words='' flags=''
    if [ "$COMP_CWORD" = 1 ]; then COMPREPLY=($(compgen -W '{} help' -- "$word")); return; fi
    case $command in
{}    esac
    if [ -n "$words" ]; then
        if [ "$COMP_CWORD" = 2 ]; then COMPREPLY=($(compgen -W "$words" -- "$word")); return; fi
        command="$command ${{COMP_WORDS[2]}}"
    fi
    case "$command $before" in
{}        *' --strategy'|'compare '*|'submit submit'|'check-strategy check-strategy')
            if [[ $word != -* ]]; then COMPREPLY=($(compgen -W '{}' -- "$word") $(compgen -f -X '!*.so' -- "$word")); return; fi ;;
    esac
    case $command in
{}    esac
    if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$flags --help" -- "$word")); else COMPREPLY=($(compgen -f -- "$word")); fi
}}
complete -o filenames -F _outrider outrider
)",
        commands_text, parts_of, choices_of, strategy_names, flags_of);
}

}  // namespace outrider
