// The list of layers: which are shown of whom, presets, the buttons of a robot's panel, the table in docs/window.md.
#include "helpers.hpp"
#include "view/inspect.hpp"

using namespace outrider;
using namespace outrider::view;

namespace test_view_layer_list {

TEST_CASE("a layer's box is off, on, or something between, and follows its robots") {
    Layers layers({1, 0, 0});
    const auto free = static_cast<std::size_t>(layers.find("free"));
    CHECK(layers.state(free) == Tri::off);
    layers.set(free, 1, true);
    CHECK(layers.state(free) == Tri::some);
    CHECK(layers.shown(LayerId::free, 1));
    CHECK_FALSE(layers.shown(LayerId::free, 2));
    layers.toggle(free);
    CHECK(layers.state(free) == Tri::on);
    layers.toggle(free);
    CHECK(layers.state(free) == Tri::off);
    layers.set_robot(2, true);
    CHECK(layers.robot_state(2) == Tri::on);
    CHECK(layers.state(free) == Tri::some);
    layers.set(free, 2, false);
    CHECK(layers.robot_state(2) == Tri::some);
    CHECK(layers.find("no such layer") == -1);
    CHECK(layers.find_published("walls") == -1);
    CHECK_FALSE(layers.shown_published("no such layer", 0));
}

TEST_CASE("solo shows one robot or one layer, and the same again all of them") {
    Layers layers({1, 0, 0});
    layers.apply("walls free:all path:all links");
    layers.solo_robot(1);
    CHECK(layers.shown(LayerId::free, 1));
    CHECK_FALSE(layers.shown(LayerId::free, 2));
    CHECK(layers.shown(LayerId::links));
    layers.solo_robot(1);
    CHECK(layers.shown(LayerId::free, 2));
    layers.solo_layer(static_cast<std::size_t>(layers.find("path")));
    CHECK(layers.shown(LayerId::path, 2));
    CHECK(layers.shown(LayerId::walls));
    CHECK_FALSE(layers.shown(LayerId::links));
    layers.apply("links");
    CHECK(layers.shown(LayerId::links));
}

TEST_CASE("presets say who by words or numbers, survive being written, and take in layers that are published later") {
    Layers layers({1, 0, 0});
    layers.apply("walls free:mobile path:bases goal:1 overlay:*:mobile");
    CHECK_FALSE(layers.shown(LayerId::free, 0));
    CHECK(layers.shown(LayerId::free, 2));
    CHECK(layers.shown(LayerId::path, 0));
    CHECK_FALSE(layers.shown(LayerId::path, 1));
    CHECK(layers.shown(LayerId::goal, 1));
    CHECK_FALSE(layers.shown(LayerId::goal, 2));
    layers.offer("rendezvous_exact", Overlay::Meaning::meeting);
    layers.offer("rendezvous_exact", Overlay::Meaning::meeting);
    CHECK(layers.all().back().label == "Rendezvous exact");
    CHECK(layers.shown_published("rendezvous_exact", 2));
    CHECK_FALSE(layers.shown_published("rendezvous_exact", 0));
    const std::string text = layers.text();
    Layers other({1, 0, 0});
    other.offer("rendezvous_exact", Overlay::Meaning::meeting);
    other.apply(text);
    CHECK(other.text() == text);
    for (const Preset& preset : default_presets()) {
        other.apply(preset.text);
        CHECK(other.shown(LayerId::location, 1));
    }
}

TEST_CASE("the window's page has the table of its layers") {
    const std::string page = read_text(OUTRIDER_SOURCE_DIR "/docs/window.md");
    std::size_t rows = 0;
    for (std::size_t at = page.find("| group |"); at < page.size() && page[at] == '|'; at = page.find('\n', at) + 1)
        ++rows;
    CHECK(rows == layer_infos().size() + 2);
    std::string scene = "| group | key | layer | shows | per robot |\n|---|---|---|---|---|\n";
    for (const scene::LayerKind& kind : scene::layer_kinds())
        scene += fmt::format("| {} | `{}` | {} | {} | {} |\n", group_names[static_cast<std::size_t>(kind.info.group)],
                             kind.info.key, kind.info.title, kind.info.help, kind.info.per_robot ? "yes" : "");
    CHECK(page.find(scene + "\n") != std::string::npos);
    INFO(scene);
    for (const LayerInfo& l : layer_infos()) {
        const std::string first = l.per_robot || l.first == Whose::nobody
                                      ? std::string(whose_names[static_cast<std::size_t>(l.first)])
                                      : "yes";
        const std::string row =
            fmt::format("| {} | `{}` | {} | {} | {} |\n", group_names[static_cast<std::size_t>(l.group)], l.key,
                        l.title, l.help, l.first == Whose::nobody ? "" : first);
        INFO("expected " << row);
        CHECK(page.find(row) != std::string::npos);
    }
}

TEST_CASE("the buttons of a robot's panel find published layers by what they mean, not by their names") {
    using enum Overlay::Meaning;
    Layers layers({1, 0});
    layers.offer("candidates", candidate);
    layers.offer("rendezvous_candidates", meeting_candidate);
    layers.offer("rendezvous", meeting);
    layers.offer("rendezvous_candidates_through", meeting_candidate_through_wall);
    layers.offer("rendezvous_through", meeting_through_wall);
    layers.offer("spots", candidate);
    layers.offer("no meeting candidate through anything", other);
    const auto names = [&](std::string_view label) {
        std::string out;
        for (const PanelButton& b : panel_buttons())
            if (b.label == label)
                for (const std::size_t k : layers_of(b, layers)) out += layers.all()[k].key + " ";
        return out;
    };
    CHECK(panel_buttons().size() == 10);
    CHECK(names("Place") == "location ");
    CHECK(names("Frontier") == "frontier overlay:candidates overlay:spots ");
    CHECK(names("Meet") == "overlay:rendezvous ");
    CHECK(names("Meet thru") == "overlay:rendezvous_through ");
    CHECK(names("Skel. thru") == "overlay:rendezvous_candidates_through ");
    CHECK(names("Skeleton") == "skeleton overlay:rendezvous_candidates ");
}

}  // namespace test_view_layer_list
