#include "player/run_link.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/byte_stream.hpp"
#include "base/input.hpp"
#include "base/json.hpp"
#include "outrider/error.hpp"
#include "scenario/provenance.hpp"
#include "wire/packing.hpp"

namespace outrider {
namespace {

constexpr std::size_t most_letters = 60'000;

/// Packed, in letters that an address takes as they are (playground.js unpacks it).
std::string squeezed(const std::string& text) {
    std::string out = base64(Packer().pack(text, Packer::Method::small));
    std::erase(out, '=');
    std::replace(out.begin(), out.end(), '+', '-');
    std::replace(out.begin(), out.end(), '/', '_');
    return out;
}

}  // namespace

std::string run_address(const Scenario& scenario) {
    if (scenario.script) fail("a link: robots that follow a script are in no link");
    for (const ProvenancePart& part : provenance_of(scenario).parts)
        if (part.own || (part.kind != "library" && part.kind != "strategy") || part.name == "external")
            fail("a link: {} is not in the page: a browser runs the program's own strategies", part.text());
    Scenario s = scenario;
    std::string files;
    const auto add = [&](const std::string& path, const std::string& name) {
        const std::string bytes = read_file(path, "an image");
        if (!bytes.starts_with("\x89PNG")) fail("a link: {}: expected a PNG; a link holds no other maps", path);
        files += fmt::format("{}{}:{}", files.empty() ? "" : ",", json_quoted(name), json_quoted(base64(bytes)));
    };
    s.map.file = "map.png";
    add(s.map_path, s.map.file);
    for (const LayerFile& layer : s.layer_files) {
        const bool only_one = layer.key == std::string_view("file");
        const std::string name = fmt::format("{}.png", only_one ? layer.section : layer.key);
        s.features.set(layer.section, layer.key, name);
        add(layer.path, name);
    }
    std::string out = fmt::format("toml={}&files={}", squeezed(s.resolved()), squeezed("{" + files + "}"));
    if (out.size() > most_letters)
        fail("a link: the map makes a link of {} letters; expected at most {}; --html FILE holds any run", out.size(),
             most_letters);
    return out;
}

std::string playable_page(const std::string& page_file, const std::string& address) {
    constexpr std::string_view place = "id=\"address\">";
    std::string page = read_text_file(page_file, "a page");
    const std::size_t at = page.find(place);
    if (at == std::string::npos) fail("--playable {}: expected the page that tools/browser writes", page_file);
    return page.insert(at + place.size(), address);
}

}  // namespace outrider
