// Pictures of the map against stored ones, with a tolerance: other versions of the graphics library round otherwise.
// OUTRIDER_UPDATE_PICTURES=1 writes them anew.
#include <doctest/doctest.h>
#include <stb_image.h>

#include <cstdlib>

#include "base/output.hpp"
#include "view/window/app.hpp"
#include "view/window/capture.hpp"

using namespace outrider;
using namespace outrider::view;

namespace {

struct Golden {
    const char *name, *layers;
    int step;
    bool dark;
};

/// Mean difference of all channels, and the share of pixels that differ a lot.
std::pair<double, double> difference(const Raster& a, const unsigned char* b) {
    double sum = 0;
    std::size_t far = 0;
    for (std::size_t k = 0; k < a.values.size(); k += 3) {
        int most = 0;
        for (std::size_t c = 0; c < 3; ++c) {
            const int d = std::abs(a.values[k + c] - b[k + c]);
            sum += d;
            most = std::max(most, d);
        }
        far += most > 40;
    }
    return {sum / static_cast<double>(a.values.size()),
            3 * static_cast<double>(far) / static_cast<double>(a.values.size())};
}

}  // namespace

TEST_CASE("the map looks as it did: light and dark, known space, reasons, radio") {
    const std::string folder = OUTRIDER_SOURCE_DIR "/tests/golden/pictures/";
    const bool update = std::getenv("OUTRIDER_UPDATE_PICTURES") != nullptr;
    Platform platform({.title = "test", .width = 480, .height = 360, .display = false});
    AppOptions options;
    options.scale = 1;
    App app(platform, options);
    app.open(make_replay(OUTRIDER_SOURCE_DIR "/logs/sample/small_office.sqlite"));
    for (const Golden& g :
         {Golden{"known", "walls free:all undelivered location:all trail:mobile links", 60, false},
          Golden{"reasons", "walls free:all frontier:mobile path:mobile goal:mobile location:all overlay:*:mobile", 40,
                 true},
          Golden{"radio", "walls free:all range:all links location:all tint", 90, false}}) {
        CAPTURE(g.name);
        ViewModel& model = *app.ui().model;
        app.ui().dark = g.dark;
        apply_style(app.ui());
        app.ui().panels = false;
        model.layers.apply(g.layers);
        while (model.step() < 0) model.update();
        model.go_to(g.step);
        for (int tries = 0; tries < 5000 && model.step() != g.step; ++tries) app.frame(nullptr, true);
        REQUIRE(model.step() == g.step);
        app.settle();
        const Raster now = platform.read_pixels();
        const std::string path = folder + g.name + ".png";
        if (update) {
            OutputFile file(path, true);
            file.write(encode_png(now));
            file.commit();
            continue;
        }
        int w = 0, h = 0, channels = 0;
        unsigned char* then = stbi_load(path.c_str(), &w, &h, &channels, 3);
        REQUIRE(then);
        REQUIRE(w == now.width);
        REQUIRE(h == now.height);
        const auto [mean, far] = difference(now, then);
        stbi_image_free(then);
        INFO("mean difference " << mean << ", share of pixels that differ a lot " << far);
        CHECK(mean < 2.5);
        CHECK(far < 0.02);
    }
}
