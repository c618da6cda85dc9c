#include "soak/scenarios.hpp"

#include <vector>

#include "log/orders_file.hpp"
#include "maps/family.hpp"
#include "maps/generate.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"
#include "soak/options.hpp"

namespace outrider::soak {
namespace {

/// A strategy that explores by itself, at times with other options.
std::string draw_strategy(Dice& dice) {
    std::vector<const StrategyInfo*> able;
    for (const StrategyInfo& s : strategies())
        if (!s.traits.operator_driven && s.name != "external" && s.name != "python" && s.name != "remote" &&
            s.name != "stay" && s.source)
            able.push_back(&s);
    if (dice.chance(0.03))
        return fmt::format("switch(first={}, then={}, at={})", dice.one_of(able)->name, dice.one_of(able)->name,
                           dice.whole(0, 300));
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
        for (int k = dice.chance(0.2) ? dice.whole(1, 3) : 0; k > 0; --k)
            out += fmt::format("[[robot.sensor]]\npreset = '{}'\nmount_yaw_deg = {}\n",
                               dice.word({"standard", "sonar", "urg04lx"}), dice.whole(-180, 180));
    }
    if (dice.chance(0.3))
        out += fmt::format("[failure]\nrate_per_hour = {}\nrepair_steps = {}\n", dice.whole(1, 40), dice.whole(0, 200));
    return out;
}

/// A free cell's centre, here and there the base station's.
Point draw_place(Dice& dice, const GeneratedMap& map) {
    for (int tries = dice.whole(0, 20); tries > 0; --tries) {
        const Cell c{dice.whole(0, map.walls.width() - 1), dice.whole(0, map.walls.height() - 1)};
        if (map.walls[c] == 0) return map.walls.lattice().centre(c);
    }
    return map.walls.lattice().centre(map.start);
}

/// People, smoke, fire and water, walls that change, failures: what scenarios list, a text for each kind.
std::vector<std::string> draw_lists(Dice& dice, const GeneratedMap& map, int robots) {
    std::vector<std::string> out;
    const auto entries = [&](const std::string& name, const auto& rest) {
        std::string text;
        for (int k = dice.chance(0.1) ? dice.whole(1, 3) : 0; k > 0; --k) {
            const Point at = draw_place(dice, map);
            text += fmt::format("[[{}]]\n{}", name, rest(fmt::format("x_m = {}\ny_m = {}\n", at.x, at.y)));
        }
        out.push_back(text);
    };
    entries("hazard", [&](const std::string& place) {
        return place + fmt::format("kind = '{}'\nat = {}\nspread = {:.2f}\n", dice.word({"fire", "flood"}),
                                   dice.whole(0, 100), dice.real(0, 0.2));
    });
    entries("smoke", [&](const std::string& place) {
        return place + fmt::format("radius_m = {:.1f}\ndensity = {:.4f}\n", dice.real(0.1, 6), dice.real(0.0001, 0.05));
    });
    entries("victim", [&](const std::string& place) {
        const Point to = draw_place(dice, map);
        return place + fmt::format("status = '{}'\n", dice.word({"responsive", "unconscious", "dead"})) +
               (dice.chance(0.3) ? fmt::format("path = '{} {}'\n", to.x, to.y) : "");
    });
    entries("change", [&](const std::string& place) {
        return place + fmt::format("width_m = {:.1f}\nheight_m = {:.1f}\nto = '{}'\nat = {}\nevery = {}\n",
                                   dice.real(0.1, 2), dice.real(0.1, 2), dice.word({"wall", "free", "toggle"}),
                                   dice.whole(0, 300), dice.chance(0.5) ? dice.whole(1, 100) : 0);
    });
    entries("event", [&](const std::string&) {
        const int from = dice.whole(0, 300);
        return fmt::format("robot = 'r{}'\nkind = '{}'\nstep = {}\nuntil = {}\n", dice.whole(1, robots),
                           dice.word({"stuck", "deaf", "blind", "slow"}), from, from + dice.whole(1, 200));
    });
    return out;
}

/// A map; larger than asked where the family has no place for what it consists of.
GeneratedMap draw_map(Dice& dice, const std::string& family, std::vector<Setting> drawing) {
    const auto seed = static_cast<std::uint64_t>(dice.whole(1, 1'000'000));
    for (int tries = 5;; --tries) try {
            return generate(family, drawing, seed);
        } catch (const Error&) {
            if (tries == 0) throw;
            for (Setting& s : drawing)
                if (s.key == "width" || s.key == "height") s.value = std::get<std::int64_t>(s.value) * 5 / 4;
        }
}

/// What an operator orders along the run, as a file of orders; mostly nothing.
std::string draw_orders(Dice& dice, const GeneratedMap& map, int robots) {
    std::string out;
    int step = 0;
    for (int k = dice.chance(0.15) ? dice.whole(1, 12) : 0; k > 0; --k) {
        step += dice.whole(0, 60);
        const Point at = draw_place(dice, map);
        const std::string place = fmt::format("[{}, {}]", at.x, at.y);
        const std::string what = dice.word(
            {fmt::format(R"("way_points", "points": [{}])", place), fmt::format(R"("add", "points": [{}])", place),
             R"("drive", "forward": 0.5, "turn": 0.2, "steps": 9)", R"("conservative", "forward": 0.9, "steps": 20)",
             R"("behaviour", "name": "autonomous")", R"("behaviour", "name": "autonomous")", R"("clear")", R"("stop")",
             R"("all_stop")", fmt::format(R"("confirm", "at": {})", place),
             fmt::format(R"("decline", "at": {})", place)});
        const bool of_one = what.find("\"at\"") == std::string::npos && what != R"("all_stop")";
        out += fmt::format(R"({{"step": {}, {}"do": {}}})", step,
                           of_one ? fmt::format(R"("robot": "r{}", )", dice.whole(1, robots)) : "", what) +
               '\n';
    }
    return out;
}

}  // namespace

Draw draw_scenario(std::uint64_t seed, std::uint64_t number) {
    Dice dice(seed, number);
    const FamilyInfo& family = dice.one_of(families());
    const double cell_m = dice.one_of(std::vector{0.1, 0.1, 0.2});
    const bool large = dice.chance(0.15);  // most are small: many different ones find more than long ones
    std::vector<Setting> drawing{{"width", std::int64_t{large ? dice.whole(90, 200) : dice.whole(60, 110)}, "soak"},
                                 {"height", std::int64_t{large ? dice.whole(90, 160) : dice.whole(60, 90)}, "soak"},
                                 {"cell_m", cell_m, "soak"}};
    if (dice.chance(0.2)) drawing.push_back({"rubble", dice.real(0, 0.1), "soak"});
    const int robots = dice.whole(1, 6);
    std::string toml = fmt::format("[run]\nsteps = {}\nseed = {}\n",
                                   large ? dice.whole(400, 900) : dice.whole(310, 450), dice.whole(1, 1'000'000));
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
    std::string method = "known";
    if (dice.chance(0.3)) {
        toml +=
            fmt::format("[noise]\nodometry_share = {:.3f}\nrange_m = {:.3f}\n", dice.real(0, 0.05), dice.real(0, 0.03));
        if (dice.chance(0.3))
            toml += fmt::format("drop_rate = {:.2f}\nspeed_jitter = {:.2f}\n", dice.real(0, 0.1), dice.real(0, 0.3));
        if (dice.chance(0.6)) method = dice.word({"scan_match", "scan_match", "scan_match", "particle_shared"});
    }
    // Few particles: many of them take a hundred times as long as all else.
    toml += fmt::format("[slam]\nmethod = '{}'\nparticles = 8\nshared_particles = 30\n", method);
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

    const GeneratedMap map = draw_map(dice, family.name, drawing);
    const Point base = map.walls.lattice().centre(map.start);
    toml += fmt::format("[[base]]\nx_m = {}\ny_m = {}\n", base.x, base.y);
    const std::string name = fmt::format("soak_{}_{}", seed, number);
    ConfigTable config = parse_config(fmt::format("[map]\nfile = 'map.png'\ncell_m = {}\n{}", cell_m, toml), name);
    Notes notes;
    const auto made = [&](const ConfigTable& of) { return make_scenario(of, name, map.walls, notes); };
    add_options(config, draw_lists(dice, map, robots), dice, [&](const ConfigTable& of) {
        try {
            made(of);
            return true;
        } catch (const Error&) {
            return false;
        }
    });
    Draw out{fmt::format("# {} of seed {}: {}\n{}", number, seed, map.command, to_toml(config)), made(config), {}, {}};
    const std::string orders = draw_orders(dice, map, robots);
    try {
        out.orders = read_orders(orders, "orders.jsonl", out.scenario);
        out.orders_file = orders;
    } catch (const Error&) {  // they are about people, and there is nobody to be found
    }
    return out;
}

}  // namespace outrider::soak
