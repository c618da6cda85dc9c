// outrider victims
#include <algorithm>
#include <filesystem>

#include "arguments/arguments.hpp"
#include "base/input.hpp"
#include "base/output.hpp"
#include "cli/commands.hpp"
#include "outrider/error.hpp"
#include "sensing/skin_model.hpp"

namespace outrider {
namespace {

namespace fs = std::filesystem;

/// How a mask is named: as its image, with one of these in place of ".png".
constexpr std::array<std::string_view, 3> mask_suffixes{".mask.png", "_mask.png", "-mask.png"};
constexpr std::string_view expected_names = "NAME.png and its mask NAME.mask.png (or NAME_mask.png)";

/// The image that a mask belongs to; empty: the path is that of no mask.
std::string image_of(const std::string& path) {
    for (const std::string_view suffix : mask_suffixes)
        if (path.ends_with(suffix)) return path.substr(0, path.size() - suffix.size()) + ".png";
    return {};
}

/// The mask beside an image, if there is one.
std::optional<std::string> mask_of_image(const std::string& image) {
    if (!image.ends_with(".png")) return {};
    for (const std::string_view suffix : mask_suffixes)
        if (std::string path = image.substr(0, image.size() - 4) + std::string(suffix); fs::exists(path)) return path;
    return {};
}

/// The table of a curve at round thresholds, and its area.
void print_roc(const Roc& curve) {
    print_plain("{:>12}{:>12}{:>12}\n", "threshold", "hits", "false");
    constexpr std::array thresholds{0.05, 0.1, 0.2, skin_ratio, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0};
    for (const double threshold : thresholds) {
        // The last point whose threshold is not below this one.
        const auto past = std::find_if(curve.points.begin(), curve.points.end(),
                                       [&](const RocPoint& p) { return p.threshold < threshold; });
        const RocPoint at = past == curve.points.begin() ? RocPoint{} : *std::prev(past);
        print_plain("{:>12}{:>12.4f}{:>12.4f}{}\n", threshold, at.hit_rate, at.false_rate,
                    threshold == skin_ratio ? "  (the default)" : "");
    }
    print_plain("area under the curve {:.4f}\n", curve.area);
}

struct TrainFlags {
    std::optional<std::string> images, output;
    bool force = false;
    void fields(Flags& f) {
        f.positional("images", images);
        f("o,output", output, "MODEL", "model to write");
        f("force", force, "overwrite files that exist");
    }
};

int train(const TrainFlags& flags) {
    if (!flags.images || !flags.output) fail("expected outrider victims train IMAGES -o MODEL");
    if (!fs::is_directory(*flags.images)) fail("{}: expected a folder with pairs {}", *flags.images, expected_names);
    std::vector<std::string> masks;
    for (const auto& entry : fs::directory_iterator(*flags.images))
        if (std::string path = entry.path().string(); !image_of(path).empty()) masks.push_back(std::move(path));
    std::sort(masks.begin(), masks.end());
    if (masks.empty())
        fail("{}: the training set is empty: no mask is there; expected pairs {}", *flags.images, expected_names);
    prepare_output(*flags.output, flags.force);
    SkinModel model;
    for (const std::string& mask : masks) {
        const std::string image = image_of(mask);
        if (!fs::exists(image)) fail("{}: its image {} is missing", mask, image);
        model.train(read_colours(image), read_png(mask, Channels::mean), image);
    }
    if (model.skin_pixels() == 0 || model.other_pixels() == 0)
        fail("{}: {} pixels are skin and {} are not; a model needs both", *flags.images, model.skin_pixels(),
             model.other_pixels());
    OutputFile out(*flags.output, flags.force);
    out.write(model.text());
    out.commit();
    print_plain("{}: from {} image{}, {} pixels of skin and {} others\n", *flags.output, masks.size(),
                masks.size() == 1 ? "" : "s", model.skin_pixels(), model.other_pixels());
    return 0;
}

struct DetectFlags {
    std::optional<std::string> model, image, output, mask;
    std::optional<double> ratio;
    bool force = false;
    void fields(Flags& f) {
        f.positional("model", model);
        f.positional("image", image);
        f("o,output", output, "FILE.png", "write which pixels are skin: white, others black");
        f("mask", mask, "FILE.png",
          "which pixels really are skin, to print how often the model hits and errs (when not given: the mask beside "
          "the "
          "image, if there is one)");
        f.number("ratio", ratio, 1e-9, 1e9, "", "R",
                 "pixels count as skin from this likelihood ratio on (0.5 when not given)");
        f("force", force, "overwrite files that exist");
    }
};

int detect(const DetectFlags& flags) {
    if (!flags.model || !flags.image) fail("expected outrider victims detect MODEL IMAGE.png");
    const std::optional<std::string> mask = flags.mask ? flags.mask : mask_of_image(*flags.image);
    std::vector<std::string> inputs{*flags.model, *flags.image};
    if (mask) inputs.push_back(*mask);
    expect_distinct(flags, {"output"}, inputs);
    if (flags.output) prepare_output(*flags.output, flags.force);
    const SkinModel model =
        SkinModel::parse(read_text_file(*flags.model, "a model of outrider victims train"), *flags.model);
    const Raster image = read_colours(*flags.image);
    const std::vector<double> ratios = model.likelihood_ratios(image);
    const double least = flags.ratio.value_or(skin_ratio);
    Raster found{image.width, image.height, 1, {}};
    for (const double ratio : ratios) found.values.push_back(ratio >= least ? 255 : 0);
    const auto skin = static_cast<double>(std::count(found.values.begin(), found.values.end(), 255));
    const double share = skin / static_cast<double>(ratios.size());
    if (mask) {
        const GreyImage truth = read_png(*mask, Channels::mean);
        expect_same_size(image, truth, *flags.image);
        print_roc(roc(ratios, skin_of(truth)));
    }
    if (flags.output) {
        OutputFile out(*flags.output, flags.force);
        out.write(encode_png(found));
        out.commit();
    }
    print_plain("{}: {:.2f} % skin: {}\n", *flags.image, 100 * share,
                share > skin_share ? "somebody may be there" : "nobody");
    return 0;
}

std::vector<Subcommand> victims_parts() {
    return {subcommand<TrainFlags, train>(
                {"victims train",
                 "Learn which colours are skin. IMAGES is a folder with images NAME.png and, of each that is to be "
                 "used, a mask NAME.mask.png (or NAME_mask.png) of the same size: white where there is skin.\n",
                 "[OPTION...] IMAGES"},
                "IMAGES -o MODEL: learn which colours are skin"),
            subcommand<DetectFlags, detect>(
                {"victims detect",
                 "Find skin in an image: whether somebody may be there, which is when more than 1 % of it is skin.\n",
                 "[OPTION...] MODEL IMAGE.png"},
                "MODEL IMAGE.png: find skin in an image")};
}

int victims(const HelpPage& page, const Arguments& arguments) {
    return run_part(page, "people in images of cameras, by the colour of skin (docs/rescue.md)", victims_parts(),
                    arguments);
}

}  // namespace

Subcommand victims_command() {
    return {{"victims", "People in images of cameras, by the colour of skin.\n", "PART [ARGUMENTS]"},
            "find people in images of cameras: train, detect",
            [] { return std::vector<FlagInfo>(); },
            victims,
            victims_parts};
}

}  // namespace outrider
