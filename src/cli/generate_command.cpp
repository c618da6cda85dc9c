// outrider generate
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "arguments/arguments.hpp"
#include "base/output.hpp"
#include "base/version.hpp"
#include "cli/interrupt.hpp"
#include "maps/generate.hpp"
#include "world/map_file.hpp"

namespace outrider {
namespace {

void print_families() {
    fmt::print("Families of maps:\n");
    for (const FamilyInfo& f : families())
        fmt::print("  {:<11} {} x {} cells of {} m: {}\n", f.name, f.width, f.height, f.cell_m, f.summary);
    fmt::print(
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

/// What a user says of the family's options, as settings.
template <class Options>
void read_options(const cxxopts::ParseResult& result, const std::vector<FieldInfo>& known, Options& options) {
    std::vector<Setting> settings;
    for (const FieldInfo& f : known) {
        if (!result.count(f.name)) continue;
        std::vector<Setting> one =
            parse_settings(f.name + "=" + result[f.name].template as<std::string>(), "--" + f.name);
        settings.insert(settings.end(), one.begin(), one.end());
    }
    SettingReader reader(settings);
    options.fields(reader);
    reader.expect_all_used();
}

std::string scenario_text(const FamilyInfo& family, const GeneratedMap& map, const std::string& file,
                          std::uint64_t seed) {
    const Lattice& lattice = map.walls.lattice();
    const Point start = lattice.centre(map.start);
    return fmt::format(
        "# {} (seed {}): {}.\n# Map made by: {}\n\n[map]\nfile = {}\ncell_m = {}\n\n[team]\nrobots = 4\n"
        "strategy = \"mresim_greedy\"\n\n[[base]]\nx_m = {:.3f}\ny_m = {:.3f}\n",
        family.name, seed, family.summary, map.command, toml_quoted(file), lattice.cell_m, start.x, start.y);
}

}  // namespace

int generate_command(const Arguments& arguments) {
    const bool named = !arguments.empty() && !arguments[0].starts_with("-");
    cxxopts::Options options("outrider generate" + (named ? " " + arguments[0] : std::string()),
                             "Generate a map of a family. The same arguments give the same map everywhere.\n");
    options.custom_help("[OPTIONS] -o MAP.png").positional_help("");
    options.add_options()("family", "", cxxopts::value<std::string>())(
        "o,output", "map to write; .yaml writes a ROS map with its .pgm", cxxopts::value<std::string>(), "MAP.png")(
        "scenario", "also write a scenario with a base at the map's start area", cxxopts::value<std::string>(), "FILE")(
        "size", "cells from left to right and from bottom to top", cxxopts::value<std::string>(), "WxH")(
        "cell", "side of a cell in metres", cxxopts::value<double>(), "M")("force", "overwrite files that exist");
    options.parse_positional({"family"});
    if (!named) {
        options.custom_help("FAMILY [OPTIONS] -o MAP.png");
        parse_arguments(options, arguments);
        print_families();
        return 0;
    }

    const FamilyInfo& family = find_family(arguments[0]);
    const std::unique_ptr<Family> place = family.make();
    GenerateOptions common;
    common.width = family.width;
    common.height = family.height;
    common.cell_m = family.cell_m;
    const auto add = [&](const std::vector<FieldInfo>& fields, const char* group) {
        for (const FieldInfo& f : fields)
            options.add_options(group)(
                f.name, fmt::format("{}{} ({})", f.meaning, f.range.empty() ? "" : "; " + f.range, f.value),
                cxxopts::value<std::string>(), "X");
    };
    std::vector<FieldInfo> common_fields = list_fields(common);
    std::erase_if(common_fields,
                  [](const FieldInfo& f) { return f.name == "width" || f.name == "height" || f.name == "cell_m"; });
    FieldLister lister;
    place->fields(lister);
    add(common_fields, "Every family");
    add(lister.fields, family.name.c_str());
    const auto result = parse_arguments(options, arguments);
    if (!result) return 0;

    if (result->count("size")) read_size((*result)["size"].as<std::string>(), common);
    if (result->count("cell")) {
        common.cell_m = (*result)["cell"].as<double>();
        if (!(common.cell_m >= 0.01 && common.cell_m <= 1)) fail("--cell {}: expected 0.01 to 1 m", common.cell_m);
    }
    read_options(*result, common_fields, common);
    read_options(*result, lister.fields, *place);
    if (!result->count("output")) fail("nowhere to write the map: give -o MAP.png");
    const auto path = (*result)["output"].as<std::string>();
    const bool force = result->count("force") > 0;
    const auto scenario_path = result->count("scenario") ? (*result)["scenario"].as<std::string>() : std::string();
    if (scenario_path == path) fail("--scenario {}: is the file of --output", path);
    if (!scenario_path.empty()) OutputFile(scenario_path, force);  // refused before anything is done

    end_when_interrupted(nothing_written);
    const GeneratedMap map = generate(family, *place, common);
    ignore_interrupts();
    std::unique_ptr<OutputFile> scenario;
    if (!scenario_path.empty()) scenario = std::make_unique<OutputFile>(scenario_path, force);
    write_map(path, MapFile{map.walls, {}}, force,
              {{"Software", fmt::format("outrider {}", version())}, {"Comment", map.command}});
    if (scenario) {
        namespace fs = std::filesystem;
        const fs::path folder = fs::absolute(scenario->path()).parent_path();
        scenario->write(
            scenario_text(family, map, fs::absolute(path).lexically_relative(folder).string(), common.seed));
        scenario->commit();
    }
    const auto free = std::count(map.walls.cells().begin(), map.walls.cells().end(), 0);
    const Point start = map.walls.lattice().centre(map.start);
    fmt::print("{}: {} x {} cells of {} m, {:.1f} % free, {} rooms, start at ({:.2f}, {:.2f}) m, hash {}\n", path,
               map.walls.width(), map.walls.height(), common.cell_m,
               100.0 * static_cast<double>(free) / static_cast<double>(map.walls.cells().size()), map.rooms, start.x,
               start.y, map_hash(map.walls).hex());
    if (scenario) fmt::print("{}: run it with  outrider run {}\n", scenario->path(), scenario->path());
    return 0;
}

}  // namespace outrider
