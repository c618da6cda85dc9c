#include "player/page.hpp"

#include <array>

#include "base/byte_stream.hpp"
#include "outrider/error.hpp"
#include "player/assets.hpp"
#include "scene/theme.hpp"

namespace outrider {
namespace {

/// From all to little: tried in turn until the file is small enough.
constexpr std::array<PlayerDetail, 5> details{PlayerDetail{40, 1}, PlayerDetail{16, 1}, PlayerDetail{12, 2},
                                              PlayerDetail{6, 3}, PlayerDetail{4, 6}};

void put(std::string& page, std::string_view place, std::string_view text) {
    const std::size_t at = page.find(place);
    OUTRIDER_CHECK(at, !=, std::string::npos);
    page.replace(at, place.size(), text);
}

}  // namespace

std::string player_page(std::span<const PlayedRun> runs, std::size_t most_bytes) {
    std::string page(player_assets::page), data;
    put(page, "/*COLOURS*/", page_colours());
    put(page, "/*STYLE*/", player_assets::style);
    put(page, "/*SCRIPT*/", player_assets::script);
    for (const PlayerDetail& detail : details) {
        data.clear();
        for (const PlayedRun& run : runs)
            data += "<script type='text/plain' class='run'>" + base64(run.recorder.pack(run.caption, detail)) +
                    "</script>\n";
        if (page.size() + data.size() <= most_bytes) break;
    }
    put(page, "<!--RUNS-->", data);
    return page;
}

}  // namespace outrider
