#include "view/settings.hpp"

#include <fmt/core.h>

#include <filesystem>

#include "base/config.hpp"
#include "base/output.hpp"
#include "outrider/detail/settings.hpp"
#include "outrider/error.hpp"

namespace outrider::view {
namespace fs = std::filesystem;

void Settings::fields(Fields& f) {
    f("dark", dark, "dark colours");
    f("panels", panels, "whether the panels are shown");
    f("width", width, 320, 7680, "of the window");
    f("height", height, 240, 4320, "of the window");
    f("left", left, 240, 700, "width of the left panel, in points");
    f("right", right, 290, 700, "width of the right panel, in points");
    for (std::size_t k = 0; k < presets.size(); ++k)
        f(fmt::format("preset_{}", k + 1), presets[k], "layers on this key; empty: as they come");
}

ReadSettings read_settings(const std::string& path) {
    std::error_code error;
    if (path.empty() || !fs::exists(path, error)) return {};
    try {
        ConfigTable config = load_config(path);
        ReadSettings out;
        SettingReader reader(config.settings);
        out.settings.fields(reader);
        std::erase_if(config.settings, [](const Setting& s) { return s.used; });
        out.settings.others = to_toml(config);
        return out;
    } catch (const std::exception& problem) {
        return {{}, problem.what()};
    }
}

void write_settings(const std::string& path, const Settings& settings, bool damaged) {
    std::string text = "# How the window of outrider view was left: colours, layout, sets of layers.\n";
    const Settings plain;
    const std::vector<FieldInfo> now = list_fields(settings), before = list_fields(plain);
    for (std::size_t k = 0; k < now.size(); ++k)
        if (now[k].value != before[k].value) text += fmt::format("{} = {}\n", now[k].name, now[k].value);
    OutputFile file(path, true);
    file.write(text + settings.others);
    if (damaged) {
        std::string aside = path + ".damaged";
        for (int k = 2; fs::exists(aside); ++k) aside = fmt::format("{}.damaged{}", path, k);
        fs::rename(path, aside);
    }
    file.commit();
}

}  // namespace outrider::view
