#include "arguments/flags.hpp"

#define CXXOPTS_VECTOR_DELIMITER '\0'  // a comma belongs to the value: --set team.strategy="a(b=1, c=2)"
#include <cxxopts.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>

#include "outrider/error.hpp"

namespace outrider {
namespace {

std::string joined(const std::vector<std::string>& texts) {
    std::string all;
    for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
    return all;
}

std::int64_t whole_number(const Flags::Flag& flag, const std::string& text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < flag.low || value > flag.high)
        fail("--{} {}: expected a whole number, {} to {}", flag.name, text, flag.low, flag.high);
    return value;
}

double number(const Flags::Flag& flag, const std::string& text) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *end || !(value >= flag.least && value <= flag.largest))
        fail("--{} {}: expected a number, {} to {}{}", flag.name, text, flag.least, flag.largest,
             flag.unit.empty() ? "" : " " + flag.unit);
    return value;
}

/// Sets the variable of a flag that was given.
struct Setter {
    const Flags::Flag& flag;
    const cxxopts::OptionValue& given;

    std::string text() const {
        auto text = given.as<std::string>();
        if (!flag.choices.empty() && std::find(flag.choices.begin(), flag.choices.end(), text) == flag.choices.end())
            fail("--{} {}: expected one of {}", flag.name, text, joined(flag.choices));
        return text;
    }
    void operator()(bool* target) const { *target = true; }
    void operator()(void (*action)()) const { action(); }
    void operator()(std::optional<std::string>* target) const { *target = text(); }
    void operator()(Defaulted<std::string>* target) const { *target = {text(), true}; }
    void operator()(std::vector<std::string>* target) const { *target = given.as<std::vector<std::string>>(); }
    void operator()(std::optional<int>* target) const { *target = static_cast<int>(whole_number(flag, text())); }
    void operator()(std::optional<std::int64_t>* target) const { *target = whole_number(flag, text()); }
    void operator()(Defaulted<int>* target) const { *target = {static_cast<int>(whole_number(flag, text())), true}; }
    void operator()(std::optional<double>* target) const { *target = number(flag, text()); }
};

std::shared_ptr<cxxopts::Value> value_of(const Flags::Flag& flag) {
    if (std::holds_alternative<bool*>(flag.target) || std::holds_alternative<void (*)()>(flag.target))
        return cxxopts::value<bool>();
    if (flag.repeated) return cxxopts::value<std::vector<std::string>>();
    std::shared_ptr<cxxopts::Value> value = cxxopts::value<std::string>();
    return flag.default_value.empty() ? value : value->default_value(flag.default_value);
}

void declare(const Flags& flags, cxxopts::Options& options) {
    std::vector<std::string> positional;
    for (const Flags::Flag& flag : flags.all()) {
        options.add_options(flag.group)(flag.letter.empty() ? flag.name : flag.letter + "," + flag.name, flag.meaning,
                                        value_of(flag), flag.value);
        if (flag.positional) positional.push_back(flag.name);
    }
    options.parse_positional(positional);
    options.add_options()("h,help", "show this help");
}

}  // namespace

Flags::Flag& Flags::add(std::string_view name, Target target, std::string_view value, std::string_view meaning,
                        std::string_view default_value) {
    Flag flag;
    const std::size_t comma = name.find(',');
    flag.name = comma == std::string_view::npos ? name : name.substr(comma + 1);
    if (comma != std::string_view::npos) flag.letter = name.substr(0, comma);
    flag.value = value;
    flag.default_value = default_value;
    flag.meaning = meaning;
    flag.group = group_;
    flag.repeated = std::holds_alternative<std::vector<std::string>*>(target);
    flag.target = target;
    return all_.emplace_back(std::move(flag));
}

const Flags::Flag& Flags::at(std::string_view name) const {
    const auto flag = std::find_if(all_.begin(), all_.end(), [&](const Flag& f) { return f.name == name; });
    OUTRIDER_CHECK(flag - all_.begin(), <, std::ssize(all_));
    return *flag;
}

bool parse(const HelpPage& page, const Flags& flags, const Arguments& arguments) {
    cxxopts::Options options("outrider " + page.name, page.about);
    options.custom_help(page.usage).positional_help("");
    declare(flags, options);
    std::vector<const char*> argv{"outrider"};
    for (const std::string& a : arguments) argv.push_back(a.c_str());
    try {
        const cxxopts::ParseResult result = options.parse(static_cast<int>(argv.size()), argv.data());
        if (result.count("help")) {
            std::fputs(options.help().c_str(), stdout);
            return false;
        }
        if (!result.unmatched().empty())
            fail("unexpected argument '{}'; see {} --help", result.unmatched()[0], options.program());
        for (const Flags::Flag& flag : flags.all()) {
            const std::size_t count = result.count(flag.name);
            if (count > 1 && !flag.once.empty()) fail("--{}: given twice; expected {}", flag.name, flag.once);
            if (count > 0) std::visit(Setter{flag, result[flag.name]}, flag.target);
        }
        return true;
    } catch (const cxxopts::exceptions::exception& e) {
        fail("{}; see {} --help", e.what(), options.program());
    }
}

bool given(const Flags::Flag& flag) {
    struct Given {
        bool operator()(const bool* target) const { return *target; }
        bool operator()(void (*)()) const { return false; }
        bool operator()(const std::vector<std::string>* target) const { return !target->empty(); }
        bool operator()(const Defaulted<std::string>* target) const { return target->given; }
        bool operator()(const Defaulted<int>* target) const { return target->given; }
        bool operator()(const std::optional<std::string>* target) const { return target->has_value(); }
        bool operator()(const std::optional<int>* target) const { return target->has_value(); }
        bool operator()(const std::optional<std::int64_t>* target) const { return target->has_value(); }
        bool operator()(const std::optional<double>* target) const { return target->has_value(); }
    };
    return std::visit(Given{}, flag.target);
}

void expect_within(std::string_view flag, std::optional<std::int64_t> value, std::int64_t low, std::int64_t high) {
    if (value && (*value < low || *value > high))
        fail("--{} {}: expected a whole number, {} to {}", flag, *value, low, high);
}

void expect_distinct(const Flags& flags, std::initializer_list<const char*> outputs,
                     const std::vector<std::string>& inputs) {
    namespace fs = std::filesystem;
    std::map<std::string, std::string> used;
    const auto plain = [](const std::string& path) {
        std::error_code error;
        return fs::weakly_canonical(fs::absolute(path, error), error).string();
    };
    for (const std::string& input : inputs) used.emplace(plain(input), "an input of this run");
    for (const char* output : outputs) {
        const auto& path = *std::get<std::optional<std::string>*>(flags.at(output).target);
        if (!path) continue;
        if (path->empty()) fail("--{}: expected the name of a file", output);
        if (path->starts_with("/dev/")) continue;
        const auto [at, fresh] = used.emplace(plain(*path), fmt::format("the file of --{}", output));
        if (!fresh) fail("--{} {}: is {}", output, *path, at->second);
    }
}

std::vector<FlagInfo> infos_of(const Flags& flags) { return {flags.all().begin(), flags.all().end()}; }

}  // namespace outrider
