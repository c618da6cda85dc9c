// outrider generate
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "base/output.hpp"
#include "base/version.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "maps/generate.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "world/map_file.hpp"

namespace outrider {
namespace {

void print_families() {
    print_plain("Families of maps:\n");
    for (const FamilyInfo& f : families())
        print_plain("  {:<11} {} x {} cells of {} m: {}\n", f.name, f.width, f.height, f.cell_m, f.summary);
    print_plain(
        "\noutrider generate FAMILY --seed 1 -o MAP.png [--scenario MAP.toml]; outrider generate FAMILY --help "
        "lists its options.\n");
}

/// "800x600"
void read_size(const std::string& text, GenerateOptions& o) {
    char end = 0;
    if (std::sscanf(text.c_str(), "%dx%d%c", &o.width, &o.height, &end) != 2)
        fail("--size {}: expected WIDTHxHEIGHT in cells, such as 800x600", text);
    for (const int side : {o.width, o.height})
        if (side < 40 || side > 16'384) fail("--size {}: expected 40 to 16384 cells on a side", text);
}

/// A flag of a family, or of all families, by the name of its option.
struct FamilyFlag {
    FieldInfo option;
    std::optional<std::string> text;
};

struct GenerateFlags {
    std::optional<std::string> family, output, scenario, size;
    std::optional<double> cell_m;
    bool force = false;
    std::vector<FamilyFlag> common;                                         ///< of every family
    std::vector<std::pair<std::string, std::vector<FamilyFlag>>> families;  ///< of these families

    /// With the flags of these families.
    explicit GenerateFlags(std::span<const FamilyInfo* const> of) {
        for (const FieldInfo& option : list_fields(GenerateOptions{}))
            if (option.name != "width" && option.name != "height" && option.name != "cell_m")
                common.push_back({option, {}});
        for (const FamilyInfo* info : of) {
            FieldLister lister;
            info->make()->fields(lister);
            auto& [name, flags] = families.emplace_back(info->name, std::vector<FamilyFlag>{});
            for (const FieldInfo& option : lister.fields) flags.push_back({option, {}});
        }
    }
    void fields(Flags& f) {
        f.positional("family", family);
        f("o,output", output, "MAP.png", "map to write; .yaml writes a ROS map with its .pgm");
        f("scenario", scenario, "FILE", "also write a scenario with a base at the map's start area");
        f("size", size, "WxH", "cells from left to right and from bottom to top");
        f.number("cell", cell_m, 0.01, 1, "m", "M", "side of a cell in metres");
        f("force", force, "overwrite files that exist");
        const auto add = [&](std::vector<FamilyFlag>& flags, const std::string& heading) {
            f.group(heading);
            for (FamilyFlag& flag : flags) {
                const FieldInfo& o = flag.option;
                f(o.name, flag.text, "X",
                  fmt::format("{}{} ({})", o.meaning, o.range.empty() ? "" : "; " + o.range, o.value));
            }
        };
        if (!families.empty()) add(common, "Every family");
        for (auto& [name, flags] : families) add(flags, name);
    }
};

/// The family's options that the user gave, as settings.
template <class Options>
void read_options(const std::vector<FamilyFlag>& flags, Options& options) {
    std::vector<Setting> settings;
    for (const auto& [option, text] : flags) {
        if (!text) continue;
        std::vector<Setting> one = parse_settings(option.name + "=" + *text, "--" + option.name);
        settings.insert(settings.end(), one.begin(), one.end());
    }
    SettingReader reader(settings);
    options.fields(reader);
    reader.expect_all_used();
}

GenerateOptions common_options(const GenerateFlags& flags, const FamilyInfo& family) {
    GenerateOptions options;
    options.width = family.width;
    options.height = family.height;
    options.cell_m = flags.cell_m.value_or(family.cell_m);
    if (flags.size) read_size(*flags.size, options);
    read_options(flags.common, options);
    return options;
}

void print_map(const std::string& path, const GeneratedMap& map) {
    const auto free = std::count(map.walls.cells().begin(), map.walls.cells().end(), 0);
    const Point start = map.walls.lattice().centre(map.start);
    print_plain("{}: {} x {} cells of {} m, {:.1f} % free, {} rooms, start at ({:.2f}, {:.2f}) m, hash {}\n", path,
                map.walls.width(), map.walls.height(), map.walls.lattice().cell_m,
                100.0 * static_cast<double>(free) / static_cast<double>(map.walls.cells().size()), map.rooms, start.x,
                start.y, map_hash(map.walls).hex());
}

int generate_of(const FamilyInfo& family, const GenerateFlags& flags) {
    const GenerateOptions common = common_options(flags, family);
    const std::unique_ptr<Family> place = family.make();
    read_options(flags.families[0].second, *place);
    if (!flags.output) fail("nowhere to write the map: give -o MAP.png");
    if (flags.scenario == flags.output) fail("--scenario {}: is the file of --output", *flags.scenario);
    if (flags.scenario) OutputFile(*flags.scenario, flags.force);  // refused before anything is done

    end_when_interrupted(nothing_written);
    const GeneratedMap map = generate(family, *place, common);
    ignore_interrupts();
    std::unique_ptr<OutputFile> scenario;
    if (flags.scenario) scenario = std::make_unique<OutputFile>(*flags.scenario, flags.force);
    write_map(*flags.output, MapFile{map.walls, {}}, flags.force,
              {{"Software", fmt::format("outrider {}", version())}, {"Comment", map.command}});
    if (scenario) {
        namespace fs = std::filesystem;
        const fs::path folder = fs::absolute(scenario->path()).parent_path();
        scenario->write(
            scenario_text(family, map, common.seed, fs::absolute(*flags.output).lexically_relative(folder).string()));
        scenario->commit();
    }
    print_map(*flags.output, map);
    if (scenario) print_plain("{}: run it with  outrider run {}\n", scenario->path(), shell_word(scenario->path()));
    return 0;
}

/// The first argument is the family, which decides the other flags.
int generate_by(const HelpPage& page, const Arguments& arguments) {
    if (arguments.empty() || arguments[0].starts_with("-")) {
        GenerateFlags flags(std::span<const FamilyInfo* const>{});
        parse(page, flags, arguments);
        print_families();
        return 0;
    }
    const FamilyInfo& family = find_family(arguments[0]);
    const FamilyInfo* const only[] = {&family};
    GenerateFlags flags(only);
    const HelpPage of_family{"generate " + arguments[0], page.about, "[OPTIONS] -o MAP.png"};
    return parse(of_family, flags, arguments) ? generate_of(family, flags) : 0;
}

}  // namespace

Subcommand generate_command() {
    const auto flags = [] {
        std::vector<const FamilyInfo*> all;
        for (const FamilyInfo& f : families()) all.push_back(&f);
        GenerateFlags every(all);
        return infos_of(flags_of(every));
    };
    return {{"generate", "Generate a map of a family. The same arguments give the same map everywhere.\n",
             "FAMILY [OPTIONS] -o MAP.png"},
            "generate a map: office, maze, cave, campus, ...",
            flags,
            generate_by};
}

}  // namespace outrider
