// The families of generated maps: one for each kind of place.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "maps/drawing.hpp"
#include "outrider/options.hpp"

namespace outrider {

/// A kind of place, with its options.
class Family {
  public:
    virtual ~Family() = default;
    virtual void fields(Fields& f) = 0;
    /// Draws a place on `drawing`, which is all wall; generate() repairs unconnected and narrow parts afterwards.
    virtual void draw(Drawing& drawing, Rng& rng) const = 0;
};

struct FamilyInfo {
    std::string name, summary;
    int width, height;  ///< cells, unless the user says otherwise
    double cell_m;
    std::function<std::unique_ptr<Family>()> make;
};

/// Sorted by name.
const std::vector<FamilyInfo>& families();
/// Throws Error that names the nearest family.
const FamilyInfo& find_family(std::string_view name);

/// An options struct with fields() and draw() as a Family.
template <class Place>
class FamilyOf final : public Family {
  public:
    void fields(Fields& f) override { place_.fields(f); }
    void draw(Drawing& drawing, Rng& rng) const override { place_.draw(drawing, rng); }

  private:
    Place place_;
};

template <class Place>
FamilyInfo family_of(const char* name, int width, int height, double cell_m, const char* summary) {
    return {name, summary, width, height, cell_m, [] { return std::make_unique<FamilyOf<Place>>(); }};
}

// Each in its own file of families/.
FamilyInfo campus_family();
FamilyInfo cave_family();
FamilyInfo city_family();
FamilyInfo fingers_family();
FamilyInfo forest_family();
FamilyInfo grid_family();
FamilyInfo home_family();
FamilyInfo hospital_family();
FamilyInfo loop_family();
FamilyInfo maze_family();
FamilyInfo office_family();
FamilyInfo open_family();
FamilyInfo rooms_family();
FamilyInfo ruin_family();
FamilyInfo school_family();
FamilyInfo warehouse_family();
FamilyInfo wrap_family();

}  // namespace outrider
