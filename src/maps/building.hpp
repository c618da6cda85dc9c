// Rooms, the doors between them and what stands in them: what the families of buildings share.
#pragma once

#include "maps/drawing.hpp"
#include "outrider/options.hpp"

namespace outrider {

/// What a room is for decides its furniture.
enum class Use {
    corridor,
    empty,
    office,
    meeting,
    open_plan,
    classroom,
    ward,
    store,
    living,
    bedroom,
    kitchen,
    bath,
    hall
};

/// Options that all buildings have.
struct BuildingOptions {
    double wall_m = 0.2, door_min_m = 0.9, door_max_m = 1.2, corridor_m = 2.0;
    double loops = 0.15, furniture = 0.8;
    void fields(Fields& f) {
        f("wall_m", wall_m, 0.05, 2, "thickness of the walls");
        f("door_min_m", door_min_m, 0.5, 10, "narrowest door");
        f("door_max_m", door_max_m, 0.5, 10, "widest door");
        f("corridor_m", corridor_m, 0.8, 30, "width of the corridors");
        f("loops", loops, 0, 1, "share of the possible further doors between neighbouring rooms that exist");
        f("furniture", furniture, 0, 1, "share of the rooms that are furnished");
    }
};

class Building {
  public:
    /// Throws Error when the smallest door width is above the largest.
    Building(Drawing& drawing, const BuildingOptions& options, Rng& rng);

    /// Clears a space; walls are what is left between spaces. Overlapping corridors are one space.
    void add(const Rect& inner, Use use);
    /// Doors: each space gets one to a corridor if possible, else to a room that has one; further ones by `loops`.
    /// Two spaces are neighbours when exactly one wall is between them. Doors may not lie within `barred`.
    void connect();
    /// Furniture that leaves every door free.
    void furnish();
    /// No door may touch this rectangle.
    void bar(const Rect& r) { barred_.push_back(r); }

    int wall() const { return wall_; }
    int door() const { return door_max_; }
    int corridor() const { return corridor_; }
    int count(Use use) const;

  private:
    struct Space {
        Rect inner;
        Use use;
    };
    struct Gap {
        int a, b;   // spaces
        Rect wall;  // the piece of wall between them
    };
    std::vector<Gap> gaps() const;
    void open(const Gap& gap);
    void put(const Space& in, Rect item);
    void furnish(const Space& space);

    Drawing& drawing_;
    BuildingOptions options_;
    Rng& rng_;
    int wall_, door_min_, door_max_, corridor_;
    std::vector<Space> spaces_;
    std::vector<Rect> barred_;
};

/// Cuts an area into rooms by halving it again and again until a side is below about `typical` cells; `gap` stays
/// between the parts.
std::vector<Rect> halve(Rng& rng, const Rect& area, int typical, int gap);

}  // namespace outrider
