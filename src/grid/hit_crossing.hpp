// Which grid crossing of a ray a measured range means.
#pragma once

#include "outrider/ray.hpp"

namespace outrider {

/// V as in RayNumbers. Columns are counted from the cell of the origin; minor coordinates are those of the grid.
template <class V>
struct HitCrossings {
    using Mask = typename RayNumbers<V>::Mask;
    V column, minor;              ///< of the cell
    V other_column, other_minor;  ///< of the second candidate, if there is one
    V seen;                       ///< see HitCells::t
    Mask two;                     ///< two candidates
    Mask lost;                    ///< the crossing is not in the columns that were looked at: look further on
};

/// The crossing nearest to the range; both when one into a new column and one of a minor edge lie within `tolerance` of
/// it. start_minor: the minor cell of the origin. Looks for the column in which the minor edge is crossed at the first
/// guess, which rounding can put one too early, plus `away`, and at the column after it.
template <class V>
HitCrossings<V> find_crossings(const RayNumbers<V>& ray, V start_minor, V range, double tolerance, double away = 0) {
    using Lane = LaneFunctions<V>;
    const auto at_least = [](V low, V v) { return Lane::select(v < low, low, v); };
    const V zero = 0, one = 1, half = 0.5;
    const V column = at_least(one, Lane::floor(range / ray.t_per_column - ray.first + half) + one);
    const V t_column = ray.t_column(column), column_entry = Lane::floor(ray.minor_at(column - one));

    const auto rises = ray.slope > zero;
    const V side = Lane::select(rises, one, -one), first_edge = Lane::select(rises, start_minor + one, start_minor);
    const V near_edge = Lane::floor(ray.minor + side * range / ray.t_per_minor + half);
    const V edge = Lane::select(near_edge * side < first_edge * side, first_edge, near_edge);
    const V t_minor = ray.t_minor(edge);
    const V off_column = Lane::abs(t_column - range), off_minor = Lane::abs(t_minor - range);

    const V j = at_least(zero, Lane::floor(t_minor / ray.t_per_column - ray.first)) + V(away);
    const V in = Lane::select(j > zero, Lane::floor(ray.minor_at(j - one)), start_minor);
    const V out = Lane::floor(ray.minor_at(j)), next = Lane::floor(ray.minor_at(j + one));
    const auto here = (at_least(in, out) * side >= edge * side) && (in != out);
    const auto there = (at_least(out, next) * side >= edge * side) && (out != next);
    const V minor_column = Lane::select(here, j, j + one), minor_exit = Lane::select(here, out, next);

    // For an axis-parallel ray no comparison with off_minor is true.
    const V most = tolerance;
    const auto both = (off_column <= most) && (off_minor <= most), minor_first = off_minor < off_column;
    const auto same = (minor_column == column) && (minor_exit == column_entry), by_minor = minor_first && !both;
    HitCrossings<V> hit;
    hit.column = Lane::select(by_minor, minor_column, column);
    hit.minor = Lane::select(by_minor, minor_exit, column_entry);
    hit.other_column = Lane::select(both, minor_column, column);
    hit.other_minor = Lane::select(both, minor_exit, column_entry);
    hit.seen = Lane::select((minor_first && !both) || (both && !(t_column < t_minor)), t_minor, t_column);
    hit.two = both && !same;
    hit.lost = (minor_first || both) && !(here || there);
    return hit;
}

}  // namespace outrider
