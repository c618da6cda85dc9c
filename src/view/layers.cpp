#include "view/layers.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>

namespace outrider::view {
namespace {

constexpr std::string_view overlay_prefix = "overlay:";

std::vector<Layer> fixed_layers() {
    return {
        {"walls", "True walls", "walls that nobody has seen yet, as they really are", Group::map, false, {}},
        {"free",
         "Map: free space and walls",
         "what the robot believes to be free, and the walls it knows",
         Group::map,
         true,
         {}},
        {"safe", "Safe space", "free cells that the robot is sure of", Group::map, true, {}},
        {"frontier", "Frontiers", "where what it can reach ends at what it does not know", Group::map, true, {}},
        {"undelivered", "Not yet at a base", "known to somebody, but to no base station", Group::map, false, {}},
        {"tint", "Who knows it", "cells in the colours of the robots that know them", Group::map, false, {}},
        {"difference",
         "Difference to the base",
         "what the robot knows and no base does, and the other way round",
         Group::map,
         true,
         {}},
        {"visits", "Visits", "cells by how often the robot passed them", Group::map, true, {}},
        {"age", "Known since", "cells by the time since somebody first knew them", Group::map, false, {}},
        {"location", "Location", "where the robot is, and where it looks", Group::robots, true, {}},
        {"name", "Name", "", Group::robots, true, {}},
        {"state", "Role and state", "its role, and what its strategy says of its state", Group::robots, true, {}},
        {"trail", "Trail", "the way that it drove", Group::robots, true, {}},
        {"path", "Path", "its way to its goal", Group::robots, true, {}},
        {"goal", "Goal", "where it wants to go", Group::robots, true, {}},
        {"sensor", "Sensor", "what its last scan covered", Group::robots, true, {}},
        {"believed",
         "Believed location",
         "where it believes to be, when that differs from the truth",
         Group::robots,
         true,
         {}},
        {"believed_way",
         "Believed way",
         "its way as its localisation sees it now; only of methods that revise it, such as particle",
         Group::robots,
         true,
         {}},
        {"spread",
         "Uncertainty",
         "an ellipse of two standard deviations, where the robot localises by its scans",
         Group::robots,
         true,
         {}},
        {"links", "Links", "who hears whom directly", Group::radio, false, {}},
        {"range",
         "Communication range",
         "where its radio is heard: what walls leave of its reach",
         Group::radio,
         true,
         {}},
        {"expected_range",
         "Expected range",
         "where it expects its radio to be heard, from its own map",
         Group::radio,
         true,
         {}},
        {"hierarchy", "Team hierarchy", "from each robot to the one that it reports to", Group::radio, false, {}},
        {"heard",
         "Last heard of",
         "where it last heard of its team-mates, and how many steps ago",
         Group::radio,
         true,
         {}},
        {"news_age",
         "Age of information",
         "steps since what it knows of the base was said, and since what the base knows of it was",
         Group::radio,
         true,
         {}},
        {"skeleton",
         "Skeleton and key points",
         "the skeleton of the space that it knows, with places to meet at",
         Group::reasons,
         true,
         {}},
    };
}

std::string label_of(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    if (!name.empty()) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    return name;
}

}  // namespace

Layers::Layers(std::vector<std::uint8_t> bases) : bases_(std::move(bases)), layers_(fixed_layers()) {
    for (Layer& layer : layers_) layer.on.assign(layer.per_robot ? bases_.size() : 1, 0);
}

int Layers::find(std::string_view key) const {
    for (std::size_t i = 0; i < layers_.size(); ++i)
        if (layers_[i].key == key) return static_cast<int>(i);
    return -1;
}

void Layers::offer(const std::string& overlay) {
    const std::string key = std::string(overlay_prefix) + overlay;
    if (overlay.empty() || find(key) >= 0) return;
    layers_.push_back({key, label_of(overlay), "published by the strategy as '" + overlay + "'", Group::reasons, true,
                       std::vector<std::uint8_t>(bases_.size(), 0)});
    // As the last preset has it.
    std::istringstream words(applied_);
    for (std::string word; words >> word;) {
        const std::size_t colon = word.rfind(':');
        const std::string name = word.substr(0, colon), who = word.substr(colon + 1);
        if (name != key && name != "overlay:*") continue;
        for (std::size_t i = 0; i < bases_.size(); ++i)
            layers_.back().on[i] = who == "all" || (who == "mobile" && !bases_[i]);
    }
    ++version_;
}

bool Layers::shown(std::size_t layer, std::size_t robot) const {
    const Layer& l = layers_[layer];
    if (!on(layer, robot)) return false;
    if (solo_robot_ && l.per_robot && robot != *solo_robot_) return false;
    return !solo_layer_ || layer == *solo_layer_ || l.group == Group::map || l.key == "location";
}

bool Layers::shown(std::string_view key, std::size_t robot) const {
    const int layer = find(key);
    return layer >= 0 && shown(static_cast<std::size_t>(layer), robot);
}

Tri Layers::state(std::size_t layer) const {
    const auto& list = layers_[layer].on;
    const auto count = static_cast<std::size_t>(std::count(list.begin(), list.end(), 1));
    return count == 0 ? Tri::off : count == list.size() ? Tri::on : Tri::some;
}

Tri Layers::robot_state(std::size_t robot) const {
    std::size_t on_count = 0, all = 0;
    for (const Layer& l : layers_) {
        if (!l.per_robot) continue;
        ++all;
        on_count += l.on[robot];
    }
    return on_count == 0 ? Tri::off : on_count == all ? Tri::on : Tri::some;
}

void Layers::set(std::size_t layer, bool on) {
    std::fill(layers_[layer].on.begin(), layers_[layer].on.end(), on);
    ++version_;
}

void Layers::set(std::size_t layer, std::size_t robot, bool on) {
    layers_[layer].on[layers_[layer].per_robot ? robot : 0] = on;
    ++version_;
}

void Layers::set_robot(std::size_t robot, bool on) {
    for (Layer& l : layers_)
        if (l.per_robot) l.on[robot] = on;
    ++version_;
}

void Layers::solo_layer(std::size_t layer) {
    if (solo_layer_ == layer)
        solo_layer_.reset();
    else
        solo_layer_ = layer;
    ++version_;
}

void Layers::solo_robot(std::size_t robot) {
    if (solo_robot_ == robot)
        solo_robot_.reset();
    else
        solo_robot_ = robot;
    ++version_;
}

std::string Layers::text() const {
    std::string out;
    for (std::size_t k = 0; k < layers_.size(); ++k) {
        const Layer& l = layers_[k];
        if (state(k) == Tri::off) continue;
        out += out.empty() ? "" : " ";
        bool all = true, mobile = true, bases = true;
        for (std::size_t i = 0; i < l.on.size() && l.per_robot; ++i) {
            all = all && l.on[i];
            mobile = mobile && (l.on[i] != 0) == !bases_[i];
            bases = bases && (l.on[i] != 0) == (bases_[i] != 0);
        }
        std::string who = all ? "all" : mobile ? "mobile" : bases ? "bases" : "";
        for (std::size_t i = 0; i < l.on.size() && who.find_first_of("amb") != 0; ++i)
            if (l.on[i]) who += (who.empty() ? "" : ",") + std::to_string(i);
        out += l.key + ":" + who;
    }
    return out;
}

void Layers::apply(std::string_view text) {
    solo_layer_.reset();
    solo_robot_.reset();
    applied_ = text;
    for (Layer& l : layers_) std::fill(l.on.begin(), l.on.end(), 0);
    std::istringstream words{std::string(text)};
    for (std::string word; words >> word;) {
        std::size_t colon = word.rfind(':');
        if (colon == std::string::npos) {
            colon = word.size();
            word += ":all";
        }
        const std::string name = word.substr(0, colon), who = word.substr(colon + 1);
        for (Layer& l : layers_) {
            const bool any_overlay = name == "overlay:*" && l.key.starts_with(overlay_prefix);
            if (l.key != name && !any_overlay) continue;
            for (std::size_t i = 0; i < l.on.size(); ++i) {
                const bool base = l.per_robot && bases_[i];
                const bool listed = ("," + who + ",").find("," + std::to_string(i) + ",") != std::string::npos;
                l.on[i] = who == "all" || (who == "mobile" && !base) || (who == "bases" && base) || listed;
            }
        }
    }
    ++version_;
}

std::array<Preset, 9> default_presets() {
    const std::string robots = "walls free:all location:all name:all ";
    return {{
        {"Overview", robots + "undelivered trail:mobile goal:mobile path:mobile links"},
        {"Reasons", robots + "frontier:mobile path:mobile goal:mobile state:mobile overlay:*:mobile"},
        {"Who knows what", robots + "tint"},
        {"Radio", robots + "undelivered range:all links hierarchy"},
        {"Rendezvous", robots + "path:mobile state:mobile skeleton:mobile hierarchy overlay:*:mobile"},
        {"The base's map", "walls free:bases location:all name:all frontier:bases heard:bases links"},
        {"Sensing", robots + "sensor:mobile safe:mobile trail:mobile"},
        {"Age", robots + "age trail:mobile"},
        {"Truth only", "walls location:all believed:all name:all trail:mobile"},
    }};
}

const std::vector<PanelButton>& panel_buttons() {
    static const std::vector<PanelButton> buttons{
        {"Place", "where it is", {"location"}, {}, {}},
        {"Path", "its way to its goal", {"path", "goal"}, {}, {}},
        {"Free", "what it believes to be free, and the walls it knows", {"free"}, {}, {}},
        {"Safe", "what it is sure of", {"safe"}, {}, {}},
        {"Frontier", "where the unknown begins, and its candidates", {"frontier", "overlay:candidates"}, {}, {}},
        {"Range", "communication range", {"range"}, {}, {}},
        {"Skeleton",
         "skeleton and potential rendezvous points",
         {"skeleton"},
         {"skeleton", "candidate"},
         {"through", "obstacle", "frontier", "overlay:candidates"}},
        {"Meet",
         "exact rendezvous points",
         {},
         {"rendezvous", "meeting"},
         {"candidate", "potential", "through", "obstacle"}},
        {"Skel. thru",
         "skeleton and potential rendezvous points through obstacles",
         {},
         {"skeleton through", "skeleton_through", "candidate through", "candidates through", "candidates_through",
          "candidate_through", "obstacle candidate"},
         {}},
        {"Meet thru",
         "exact rendezvous points through obstacles",
         {},
         {"through", "obstacle"},
         {"candidate", "potential", "skeleton"}},
    };
    return buttons;
}

std::vector<std::size_t> layers_of(const PanelButton& button, const Layers& layers) {
    const auto has = [](const std::string& name, std::string_view part) {
        return name.find(part) != std::string::npos;
    };
    std::vector<std::size_t> out;
    for (std::size_t k = 0; k < layers.all().size(); ++k) {
        const std::string& key = layers.all()[k].key;
        bool mine = std::find(button.keys.begin(), button.keys.end(), key) != button.keys.end();
        if (!mine && key.starts_with(overlay_prefix)) {
            const auto part = [&](std::string_view p) { return has(key, p); };
            mine = std::any_of(button.with.begin(), button.with.end(), part) &&
                   std::none_of(button.without.begin(), button.without.end(), part);
        }
        if (mine) out.push_back(k);
    }
    return out;
}

}  // namespace outrider::view
