// Data derived from a map alone: computed once, shared by all worlds of that map, and freed with the last of them.
#pragma once

#include <list>
#include <map>
#include <memory>
#include <mutex>

#include "world/wall_field.hpp"

namespace outrider {

/// Where a robot starts from and how far it sees.
struct Explorer {
    Cell start;
    double radius_m = 0;
    double range_m = 0;  ///< of its farthest-seeing sensor; 0: it marks only the cells that it stands in
};

/// Cells that bodies of one size can reach (from any one of them), and cells that they can sense from there; nonzero.
struct Reach {
    double radius_m = 0, range_m = 0;
    Grid<std::uint8_t> cells;
    Grid<std::uint8_t> seen;  ///< empty for a point-like body: then the same as `cells`
    const Grid<std::uint8_t>& sensable() const { return radius_m > 0 ? seen : cells; }
};

class Terrain {
  public:
    /// The terrain of these walls, in the frame in which their lower left cell is `origin`; nonzero cells block. The
    /// same walls in the same frame give the same object as long as it is in use. Thread-safe.
    static std::shared_ptr<const Terrain> of(const Grid<std::uint8_t>& walls, Cell origin);

    explicit Terrain(const Grid<std::uint8_t>& walls) : Terrain(walls, walls.origin()) {}
    Terrain(const Grid<std::uint8_t>& walls, Cell origin) : lattice_(walls.lattice()), field_(walls, origin) {}
    /// A copy that can change.
    explicit Terrain(const Terrain& other) : lattice_(other.lattice_), field_(other.field_) {}
    /// These cells are walls from now on, or free. Not while others read it; what it lent out is gone.
    void set(std::span<const Cell> cells, bool wall);
    const Lattice& lattice() const { return lattice_; }
    /// The walls as a grid: 1. Made when somebody asks first: field() says the same.
    const Grid<std::uint8_t>& walls() const;
    const WallField& field() const { return field_; }
    /// Cells where a disc of this radius cannot stand.
    const WallField& obstacles(double radius_m) const;
    const Reach& reach(const Explorer& explorer) const;

  private:
    Lattice lattice_;
    WallField field_;
    mutable std::mutex walls_mutex_;
    mutable std::unique_ptr<Grid<std::uint8_t>> walls_;
    // Filled on demand; existing elements neither move nor change.
    mutable std::mutex mutex_;
    mutable std::map<double, WallField> grown_;  // by radius
    mutable std::list<Reach> reaches_;
};

}  // namespace outrider
