#include "scenario/provenance.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/version.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"
#include "robot/robot.hpp"
#include "robot/switch_strategy.hpp"
#include "scenario/scenario.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t most_read_bytes = 64 << 20;  // of larger files size and time count

auto place_of(const ProvenancePart& part) {
    const auto kind = std::find(provenance_kinds.begin(), provenance_kinds.end(), part.kind);
    return std::pair(kind - provenance_kinds.begin(), std::string_view(part.name));
}

/// A name as a terminal may show it: it may come from a file.
std::string shown(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](char c) { return (c >= 0 && c < ' ') || c == 127; }, '?');
    return text;
}

std::string hash_of_file(const fs::path& path) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(path, error);
    if (size > most_read_bytes)
        return fingerprint_of(fmt::format("{} {}", size, fs::last_write_time(path, error).time_since_epoch().count()));
    std::ostringstream content;
    if (size > 0)  // files of the system that may never end claim to be empty
        content << std::ifstream(path, std::ios::binary).rdbuf();
    return fingerprint_of(content.str());
}

bool readable_file(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && access(path.c_str(), R_OK) == 0;
}

/// As a shell finds a program; empty: not at all.
fs::path in_path(const std::string& name) {
    const char* variable = std::getenv("PATH");
    std::istringstream folders(variable ? variable : "");
    for (std::string folder; std::getline(folders, folder, ':');) {
        const fs::path path = fs::path(folder.empty() ? "." : folder) / name;
        if (access(path.c_str(), X_OK) == 0 && readable_file(path)) return path;
    }
    return {};
}

/// Where the package `outrider` is: this code is part of it, or of the program beside it.
fs::path package_folder() {
    Dl_info here{};
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    if (dladdr(reinterpret_cast<const void*>(&in_path), &here) == 0 || !here.dli_fname) return {};
    const fs::path file = here.dli_fname;
    return file.filename().string().starts_with("_core.") ? file.parent_path().parent_path()
                                                          : program.parent_path() / "python";
}

struct ModuleFile {
    std::string name;  ///< as the log has it; empty: there is no module
    fs::path path;
};

/// The file of a class of Python, "module:Class", as an import would find it: here, in PYTHONPATH, or in the package.
ModuleFile module_of(const std::string& python_class) {
    std::string module = python_class.substr(0, python_class.find(':'));
    if (module.empty()) return {};
    std::replace(module.begin(), module.end(), '.', '/');
    const char* variable = std::getenv("PYTHONPATH");
    std::istringstream folders(std::string(".:") + (variable ? variable : ""));
    for (std::string folder; std::getline(folders, folder, ':');)
        for (const char* ending : {".py", "/__init__.py"})
            if (const fs::path path = (fs::path(folder) / (module + ending)).lexically_normal(); readable_file(path))
                return {path.string(), path};
    return {module + ".py", package_folder() / (module + ".py")};
}

struct ShellWord {
    std::string text;
    bool begins = false;   ///< a command
    bool written = false;  ///< a file that output goes to
};

/// The words of a command, with quotes taken off; variables and patterns stay as they are.
std::vector<ShellWord> shell_words(const std::string& command) {
    std::vector<ShellWord> out;
    ShellWord word{{}, true, false};
    bool some = false;
    const auto end_word = [&](bool begins, bool written) {
        if (some) {
            const bool assigns = word.begins && word.text.find('=') != std::string::npos;
            begins |= assigns;
            out.push_back(std::exchange(word, {}));
        } else {
            begins |= word.begins;
        }
        word = {{}, begins, written};
        some = false;
    };
    for (std::size_t i = 0; i < command.size(); ++i) {
        const char c = command[i];
        if (c == ' ' || c == '\t') {
            end_word(false, !some && word.written);
        } else if (c == '\n' || c == ';' || c == '&' || c == '|' || c == '(' || c == ')') {
            end_word(true, false);
        } else if (c == '<' || c == '>') {
            if (some && word.text.find_first_not_of("0123456789") == std::string::npos) some = false;  // 2>
            end_word(false, c == '>');
        } else if (c == '\'' || c == '"') {
            some = true;
            for (++i; i < command.size() && command[i] != c; ++i) {
                if (c == '"' && command[i] == '\\' && i + 1 < command.size()) ++i;
                word.text += command[i];
            }
        } else {
            some = true;
            word.text += c == '\\' && i + 1 < command.size() ? command[++i] : c;
        }
    }
    end_word(true, false);
    return out;
}

}  // namespace

std::string ProvenancePart::text() const {
    if (kind == "library") return fmt::format("library {}", fingerprint);
    if (!version.empty()) return fmt::format("{} {} (version {})", kind, shown(name), shown(version));
    return fmt::format("{}{} {} {}", own ? "own " : "", kind, shown(name), fingerprint);
}

const ProvenancePart* Provenance::find(std::string_view kind, std::string_view name) const {
    for (const ProvenancePart& part : parts)
        if (part.kind == kind && part.name == name) return &part;
    return nullptr;
}

void Provenance::add(ProvenancePart part) {
    const auto at =
        std::lower_bound(parts.begin(), parts.end(), part,
                         [](const ProvenancePart& a, const ProvenancePart& b) { return place_of(a) < place_of(b); });
    if (at == parts.end() || place_of(*at) != place_of(part)) parts.insert(at, std::move(part));
}

void Provenance::add(const Provenance& other) {
    for (const ProvenancePart& part : other.parts) add(part);
}

std::string Provenance::fingerprint() const {
    std::string all;
    for (const ProvenancePart& part : parts) all += fmt::format("{} {} {}\n", part.kind, part.name, part.fingerprint);
    return fingerprint_of(all);
}

std::string Provenance::text() const {
    std::string out;
    for (const ProvenancePart& part : parts) out += (out.empty() ? "" : ", ") + part.text();
    return out;
}

std::vector<std::pair<std::string, std::string>> files_of_command(const std::string& command) {
    std::vector<std::pair<std::string, std::string>> out;
    fs::path folder;  // that `cd` went to
    bool enters = false;
    for (const ShellWord& word : shell_words(command)) {
        if (std::exchange(enters, false)) folder /= word.text;
        enters = word.begins && word.text == "cd";
        if (word.written || std::any_of(out.begin(), out.end(), [&](auto& file) { return file.first == word.text; }))
            continue;
        fs::path path = folder / word.text;
        if (word.begins && word.text.find('/') == std::string::npos) path = in_path(word.text);
        out.emplace_back(word.text, readable_file(path) ? hash_of_file(path) : std::string(no_fingerprint));
    }
    return out;
}

Provenance provenance_of(const std::vector<std::string>& named, const Provenance* then) {
    Provenance out;
    out.add({"library", "", std::string(library_fingerprint())});
    std::vector<std::string> all = named;  // and those between which one of them switches
    for (const std::string& text : named)
        for (const std::string& one : switched_between(text, strategy_name(text)))
            if (one != text) all.push_back(one);
    for (const std::string& text : all) {
        const std::string name = strategy_name(text);
        if (const std::string model = model_of(text, name); !model.empty())
            out.add({"model", model, readable_file(model) ? hash_of_file(model) : std::string(no_fingerprint)});
        if (const auto [module, path] = module_of(python_class_of(text, name)); !module.empty())
            out.add({"module", module, readable_file(path) ? hash_of_file(path) : std::string(no_fingerprint)});
        if (out.find("strategy", name) && name != "external") continue;
        ProvenancePart part{"strategy", name, std::string(no_fingerprint)};
        for (const StrategyInfo& info : strategies()) {
            if (info.name != name) continue;
            if (!info.plugin.empty()) {
                part.fingerprint = hash_of_file(info.plugin);
                part.own = true;
                continue;
            }
            const SourceFingerprint source =
                info.source ? strategy_fingerprint(info.source) : SourceFingerprint{{}, library_fingerprint()};
            part.fingerprint = source.fingerprint;
            part.own = source.own;
        }
        out.add(std::move(part));
        if (name == "python") continue;
        for (auto& [word, fingerprint] : files_of_command(program_of(text, name)))
            if (then ? then->find("program", word) != nullptr : fingerprint != no_fingerprint)
                out.add({"program", word, std::move(fingerprint)});
    }
    return out;
}

Provenance provenance_of(const Scenario& scenario, const Provenance* then) {
    std::vector<std::string> strategies;
    for (const RobotEntry& robot : scenario.robots)
        if (std::find(strategies.begin(), strategies.end(), robot.strategy) == strategies.end())
            strategies.push_back(robot.strategy);
    return provenance_of(strategies, then);
}

Provenance reported_versions(const Scenario& scenario, std::span<const Robot> team) {
    Provenance out;
    for (std::size_t i = 0; i < team.size(); ++i) {
        const std::string version = team[i].reported_version();
        if (version.empty()) continue;
        const RobotEntry& robot = scenario.robots.at(i);
        out.add({"program", program_of(robot.strategy, robot.name), fingerprint_of(version), false, version});
    }
    return out;
}

std::string changes_since(const Provenance& then, const Provenance& now) {
    std::string out;
    for (const ProvenancePart& part : now.parts) {
        const ProvenancePart* old = then.find(part.kind, part.name);
        if (!old || old->fingerprint == part.fingerprint) continue;
        const std::string name = part.name.empty() ? "the " + part.kind : part.kind + " " + shown(part.name);
        if (!out.empty()) out += "; ";
        if (part.version.empty() || old->version.empty())
            out += fmt::format("{} was {} and is {}", name, old->fingerprint,
                               part.fingerprint == no_fingerprint ? "not there any more" : part.fingerprint);
        else
            out += fmt::format("{} reported version {} and now reports {}", name, shown(old->version), part.version);
    }
    return out;
}

void write_provenance(Database& db, const Provenance& provenance) {
    const std::string whole = provenance.fingerprint();
    Statement row = db.prepare("INSERT OR IGNORE INTO provenance VALUES(?, ?, ?, ?, ?, ?)");
    for (const ProvenancePart& part : provenance.parts)
        row.bind(1, whole)
            .bind(2, part.kind)
            .bind(3, part.name)
            .bind(4, part.fingerprint)
            .bind(5, std::int64_t{part.own})
            .bind(6, part.version)
            .run();
}

std::vector<Provenance> read_provenance(Database& db) {
    std::vector<Provenance> out;
    Statement there = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'provenance'");
    if (!there.step()) return out;
    there.run();
    db.expect_tables({{"provenance", "whole kind name fingerprint own version"}}, "of this kind");
    std::string whole;
    Statement row =
        db.prepare("SELECT whole, kind, name, fingerprint, own, version FROM provenance ORDER BY whole, kind, name");
    while (row.step()) {
        ProvenancePart part{std::string(row.bytes(1)), std::string(row.bytes(2)), std::string(row.bytes(3)),
                            row.integer(4) != 0, std::string(row.bytes(5))};
        const bool known =
            std::find(provenance_kinds.begin(), provenance_kinds.end(), part.kind) != provenance_kinds.end();
        if (!known || !is_fingerprint(part.fingerprint) || !is_fingerprint(row.bytes(0)))
            fail("{}: what it says of its program is damaged: '{} {} {}'", db.path(), part.kind, part.name,
                 part.fingerprint);
        if (out.empty() || whole != row.bytes(0)) out.emplace_back();
        whole = row.bytes(0);
        out.back().add(std::move(part));
    }
    return out;
}

}  // namespace outrider
