// Skin in images of cameras, by the colour of each pixel: how often a colour is skin and how often it is not, counted
// in images whose skin is marked. Source: Jones & Rehg, Statistical color models with application to skin detection,
// IJCV 46, 2002.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/image.hpp"

namespace outrider {

/// Counts of colours in 32 bins of width 8 per channel.
class SkinModel {
  public:
    static constexpr int bins = 32, bin_width = 8;

    /// Adds the pixels of an image; of the mask, pixels brighter than half are skin. Throws Error when their sizes
    /// differ; `name` is the image's, for the message.
    void train(const Raster& image, const GreyImage& mask, const std::string& name);

    std::uint64_t skin_pixels() const { return skin_total_; }
    std::uint64_t other_pixels() const { return other_total_; }

    /// P(colour | skin) / P(colour | other); 0 for a colour that never was skin, infinite for one that always was.
    double likelihood_ratio(std::uint8_t red, std::uint8_t green, std::uint8_t blue) const;
    /// The ratio of each pixel, row by row from the top.
    std::vector<double> likelihood_ratios(const Raster& image) const;

    /// A text file: the colours that were seen, with their counts.
    std::string text() const;
    /// Throws Error "PATH: line N: ..." where the text is no model.
    static SkinModel parse(const std::string& text, const std::string& path);

  private:
    static std::size_t bin(std::uint8_t red, std::uint8_t green, std::uint8_t blue);
    static constexpr std::size_t all_bins = std::size_t{bins} * bins * bins;
    std::vector<std::uint64_t> skin_ = std::vector<std::uint64_t>(all_bins), other_ = skin_;
    std::uint64_t skin_total_ = 0, other_total_ = 0;
};

/// A pixel is skin when its ratio is at least this, and an image shows somebody when more than this share of it is
/// skin.
inline constexpr double skin_ratio = 0.5, skin_share = 0.01;

/// How well ratios tell skin from the rest.
struct RocPoint {
    double threshold = 0;   ///< pixels with at least this ratio are taken for skin
    double hit_rate = 0;    ///< of the skin, so much is taken for skin
    double false_rate = 0;  ///< of the rest, so much
};
struct Roc {
    std::vector<RocPoint> points;  ///< by falling threshold: a point for each ratio that occurs
    double area = 0;               ///< under the curve; 1: told apart without error, 0.5: by chance
};
/// `skin`: what each pixel is. Throws Error when there is no skin, or nothing else.
Roc roc(const std::vector<double>& ratios, const std::vector<bool>& skin);

/// Which pixels of a mask are skin.
std::vector<bool> skin_of(const GreyImage& mask);
/// Throws Error when a mask is not as large as its image.
void expect_same_size(const Raster& image, const GreyImage& mask, const std::string& name);

}  // namespace outrider
