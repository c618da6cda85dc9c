// outrider convert
#include <cstdio>

#include "arguments/arguments.hpp"
#include "world/map_file.hpp"

namespace outrider {

int convert_command(const Arguments& arguments) {
    cxxopts::Options options(
        "outrider convert",
        "Convert a map: from .png, .pgm, .yaml (ROS), .map (MovingAI) or .txt (0 and 1) to .png or "
        ".yaml with its .pgm.\n");
    options.add_options()("input", "", cxxopts::value<std::string>())("o,output", "map to write",
                                                                      cxxopts::value<std::string>(), "MAP")(
        "set", "set an option of [map], e.g. --set cell_m=0.05; may be repeated",
        cxxopts::value<std::vector<std::string>>(), "key=value")("force", "overwrite files that exist");
    options.parse_positional({"input"});
    options.positional_help("MAP");
    const auto result = parse_arguments(options, arguments);
    if (!result) return 0;
    if (!result->count("input") || !result->count("output")) fail("expected outrider convert MAP -o OTHER");
    expect_distinct(*result, {"output"}, {(*result)["input"].as<std::string>()});
    MapOptions map_options;
    std::vector<Setting> settings;
    if (result->count("set"))
        for (const std::string& text : (*result)["set"].as<std::vector<std::string>>())
            for (Setting& s : parse_settings(text, "--set")) settings.push_back(std::move(s));
    SettingReader reader(settings);
    map_options.fields(reader);
    reader.expect_all_used();
    const std::string& input = (*result)["input"].as<std::string>();
    if (input.ends_with(".yaml") || input.ends_with(".yml"))
        for (const Setting& s : settings)
            if (s.key == "cell_m" || s.key == "occupied_thresh" || s.key == "negate")
                fail("--set {}: {} says its own", s.key, input);
    const MapFile map = read_map(map_options, input);
    write_map((*result)["output"].as<std::string>(), map, result->count("force") > 0);
    fmt::print("{}: {} x {} cells of {} m, hash {}\n", (*result)["output"].as<std::string>(), map.walls.width(),
               map.walls.height(), map_options.cell_m, map_hash(map.walls).hex());
    return 0;
}

}  // namespace outrider
