// Matrices of three numbers a side: what is known of a pose (x, y, yaw), and the systems that find one.
//
// A robot's decisions depend on them, so the order of operations is part of the result: every sum runs from left to
// right and from the top down. Eigen's decompositions sum products before they subtract them (LLT: other bits of the
// solution in 59 % of random systems; inverse: in all); logs would not replay as they were recorded.
#pragma once

#include <array>

namespace outrider {

using Matrix3 = std::array<double, 9>;  ///< row by row; x, y, yaw
using Vector3 = std::array<double, 3>;

/// x with A x = b for a symmetric positive definite A; false, and x = 0, when it is not. Reads the lower triangle.
bool solve3(const Matrix3& a, const Vector3& b, Vector3& x);
/// The inverse of a symmetric positive definite matrix; false, and 0, when it is not.
bool invert3(const Matrix3& a, Matrix3& out);
/// Lower triangular L with L L^T = the covariance. Where nothing is left of a variance, its column of L is 0.
Matrix3 square_root(const Matrix3& covariance);
/// A x.
Vector3 product(const Matrix3& a, const Vector3& x);

}  // namespace outrider
