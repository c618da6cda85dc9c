// outrider convert

#include "arguments/arguments.hpp"
#include "base/output.hpp"
#include "cli/commands.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"
#include "world/map_file.hpp"

namespace outrider {
namespace {

struct ConvertFlags {
    std::optional<std::string> input, output;
    std::vector<std::string> set;
    bool force = false;
    void fields(Flags& f) {
        f.positional("input", input);
        f("o,output", output, "MAP", "map to write");
        f("set", set, "key=value", "set an option of [map], e.g. --set cell_m=0.05; may be repeated");
        f("force", force, "overwrite files that exist");
    }
};

MapOptions map_options(const ConvertFlags& flags) {
    std::vector<Setting> settings = settings_of(flags.set);
    MapOptions options;
    SettingReader reader(settings);
    options.fields(reader);
    reader.expect_all_used();
    options.take_given(settings);
    return options;
}

int convert(const ConvertFlags& flags) {
    if (!flags.input || !flags.output) fail("expected outrider convert MAP -o OTHER");
    expect_distinct(flags, {"output"}, {*flags.input});
    MapOptions options = map_options(flags);
    const MapFile map = read_map(options, *flags.input);
    for (const std::string& note : map.notes) print_aside("note: {}\n", note);
    write_map(*flags.output, map, flags.force);
    print_plain("{}: {} x {} cells of {} m, hash {}\n", *flags.output, map.walls.width(), map.walls.height(),
                options.cell_m, map_hash(map.walls).hex());
    return 0;
}

}  // namespace

Subcommand convert_command() {
    return subcommand<ConvertFlags, convert>(
        {"convert",
         "Convert a map: from an image, .yaml (ROS), .map (MovingAI) or .txt (0 and 1) to .png or "
         ".yaml with its .pgm.\n",
         "[OPTION...] MAP"},
        "convert a map between formats");
}

}  // namespace outrider
