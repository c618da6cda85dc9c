// Skin in images of cameras: the model, its curve, and outrider victims train | detect.
#include <filesystem>

#include "helpers.hpp"
#include "program.hpp"
#include "sensing/skin_model.hpp"

using namespace outrider;

namespace test_cli_victims {
namespace {

/// An image of two patches that the test draws, and its mask: skin of one colour, the rest of others. `like_skin`:
/// share of the rest that has the colour of skin.
struct Drawn {
    Raster image;
    GreyImage mask;
};
Drawn draw(int width, int height, double skin, double like_skin, std::uint64_t seed) {
    Drawn d{{width, height, 3, {}}, {width, height, {}}};
    Rng rng(seed, 0, Purpose::map, 0);
    for (int i = 0; i < width * height; ++i) {
        const bool is_skin = i < skin * width * height;
        const bool looks = is_skin || rng.uniform() < like_skin;
        const auto value = [&](int middle) {
            return static_cast<std::uint8_t>(middle + static_cast<int>(rng.below(8)));
        };
        if (looks)
            d.image.values.insert(d.image.values.end(), {value(200), value(144), value(120)});
        else
            d.image.values.insert(d.image.values.end(), {value(40), value(80), value(160)});
        d.mask.values.push_back(is_skin ? 65535 : 0);
    }
    return d;
}

void save(const TemporaryFolder& folder, const std::string& name, const Drawn& d) {
    write_text(folder / (name + ".png"), encode_png(d.image));
    Raster mask{d.mask.width, d.mask.height, 1, {}};
    for (const std::uint16_t v : d.mask.values) mask.values.push_back(static_cast<std::uint8_t>(v >> 8));
    write_text(folder / (name + ".mask.png"), encode_png(mask));
}

}  // namespace

TEST_CASE("likelihood ratios are the shares of a colour among skin and among the rest") {
    const Drawn d = draw(100, 100, 0.3, 0.25, 1);
    SkinModel model;
    model.train(d.image, d.mask, "drawn");
    CHECK(model.skin_pixels() == 3000);
    CHECK(model.other_pixels() == 7000);
    std::size_t like = 0;
    for (std::size_t i = 3000; i < 10000; ++i) like += d.image.values[3 * i] >= 200;
    // All skin is in one bin of 8 x 8 x 8.
    CHECK(model.likelihood_ratio(201, 147, 122) == doctest::Approx(1 / (static_cast<double>(like) / 7000)));
    CHECK(model.likelihood_ratio(208, 147, 122) == 0);  // the next bin was never seen
    CHECK(model.likelihood_ratio(41, 81, 161) == 0);
    const SkinModel again = SkinModel::parse(model.text(), "m");
    CHECK(again.likelihood_ratios(d.image) == model.likelihood_ratios(d.image));
    CHECK(again.text() == model.text());
}

TEST_CASE("the curve of hits and false alarms, and its area, against counting all pairs") {
    Rng rng(4, 0, Purpose::map, 0);
    for (int round = 0; round < 10; ++round) {
        std::vector<double> ratios;
        std::vector<bool> skin;
        for (int i = 0; i < 200; ++i) {
            skin.push_back(rng.uniform() < 0.3);
            ratios.push_back(std::floor(rng.uniform() * 12 + (skin.back() ? 2 : 0)));
        }
        double better = 0, pairs = 0;
        for (std::size_t i = 0; i < skin.size(); ++i)
            for (std::size_t j = 0; j < skin.size(); ++j)
                if (skin[i] && !skin[j]) {
                    ++pairs;
                    better += ratios[i] > ratios[j] ? 1 : ratios[i] == ratios[j] ? 0.5 : 0;
                }
        const Roc curve = roc(ratios, skin);
        CHECK(curve.area == doctest::Approx(better / pairs));
        for (const RocPoint& p : curve.points) {
            double hits = 0, alarms = 0, all = 0;
            for (std::size_t i = 0; i < skin.size(); ++i) {
                all += skin[i];
                (skin[i] ? hits : alarms) += ratios[i] >= p.threshold;
            }
            CHECK(p.hit_rate == doctest::Approx(hits / all));
            CHECK(p.false_rate == doctest::Approx(alarms / (200 - all)));
        }
    }
    CHECK_THROWS_WITH_AS(roc({1, 2}, {true, true}), doctest::Contains("needs both kinds"), Error);
}

TEST_CASE("victims train and detect: masks, the area of the curve with a known answer, and who is there") {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "images");
    const TemporaryFolder& f = folder;
    for (int k = 0; k < 3; ++k)
        save(f, "images/" + std::to_string(k), draw(64, 48, 0.2 + 0.1 * k, 0.1, static_cast<std::uint64_t>(k)));
    save(f, "new", draw(80, 60, 0.25, 0.1, 9));
    save(f, "empty", draw(80, 60, 0.001, 0, 9));
    ProgramResult r = outrider_in(f, "victims train images -o skin.model");
    CHECK_MESSAGE(r.code == 0, r.err);
    CHECK(r.out.find("from 3 images, ") != std::string::npos);
    r = outrider_in(f, "victims detect skin.model new.png --mask new.mask.png -o found.png");
    CHECK_MESSAGE(r.code == 0, r.err);
    CHECK(r.out.find("somebody may be there") != std::string::npos);
    CHECK(outrider_in(f, "victims detect skin.model new.png").out.starts_with("   threshold"));  // the mask beside it
    std::filesystem::rename(f / "new.mask.png", f / "new_mask.png");
    CHECK(outrider_in(f, "victims detect skin.model new.png").out.starts_with("   threshold"));
    std::filesystem::remove(f / "new_mask.png");
    CHECK(outrider_in(f, "victims detect skin.model new.png").out.starts_with("new.png: "));
    // All skin is hit; of the rest the tenth that looks like skin: area = 1 - alarms / 2.
    const Drawn drawn = draw(80, 60, 0.25, 0.1, 9);
    double alarms = 0;
    for (std::size_t i = 1200; i < 4800; ++i) alarms += drawn.image.values[3 * i] >= 200;
    CHECK(r.out.find(fmt::format("area under the curve {:.4f}", 1 - alarms / 3600 / 2)) != std::string::npos);
    CHECK(r.out.find("(the default)") != std::string::npos);
    const GreyImage found = read_png(f / "found.png", Channels::mean);
    REQUIRE(found.values.size() == 4800);
    for (std::size_t i = 0; i < 4800; ++i) CHECK((found.values[i] > 0) == (drawn.image.values[3 * i] >= 200));
    CHECK(outrider_in(f, "victims detect skin.model empty.png").out.find("nobody") != std::string::npos);
    // No more than what looks like skin: with a large ratio nothing counts.
    CHECK(outrider_in(f, "victims detect skin.model new.png --ratio 1000").out.find("nobody") != std::string::npos);
}

TEST_CASE("victims refuses what is no training set, no model, no pair, and does not overwrite") {
    const TemporaryFolder f;
    std::filesystem::create_directory(f / "none");
    std::filesystem::create_directory(f / "lone");
    std::filesystem::create_directory(f / "sizes");
    std::filesystem::create_directory(f / "black");
    std::filesystem::create_directory(f / "good");
    const Drawn d = draw(20, 20, 0.5, 0, 1);
    save(f, "lone/a", d);
    std::filesystem::remove(f / "lone/a.png");
    save(f, "sizes/a", d);
    write_text(f / "sizes/a.png", encode_png(draw(20, 10, 0.5, 0, 1).image));
    save(f, "black/a", draw(20, 20, 0, 0, 1));
    save(f, "good/a", d);
    save(f, "a", d);
    write_text(f / "broken", "outrider skin model 1\n7 1 1\n7 2 2\n");
    write_text(f / "other", "{}\n");
    write_text(f / "half", "outrider skin model 1\n7 5 0\n");
    write_text(f / "huge", "outrider skin model 1\n7 18446744073709551615 1\n8 1 1\n");
    write_text(f / "outside", "outrider skin model 1\n32768 1 1\n");
    for (const auto& row : std::initializer_list<std::pair<const char*, const char*>>{
             {"train", "expected outrider victims train IMAGES -o MODEL"},
             {"train nowhere -o m", "nowhere: expected a folder"},
             {"train none -o m", "the training set is empty"},
             {"train lone -o m", "its image lone/a.png is missing"},
             {"train sizes -o m", "20 x 10 pixels, but its mask has 20 x 20"},
             {"train black -o m", "a model needs both"},
             {"train good -o other", "other: "},
             {"detect", "expected outrider victims detect MODEL IMAGE.png"},
             {"detect nowhere a.png", "nowhere: cannot be read"},
             {"detect other a.png", "line 1: expected 'outrider skin model 1'"},
             {"detect broken a.png", "line 3: expected a bin of 8 to 32767"},
             {"detect half a.png", "it needs both"},
             {"detect huge a.png", "more pixels than can be counted"},
             {"detect outside a.png", "line 2: expected a bin"},
             {"detect other other", "line 1"},
             {"find", "expected train, detect"}}) {
        CAPTURE(row.first);
        const ProgramResult r = outrider_in(f, std::string("victims ") + row.first);
        CHECK(r.code == 2);
        CHECK_MESSAGE(r.err.find(row.second) != std::string::npos, r.err);
        CHECK_FALSE(std::filesystem::exists(f / "m"));
    }
    CHECK(outrider_in(f, "victims train good -o m").code == 0);
    CHECK(outrider_in(f, "victims detect m a.png --mask sizes/a.png").err.find("but its mask has") !=
          std::string::npos);
    CHECK(outrider_in(f, "victims detect m broken").err.find("not a PNG image") != std::string::npos);
    CHECK(outrider_in(f, "victims --help").out.find("outrider victims train") != std::string::npos);
}

}  // namespace test_cli_victims
