// The arrays of matrix3.hpp as Eigen's types, without copying. For .cpp files: Eigen takes a second to compile.
#pragma once

#include <Eigen/Core>

#include "slam/matrix3.hpp"

namespace outrider {

using Rows3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

inline Eigen::Map<Rows3> eigen(Matrix3& m) { return Eigen::Map<Rows3>(m.data()); }
inline Eigen::Map<const Rows3> eigen(const Matrix3& m) { return Eigen::Map<const Rows3>(m.data()); }
inline Eigen::Map<Eigen::Vector3d> eigen(Vector3& v) { return Eigen::Map<Eigen::Vector3d>(v.data()); }
inline Eigen::Map<const Eigen::Vector3d> eigen(const Vector3& v) { return Eigen::Map<const Eigen::Vector3d>(v.data()); }

}  // namespace outrider
