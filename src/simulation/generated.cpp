#include "simulation/generated.hpp"

#include "maps/generate.hpp"
#include "outrider/detail/settings.hpp"

namespace outrider {

ScenarioMaker generated_scenarios(const std::string& family, std::vector<Setting> options, ConfigTable config) {
    find_family(family);  // reports a mistake at once
    return [family, options = std::move(options), config = std::move(config)](std::uint64_t seed) {
        GeneratedMap map = generate(family, options, seed);
        const std::string name = fmt::format("{}-{}", family, seed);
        ConfigTable c = config;
        c.set({"map.file", name + ".png", family});
        c.set({"run.seed", static_cast<std::int64_t>(seed), family});
        if (!c.array("base")) {
            const Point base = map.walls.lattice().centre(map.start);
            c.arrays.emplace_back(
                "base", std::vector<ConfigTable>{{family, {{"x_m", base.x, family}, {"y_m", base.y, family}}, {}, {}}});
        }
        Notes notes;
        return make_scenario(std::move(c), name, std::move(map.walls), notes);
    };
}

}  // namespace outrider
