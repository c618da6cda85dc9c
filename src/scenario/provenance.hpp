// What decides in a run: the library, the strategies, and the programs that these ask, each with a hash of its content.
// Only runs that the same things decided can be put together.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/sqlite.hpp"

namespace outrider {

class Robot;
struct Scenario;

/// Models are files with the weights of learned strategies, modules those of strategies in Python.
inline constexpr std::array<std::string_view, 5> provenance_kinds{"library", "strategy", "program", "module", "model"};

/// Of a strategy or a file that is not there any more.
inline constexpr std::string_view no_fingerprint = "000000000000";

struct ProvenancePart {
    std::string kind;          ///< one of provenance_kinds
    std::string name;          ///< of a strategy; of a program's file as its command names it; empty: the library
    std::string fingerprint;   ///< twelve hexadecimal digits
    bool own = false;          ///< of a strategy: its sources are not as committed
    std::string version = {};  ///< as a program said; its name is then the command, its fingerprint of what it said
    /// "own strategy my_idea 3fa2b1c09d12".
    std::string text() const;
};

struct Provenance {
    std::vector<ProvenancePart> parts;  ///< by kind and name, each once
    const ProvenancePart* find(std::string_view kind, std::string_view name) const;
    void add(ProvenancePart part);
    void add(const Provenance& other);
    /// Of all parts together.
    std::string fingerprint() const;
    /// All parts, between commas.
    std::string text() const;
};

/// What decides for robots with these strategies ("name(option=value, ...)"), as it is now. With `then`, of the files
/// of programs those that it has, and those that are not there any more. Reads these files.
Provenance provenance_of(const std::vector<std::string>& strategies, const Provenance* then = nullptr);
Provenance provenance_of(const Scenario& scenario, const Provenance* then = nullptr);
/// The versions that the programs of these robots have said so far; nothing else.
Provenance reported_versions(const Scenario& scenario, std::span<const Robot> team);

/// Parts that are not what they were: "strategy my_idea was 3fa2b1c09d12 and is 77b1..." in words, between semicolons.
/// Empty: none. Parts that `then` does not have are passed over.
std::string changes_since(const Provenance& then, const Provenance& now);

/// Files that a shell command names, each word once and in order: the program in the PATH, and words that are readable
/// files; with a hash of the content, or no_fingerprint where the word is no such file.
std::vector<std::pair<std::string, std::string>> files_of_command(const std::string& command);

/// The table of a database that holds parts: `whole` is the fingerprint of all parts of a run.
inline constexpr std::string_view provenance_schema =
    "CREATE TABLE provenance(whole TEXT, kind TEXT, name TEXT, fingerprint TEXT, own INTEGER, version TEXT, "
    "PRIMARY KEY(whole, kind, name)) WITHOUT ROWID;";
/// Adds the parts, unless those of the same whole are there.
void write_provenance(Database& db, const Provenance& provenance);
/// All in the database, by fingerprint; nothing in files of earlier versions. Throws Error when they are damaged.
std::vector<Provenance> read_provenance(Database& db);

}  // namespace outrider
