#include "view/layers.hpp"
#include "plan/skeleton/skeleton.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>

namespace outrider::view {
namespace {

constexpr std::string_view overlay_prefix = "overlay:";
constexpr std::string_view every_published = "overlay:*", every_of_scene = "scene:*";

using enum Whose;

constexpr std::array infos{
    LayerInfo{LayerId::walls, Group::map, false, all, "walls", "True walls",
              "walls that nobody has seen yet, as they really are"},
    LayerInfo{LayerId::prior, Group::map, false, all, "prior", "Prior map",
              "what the plan that robots were given says of cells that nobody has seen yet"},
    LayerInfo{LayerId::free, Group::map, true, all, "free", "Map: free space and walls",
              "what the robot believes to be free, and the walls it knows"},
    LayerInfo{LayerId::safe, Group::map, true, nobody, "safe", "Safe space", "free cells that the robot is sure of"},
    LayerInfo{LayerId::frontier, Group::map, true, nobody, "frontier", "Frontiers",
              "where what it can reach ends at what it does not know"},
    LayerInfo{LayerId::cleared, Group::map, true, all, "cleared", "Cleared", "floor that a camera has looked at"},
    LayerInfo{LayerId::undelivered, Group::map, false, all, "undelivered", "Not yet at a base",
              "known to somebody, but to no base station"},
    LayerInfo{LayerId::tint, Group::map, false, nobody, "tint", "Who knows it",
              "cells in the colours of the robots that know them"},
    LayerInfo{LayerId::difference, Group::map, true, nobody, "difference", "Difference to the base",
              "what the robot knows and no base does, and the other way round"},
    LayerInfo{LayerId::wrong, Group::map, true, nobody, "wrong", "Wrong cells",
              "what the robot believes to be free and is a wall, or the other way round: changed since it was seen, or "
              "mismeasured"},
    LayerInfo{LayerId::visits, Group::map, true, nobody, "visits", "Visits",
              "cells by how often the robot passed them"},
    LayerInfo{LayerId::age, Group::map, false, nobody, "age", "Known since",
              "cells by the time since somebody first knew them"},
    LayerInfo{LayerId::location, Group::robots, true, all, "location", "Location",
              "where the robot is, and where it looks"},
    LayerInfo{LayerId::name, Group::robots, true, all, "name", "Name", "its name, beside it"},
    LayerInfo{LayerId::state, Group::robots, true, nobody, "state", "Role and state",
              "its role, and what its strategy says of its state"},
    LayerInfo{LayerId::trail, Group::robots, true, mobile, "trail", "Trail", "the path that it drove"},
    LayerInfo{LayerId::path, Group::robots, true, mobile, "path", "Path", "its path to its goal"},
    LayerInfo{LayerId::goal, Group::robots, true, mobile, "goal", "Goal", "where it wants to go"},
    LayerInfo{LayerId::sensor, Group::robots, true, nobody, "sensor", "Sensor",
              "what its last scan covered; red: taken by a scanner that was not level"},
    LayerInfo{LayerId::believed, Group::robots, true, nobody, "believed", "Believed location",
              "where it believes it is, when that differs from the truth"},
    LayerInfo{LayerId::believed_path, Group::robots, true, nobody, "believed_way", "Believed path",
              "its path as its localisation sees it now; only of methods that revise it, such as particle; a live run"},
    LayerInfo{LayerId::guesses, Group::robots, true, nobody, "guesses", "Particles",
              "all poses that its localisation considers, the likely ones larger; a live run"},
    LayerInfo{LayerId::patches, Group::robots, true, nobody, "patches", "Patches",
              "where the scans were taken that manifold keeps; a live run"},
    LayerInfo{LayerId::relations, Group::robots, true, nobody, "relations", "Relations",
              "what was measured from one patch to the next; a live run"},
    LayerInfo{LayerId::closures, Group::robots, true, nobody, "closures", "Closures",
              "relations between patches of different times, by which a loop closed; a live run"},
    LayerInfo{LayerId::spread, Group::robots, true, nobody, "spread", "Uncertainty",
              "an ellipse of two standard deviations, where the robot localises by its scans"},
    LayerInfo{LayerId::links, Group::radio, false, all, "links", "Links", "who hears whom directly"},
    LayerInfo{LayerId::range, Group::radio, true, nobody, "range", "Communication range",
              "where its radio is received: what walls leave of its reach"},
    LayerInfo{LayerId::expected_range, Group::radio, true, nobody, "expected_range", "Expected range",
              "where it expects its radio to be received, from its own map"},
    LayerInfo{LayerId::hierarchy, Group::radio, false, nobody, "hierarchy", "Team hierarchy",
              "from each robot to the one that it reports to"},
    LayerInfo{LayerId::last_report, Group::radio, true, nobody, "last_report", "Last reports",
              "where its team-mates were when last reported, and how many steps ago"},
    LayerInfo{LayerId::news_age, Group::radio, true, nobody, "news_age", "Age of information",
              "steps since what it knows of the base was sent, and since what the base knows of it was"},
    LayerInfo{LayerId::skeleton, Group::reasons, true, nobody, "skeleton", "Skeleton and key points",
              "the skeleton of the space that it knows, with places to meet at"},
};

constexpr bool in_order() {
    for (std::size_t i = 0; i < infos.size(); ++i)
        if (infos[i].id != static_cast<LayerId>(i)) return false;
    return true;
}
static_assert(in_order(), "info_of() finds a layer by its id");

/// One word of a preset. Layers that are not per robot are on or off.
std::string word_of(LayerId id, Whose whose) {
    const LayerInfo& info = info_of(id);
    return std::string(info.key) +
           (info.per_robot ? ":" + std::string(whose_names[static_cast<std::size_t>(whose)]) : "");
}

using Shown = std::vector<std::pair<LayerId, Whose>>;

std::string preset_text(const Shown& shown) {
    std::string out;
    for (const auto& [id, whose] : shown) out += (out.empty() ? "" : " ") + word_of(id, whose);
    return out;
}

/// The first preset.
std::string first_text() {
    Shown shown;
    for (const LayerInfo& info : infos)
        if (info.first != nobody) shown.emplace_back(info.id, info.first);
    return preset_text(shown) + " " + std::string(every_of_scene) + ":all";
}

/// Keys that layers had before are still read.
std::string_view present_key(std::string_view key) { return key == "heard" ? "last_report" : key; }

std::string label_of(std::string name) {
    std::replace(name.begin(), name.end(), '_', ' ');
    if (!name.empty()) name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    return name;
}

}  // namespace

std::span<const LayerInfo> layer_infos() { return infos; }

Layers::Layers(std::vector<std::uint8_t> bases, std::span<const scene::LayerInfo* const> scene)
    : bases_(std::move(bases)) {
    const auto off = [&](bool per_robot) { return std::vector<std::uint8_t>(per_robot ? bases_.size() : 1, 0); };
    for (const LayerInfo& info : infos)
        layers_.push_back({std::string(info.key), std::string(info.title), std::string(info.help), info.group,
                           info.per_robot, off(info.per_robot)});
    for (const scene::LayerInfo* info : scene)
        layers_.push_back({std::string(info->key),
                           std::string(info->title),
                           std::string(info->help),
                           info->group,
                           info->per_robot,
                           off(info->per_robot),
                           {},
                           info});
}

std::size_t Layers::index(const scene::LayerInfo& info) const {
    const auto at = std::find_if(layers_.begin(), layers_.end(), [&](const Layer& l) { return l.of_scene == &info; });
    const std::size_t k = static_cast<std::size_t>(at - layers_.begin());
    OUTRIDER_CHECK(k, <, layers_.size());
    return k;
}

int Layers::find(std::string_view key) const {
    key = present_key(key);
    for (std::size_t i = 0; i < layers_.size(); ++i)
        if (layers_[i].key == key) return static_cast<int>(i);
    return -1;
}

int Layers::find_published(const std::string& overlay) const { return find(std::string(overlay_prefix) + overlay); }

void Layers::offer(const std::string& overlay, Overlay::Meaning meaning) {
    const std::string key = std::string(overlay_prefix) + overlay;
    if (overlay.empty() || find(key) >= 0) return;
    if (meaning == Overlay::Meaning::reports_to) return;  // LayerId::hierarchy draws it
    layers_.push_back({key, label_of(overlay), "published by the strategy as '" + overlay + "'", Group::reasons, true,
                       std::vector<std::uint8_t>(bases_.size(), 0), meaning});
    // As the last preset sets it.
    std::istringstream words(applied_);
    for (std::string word; words >> word;) {
        const std::size_t colon = word.rfind(':');
        const std::string name = word.substr(0, colon), who = word.substr(colon + 1);
        if (name != key && name != every_published) continue;
        for (std::size_t i = 0; i < bases_.size(); ++i)
            layers_.back().on[i] = who == "all" || (who == "mobile" && !bases_[i]);
    }
    ++version_;
}

bool Layers::shown(std::size_t layer, std::size_t robot) const {
    const Layer& l = layers_[layer];
    if (!on(layer, robot)) return false;
    if (solo_robot_ && l.per_robot && robot != *solo_robot_) return false;
    return !solo_layer_ || layer == *solo_layer_ || l.group == Group::map || layer == index(LayerId::location);
}

bool Layers::shown_published(const std::string& overlay, std::size_t robot) const {
    const int layer = find_published(overlay);
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

bool Layers::solo_as(const Layers& other) {
    std::optional<std::size_t> layer, robot;
    if (other.solo_layer_)
        if (const int there = find(other.layers_[*other.solo_layer_].key); there >= 0)
            layer = static_cast<std::size_t>(there);
    if (other.solo_robot_ && *other.solo_robot_ < bases_.size()) robot = other.solo_robot_;
    if (layer == solo_layer_ && robot == solo_robot_) return false;
    solo_layer_ = layer;
    solo_robot_ = robot;
    ++version_;
    return true;
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
        const std::string name(present_key(word.substr(0, colon))), who = word.substr(colon + 1);
        for (Layer& l : layers_) {
            const bool any = (name == every_published && l.published) || (name == every_of_scene && l.of_scene);
            if (l.key != name && !any) continue;
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
    using enum LayerId;
    // On the map and with names, and what is added to it.
    const auto robots = [](Shown more, std::string_view published = "") {
        Shown shown{{walls, all}, {free, all}, {location, all}, {name, all}};
        shown.insert(shown.end(), more.begin(), more.end());
        return preset_text(shown) + (published.empty() ? "" : " " + std::string(published));
    };
    const std::string reasons = std::string(every_published) + ":mobile";
    return {{
        {"Overview", first_text()},
        {"Reasons", robots({{frontier, mobile}, {path, mobile}, {goal, mobile}, {state, mobile}}, reasons)},
        {"Who knows what", robots({{tint, all}})},
        {"Radio", robots({{undelivered, all}, {range, all}, {links, all}, {hierarchy, all}}, "radio2:all orders:all")},
        {"Rendezvous", robots({{path, mobile}, {state, mobile}, {skeleton, mobile}, {hierarchy, all}}, reasons)},
        {"The base's map", preset_text({{walls, all},
                                        {free, bases},
                                        {location, all},
                                        {name, all},
                                        {frontier, bases},
                                        {last_report, bases},
                                        {links, all}})},
        {"Sensing", robots({{sensor, mobile}, {safe, mobile}, {trail, mobile}})},
        {"Age", robots({{age, all}, {trail, mobile}})},
        {"Truth only", preset_text({{walls, all}, {location, all}, {believed, all}, {name, all}, {trail, mobile}})},
    }};
}

const std::vector<PanelButton>& panel_buttons() {
    using enum Overlay::Meaning;
    static const std::vector<PanelButton> buttons{
        {"Place", "where it is", {LayerId::location}, {}},
        {"Path", "its path to its goal", {LayerId::path, LayerId::goal}, {}},
        {"Free", "what it believes to be free, and the walls it knows", {LayerId::free}, {}},
        {"Safe", "what it is sure of", {LayerId::safe}, {}},
        {"Frontier", "where the unknown begins, and its candidates", {LayerId::frontier}, {candidate}},
        {"Range", "communication range", {LayerId::range}, {}},
        {"Skeleton", "skeleton and possible rendezvous points", {LayerId::skeleton}, {meeting_candidate}},
        {"Meet", "chosen rendezvous points", {}, {meeting}},
        {"Skel. thru", "possible rendezvous points through walls", {}, {meeting_candidate_through_wall}},
        {"Meet thru", "chosen rendezvous points through walls", {}, {meeting_through_wall}},
    };
    return buttons;
}

std::vector<std::size_t> layers_of(const PanelButton& button, const Layers& layers) {
    std::vector<std::size_t> out;
    for (const LayerId id : button.layers) out.push_back(Layers::index(id));
    for (std::size_t k = 0; k < layers.all().size(); ++k)
        if (const auto meaning = layers.all()[k].published;
            meaning && std::find(button.published.begin(), button.published.end(), *meaning) != button.published.end())
            out.push_back(k);
    return out;
}

}  // namespace outrider::view
