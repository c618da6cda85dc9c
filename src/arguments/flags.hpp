// The flags of a command are listed once, as options are: the struct of its flags has
//
//     void fields(Flags& f) {
//         f.positional("input", input, "map to read");
//         f("o,output", output, "MAP", "map to write");
//         f("threads", threads, 0, 256, "N", "threads; 0: one per core");
//         f("force", force, "overwrite files that exist");
//     }
//
// and whatever parses arguments, prints help or documents the commands walks that list. This header only declares; the
// parser is in flags.cpp.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace outrider {

using Arguments = std::vector<std::string>;  ///< without the program and the command

/// A value with a default, and whether the flag was given.
template <class T>
struct Defaulted {
    T value;
    bool given = false;
};

/// What is known of one flag.
struct FlagInfo {
    std::string name;                  ///< without the dashes
    std::string letter;                ///< "o" of -o; mostly empty
    std::string value;                 ///< what stands for its value on the help page: "FILE", "N"; empty for a switch
    std::string default_value;         ///< value when the flag is not given; mostly empty
    std::string meaning;               ///< empty for a positional argument that the usage explains well enough
    std::string group;                 ///< heading on the help page; mostly empty
    bool positional = false;           ///< an argument without a name
    bool repeated = false;             ///< may be given several times
    std::vector<std::string> choices;  ///< the only texts that it takes; empty: any
};

/// Collects the flags of a struct together with the variables that they set.
class Flags {
  public:
    /// Whole numbers and numbers have a least and a largest value; the others are stored as they are.
    using Target =
        std::variant<bool*, void (*)(), std::optional<std::string>*, Defaulted<std::string>*, std::vector<std::string>*,
                     std::optional<int>*, std::optional<std::int64_t>*, Defaulted<int>*, std::optional<double>*>;
    struct Flag : FlagInfo {
        Target target;
        std::int64_t low = 0, high = 0;  ///< of a whole number
        double least = 0, largest = 0;   ///< of a number
        std::string unit;                ///< of a number, for messages
        std::string once;                ///< not empty: giving it twice is a mistake, and this was expected

        Flag& choose(std::span<const std::string_view> names) {
            choices.assign(names.begin(), names.end());
            return *this;
        }
        Flag& only_once(std::string expected) {
            once = std::move(expected);
            return *this;
        }
    };

    /// A switch.
    Flag& operator()(std::string_view name, bool& target, std::string_view meaning) {
        return add(name, &target, {}, meaning);
    }
    /// A switch that calls a function.
    Flag& operator()(std::string_view name, void (*action)(), std::string_view meaning) {
        return add(name, action, {}, meaning);
    }
    /// A text; if given several times the last counts, but a vector takes them all.
    Flag& operator()(std::string_view name, std::optional<std::string>& target, std::string_view value,
                     std::string_view meaning) {
        return add(name, &target, value, meaning);
    }
    Flag& operator()(std::string_view name, Defaulted<std::string>& target, std::string_view value,
                     std::string_view meaning) {
        return add(name, &target, value, meaning, target.value);
    }
    Flag& operator()(std::string_view name, std::vector<std::string>& target, std::string_view value,
                     std::string_view meaning) {
        return add(name, &target, value, meaning);
    }
    /// A whole number, low to high.
    template <class Number>
    Flag& operator()(std::string_view name, std::optional<Number>& target, Number low, Number high,
                     std::string_view value, std::string_view meaning) {
        return between(low, high, add(name, &target, value, meaning));
    }
    Flag& operator()(std::string_view name, Defaulted<int>& target, int low, int high, std::string_view value,
                     std::string_view meaning) {
        return between(low, high, add(name, &target, value, meaning, std::to_string(target.value)));
    }
    /// A number, least to largest; `unit` is for the message about another one: "m".
    Flag& number(std::string_view name, std::optional<double>& target, double least, double largest,
                 std::string_view unit, std::string_view value, std::string_view meaning) {
        Flag& flag = add(name, &target, value, meaning);
        flag.least = least;
        flag.largest = largest;
        flag.unit = unit;
        return flag;
    }
    /// An argument without a name: the next in order, or all that are left.
    Flag& positional(std::string_view name, std::optional<std::string>& target, std::string_view meaning = {}) {
        return as_positional(add(name, &target, {}, meaning));
    }
    Flag& positional(std::string_view name, std::vector<std::string>& target, std::string_view meaning = {}) {
        return as_positional(add(name, &target, {}, meaning));
    }
    /// The flags that follow are listed under this heading.
    void group(std::string heading) { group_ = std::move(heading); }

    const std::vector<Flag>& all() const { return all_; }
    /// By name; an unknown name is a bug in the program.
    const Flag& at(std::string_view name) const;

  private:
    Flag& add(std::string_view name, Target target, std::string_view value, std::string_view meaning,
              std::string_view default_value = {});
    static Flag& between(std::int64_t low, std::int64_t high, Flag& flag) {
        flag.low = low;
        flag.high = high;
        return flag;
    }
    static Flag& as_positional(Flag& flag) {
        flag.positional = true;
        return flag;
    }

    std::vector<Flag> all_;
    std::string group_;
};

/// The text above the flags on a help page.
struct HelpPage {
    std::string name;                   ///< of the command: "run", "sweep plan"
    std::string about;                  ///< what it is for; ends with a line break
    std::string usage = "[OPTION...]";  ///< the text after the name
};

/// Sets the variables; false when --help is among the arguments: then it printed the help. Throws Error.
bool parse(const HelpPage& page, const Flags& flags, const Arguments& arguments);
/// Whether the flag was given.
bool given(const Flags::Flag& flag);
/// Throws Error that says what was expected when a number is not within `low` to `high`.
void expect_within(std::string_view flag, std::optional<std::int64_t> value, std::int64_t low, std::int64_t high);
/// Throws Error when two of these flags, or one of them and an input, are the same file.
void expect_distinct(const Flags& flags, std::initializer_list<const char*> outputs,
                     const std::vector<std::string>& inputs);

/// The list of a struct of flags; its variables are those of the struct.
template <class Struct>
Flags flags_of(Struct& values) {
    Flags flags;
    values.fields(flags);
    return flags;
}
template <class Struct>
bool parse(const HelpPage& page, Struct& values, const Arguments& arguments) {
    const Flags flags = flags_of(values);
    return parse(page, flags, arguments);
}
/// Whether the flag of this name was given.
template <class Struct>
bool given(Struct values, std::string_view name) {
    return given(flags_of(values).at(name));
}
template <class Struct>
void expect_distinct(Struct values, std::initializer_list<const char*> outputs,
                     const std::vector<std::string>& inputs) {
    const Flags flags = flags_of(values);
    expect_distinct(flags, outputs, inputs);
}
/// The flags of a struct, as needed for a help page, a manual or a shell's completion.
std::vector<FlagInfo> infos_of(const Flags& flags);

}  // namespace outrider
