// The assignment of robots to goals, and points that each represent a cluster of points.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "outrider/geometry.hpp"

namespace outrider {

inline constexpr double no_path = std::numeric_limits<double>::infinity();

/// Row-major; a row for each robot, a column for each goal. no_way: that pair is impossible.
class CostMatrix {
  public:
    CostMatrix() = default;
    CostMatrix(std::size_t rows, std::size_t columns, double cost = no_path)
        : rows_(rows), columns_(columns), costs_(rows * columns, cost) {}
    std::size_t rows() const { return rows_; }
    std::size_t columns() const { return columns_; }
    double& operator()(std::size_t row, std::size_t column) { return costs_[row * columns_ + column]; }
    double operator()(std::size_t row, std::size_t column) const { return costs_[row * columns_ + column]; }

  private:
    std::size_t rows_ = 0, columns_ = 0;
    std::vector<double> costs_;
};

/// For each row its column, or -1: as many possible pairs as there can be, with the least sum of costs among all such
/// assignments. Rows and columns may differ in number. Shortest augmenting paths with potentials (Kuhn 1955, Munkres
/// 1957; Jonker & Volgenant 1987), O(rows^2 columns) for the smaller number as rows.
std::vector<int> hungarian(const CostMatrix& costs);

/// The same, greedily: takes the cheapest remaining pair again and again; equal costs: the lower row, then column.
std::vector<int> cheapest_pairs(const CostMatrix& costs);

/// Each column, in the order of priority, gets the nearest row left (equal ones: the lower): the important columns are
/// filled first, also when robots fail (CAMBADA; Lau, Lopes, Corrente & Filipe, "Roles, positionings and set plays to
/// coordinate a RoboCup MSL team", 2009).
std::vector<int> by_priority(const CostMatrix& costs);

/// Assigns again, with all columns, those rows that got none while some column is possible for them: more robots than
/// goals. `assign` is one of the above.
std::vector<int> assign_all(const CostMatrix& costs, std::vector<int> (*assign)(const CostMatrix&));

struct Clustering {
    std::vector<Point> centres;
    std::vector<int> cluster;  ///< of each point
};

/// Lloyd's k-means from these centres (squared Euclidean distance, equal ones: the lower centre), for so many rounds or
/// until nothing changes. A centre that no point belongs to stays where it is.
Clustering kmeans(std::span<const Point> points, std::vector<Point> centres, int rounds);

/// Centres to begin with: the first point, then again and again the point farthest from all centres so far (equal ones:
/// the first). At most as many as there are different points.
std::vector<Point> spread_centres(std::span<const Point> points, std::size_t count);

}  // namespace outrider
