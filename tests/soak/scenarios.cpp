#include "soak/scenarios.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <vector>

#include "maps/family.hpp"
#include "maps/generate.hpp"
#include "outrider/rng.hpp"
#include "robot/registry.hpp"

namespace outrider::soak {
namespace {

class Dice {
  public:
    Dice(std::uint64_t seed, std::uint64_t number)
        : rng_(seed, static_cast<std::int64_t>(number), Purpose::placement, 0) {}
    bool chance(double p) { return rng_.uniform() < p; }
    int whole(int low, int high) {
        return low + static_cast<int>(rng_.below(static_cast<std::uint32_t>(high - low + 1)));
    }
    double real(double low, double high) { return rng_.uniform(low, high); }
    template <class T>
    const T& one_of(const std::vector<T>& items) {
        return items[rng_.below(static_cast<std::uint32_t>(items.size()))];
    }
    std::string word(const std::vector<std::string>& words) { return one_of(words); }

  private:
    Rng rng_;
};

/// "a | b | c" in its parts.
std::vector<std::string> choices_of(const std::string& range) {
    std::vector<std::string> out;
    std::istringstream text(range);
    for (std::string word; text >> word;)
        if (word != "|") out.push_back(word);
    return out;
}

/// Another value of an option, within its range; empty: as it is.
std::string other_value(const FieldInfo& option, Dice& dice) {
    if (option.range.find(" | ") != std::string::npos) return "'" + dice.word(choices_of(option.range)) + "'";
    if (option.value == "true" || option.value == "false") return option.value == "true" ? "false" : "true";
    const std::size_t to = option.range.find(" to ");
    if (to == std::string::npos) return "";
    const double low = std::atof(option.range.c_str()), high = std::atof(option.range.c_str() + to + 4),
                 usual = std::atof(option.value.c_str());
    const double value = std::clamp(usual * dice.real(0.4, 2.5), low, high);
    const bool whole = option.value.find('.') == std::string::npos;
    return whole ? fmt::format("{}", static_cast<std::int64_t>(value)) : fmt::format("{:.3f}", std::max(value, low));
}

/// A strategy that explores by itself, at times with other options.
std::string draw_strategy(Dice& dice) {
    std::vector<const StrategyInfo*> able;
    for (const StrategyInfo& s : strategies())
        if (!s.traits.operator_driven && s.name != "external" && s.name != "python" && s.name != "remote" &&
            s.name != "stay" && s.source)
            able.push_back(&s);
    const StrategyInfo& chosen = *dice.one_of(able);
    std::string options;
    if (dice.chance(0.4) && !chosen.options.empty())
        for (int i = dice.whole(1, 2); i > 0; --i) {
            const FieldInfo& option = dice.one_of(chosen.options);
            const std::string value = other_value(option, dice);
            if (!value.empty() && options.find(option.name + "=") == std::string::npos)
                options += (options.empty() ? "" : ", ") + option.name + "=" + value;
        }
    return options.empty() ? chosen.name : fmt::format("{}({})", chosen.name, options);
}

std::string draw_robots(Dice& dice, int robots) {
    std::string out;
    if (!dice.chance(0.25)) return out;
    for (int i = 0; i < robots; ++i) {
        out += fmt::format("[[robot]]\nname = 'r{}'\n", i + 1);
        if (i > 0 && dice.chance(0.3)) out += fmt::format("dies_at_step = {}\n", dice.whole(1, 500));
        if (dice.chance(0.2)) out += fmt::format("strategy = \"{}\"\n", draw_strategy(dice));
    }
    if (dice.chance(0.3))
        out += fmt::format("[failure]\nrate_per_hour = {}\nrepair_steps = {}\n", dice.whole(1, 40), dice.whole(0, 200));
    return out;
}

}  // namespace

Draw draw_scenario(std::uint64_t seed, std::uint64_t number) {
    Dice dice(seed, number);
    const FamilyInfo& family = dice.one_of(families());
    const double cell_m = dice.one_of(std::vector{0.1, 0.1, 0.2});
    std::vector<Setting> drawing{{"width", std::int64_t{dice.whole(90, 200)}, "soak"},
                                 {"height", std::int64_t{dice.whole(90, 160)}, "soak"},
                                 {"cell_m", cell_m, "soak"}};
    if (dice.chance(0.2)) drawing.push_back({"rubble", dice.real(0, 0.1), "soak"});
    const int robots = dice.whole(1, 6);
    std::string toml = fmt::format("[run]\nsteps = {}\nseed = {}\n", dice.whole(400, 900), dice.whole(1, 1'000'000));
    toml += fmt::format("[team]\nrobots = {}\nstrategy = \"{}\"\n", robots, draw_strategy(dice));
    if (dice.chance(0.2))
        toml += fmt::format("[stop]\nof = '{}'\nfraction = {:.2f}\n", dice.word({"base", "team"}), dice.real(0.5, 1));
    if (dice.chance(0.3))
        toml +=
            fmt::format("[body]\nkinematics = '{}'\nradius_m = {:.2f}\nspeed_mps = {:.2f}\nseen = {}\nblocks = {}\n",
                        dice.word({"holonomic", "diff_drive"}), dice.chance(0.5) ? dice.real(0.05, 0.3) : 0.0,
                        dice.real(0.2, 1.5), dice.chance(0.3), dice.chance(0.3));
    if (dice.chance(0.5)) {
        const int beams = dice.word({"few", "many"}) == "few" ? dice.whole(8, 60) : dice.whole(90, 361);
        toml += fmt::format("[sensor]\nbeams = {}\nfov_deg = {:.0f}\nrange_m = {:.1f}\n", beams, dice.real(90, 360),
                            dice.real(2, 20));
    }
    const std::string radio = dice.word({"path_loss", "path_loss", "circle", "los"});
    toml += fmt::format("[radio]\nmodel = '{}'\n", radio);
    if (radio == "path_loss" && dice.chance(0.3))
        toml += fmt::format("fading_db = {:.1f}\nfading_m = {:.1f}\nfading_steps = {}\nsensed_noise_db = {:.1f}\n",
                            dice.real(0, 6), dice.real(0.5, 10), dice.whole(0, 50), dice.real(0, 3));
    toml += fmt::format("[comm]\nrange_m = {0:.1f}\nbase_range_m = {0:.1f}\n", dice.real(2, 30));
    if (dice.chance(0.3)) toml += "delivery = 'hop'\n";
    if (dice.chance(0.3)) toml += fmt::format("loss_rate = {:.2f}\n", dice.real(0, 0.6));
    if (dice.chance(0.2)) toml += fmt::format("link_bytes = {}\n", dice.whole(500, 20'000));
    if (dice.chance(0.2))
        toml +=
            fmt::format("medium_bytes = {}\naccess = '{}'\n", dice.whole(2000, 50'000), dice.word({"free", "tdma"}));
    if (dice.chance(0.3)) {
        toml +=
            fmt::format("[noise]\nodometry_share = {:.3f}\nrange_m = {:.3f}\n", dice.real(0, 0.05), dice.real(0, 0.03));
        if (dice.chance(0.3))
            toml += fmt::format("drop_rate = {:.2f}\nspeed_jitter = {:.2f}\n", dice.real(0, 0.1), dice.real(0, 0.3));
        // Few particles: many of them take a hundred times as long as all else.
        if (dice.chance(0.6))
            toml += fmt::format("[slam]\nmethod = '{}'\nshared_particles = 30\n",
                                dice.word({"scan_match", "scan_match", "scan_match", "particle_shared"}));
    }
    if (dice.chance(0.2)) toml += fmt::format("[mapping]\nupdate = '{}'\n", dice.word({"polygon", "per_beam"}));
    if (dice.chance(0.3))
        toml += fmt::format("[frontier]\nkind = '{}'\nmin_cells = {}\nleftovers = '{}'\n",
                            dice.word({"unknown", "unsafe"}), dice.whole(1, 25), dice.word({"last", "drop"}));
    if (dice.chance(0.3))
        toml += fmt::format("[plan]\nplanner = '{}'\nany_angle = {}\n",
                            dice.word({"jps", "astar", "field", "topological"}), dice.chance(0.5));
    toml += draw_robots(dice, robots);
    if (dice.chance(0.2)) toml += fmt::format("[battery]\nwh = {:.1f}\n", dice.real(0.2, 10));
    if (dice.chance(0.2))
        toml += fmt::format("[changes]\ndoors_per_hour = {}\ndebris_per_hour = {}\n", dice.whole(0, 60),
                            dice.whole(0, 300));
    if (dice.chance(0.2))
        toml +=
            fmt::format("[prior]\nfrom = 'map'\nshift_x_m = {:.2f}\nmissing_walls = {:.2f}\nunknown_share = {:.2f}\n",
                        dice.real(-3, 3), dice.real(0, 0.5), dice.real(0, 0.5));
    if (dice.chance(0.2))
        toml += fmt::format("[radio2]\nrange_m = {:.1f}\nbytes_per_step = {}\nlatency_steps = {}\n", dice.real(1, 200),
                            dice.whole(24, 200), dice.whole(1, 20));
    if (dice.chance(0.2))
        toml += fmt::format("[crowd]\npeople = {}\nwalk = '{}'\ndoubt_steps = {}\n", dice.whole(1, 20),
                            dice.word({"path", "random"}), dice.whole(0, 10));
    if (dice.chance(0.2))
        toml += fmt::format("[terrain]\nrough_share = {:.2f}\nrough_speed = {:.2f}\n", dice.real(0, 1),
                            dice.real(0.1, 0.75));

    GeneratedMap map = generate(family.name, drawing, static_cast<std::uint64_t>(dice.whole(1, 1'000'000)));
    const Point base = map.walls.lattice().centre(map.start);
    toml += fmt::format("[[base]]\nx_m = {}\ny_m = {}\n", base.x, base.y);
    if (dice.chance(0.1))
        toml += fmt::format("[[hazard]]\nkind = '{}'\nx_m = {}\ny_m = {}\nat = {}\nspread = 0.1\n",
                            dice.word({"fire", "flood"}), base.x, base.y, dice.whole(0, 100));
    toml = fmt::format("# {} of seed {}: {}\n[map]\nfile = 'map.png'\ncell_m = {}\n{}", number, seed, map.command,
                       cell_m, toml);
    Notes notes;
    const std::string name = fmt::format("soak_{}_{}", seed, number);
    return {toml, make_scenario(parse_config(toml, name), name, std::move(map.walls), notes)};
}

}  // namespace outrider::soak
