#include "slam/matrix3.hpp"

#include <cmath>

#include "slam/eigen3.hpp"

namespace outrider {
namespace {

using Eigen::Index;

/// Cholesky (Golub & Van Loan, Matrix Computations, 4.2.5: by outer products): L in the lower triangle of `a`. A pivot
/// of no more than `least` makes its column 0; false when there was one.
bool factorise(Rows3& a, double least) {
    bool definite = true;
    for (Index k = 0; k < 3; ++k) {
        const Index below = 2 - k;
        auto column = a.col(k).tail(below);
        if (a(k, k) > least) {
            a(k, k) = std::sqrt(a(k, k));
            column /= a(k, k);
        } else {
            a(k, k) = 0;
            column.setZero();
            definite = false;
        }
        a.bottomRightCorner(below, below).noalias() -= column * column.transpose();
    }
    return definite;
}

/// Turns the right-hand side, a vector or several, into the solution of L L^T x = b.
template <class Columns>
void solve_factored(const Rows3& l, Columns&& x) {
    for (Index k = 0; k < 3; ++k) {
        for (Index j = 0; j < k; ++j) x.row(k) -= l(k, j) * x.row(j);
        x.row(k) /= l(k, k);
    }
    for (Index k = 2; k >= 0; --k) {
        for (Index j = k + 1; j < 3; ++j) x.row(k) -= l(j, k) * x.row(j);
        x.row(k) /= l(k, k);
    }
}

constexpr double tiny = 1e-12;

}  // namespace

bool solve3(const Matrix3& a, const Vector3& b, Vector3& x) {
    x = {};
    Rows3 l = eigen(a);
    if (!factorise(l, tiny)) return false;
    x = b;
    solve_factored(l, eigen(x));
    return true;
}

bool invert3(const Matrix3& a, Matrix3& out) {
    out = {};
    Rows3 l = eigen(a);
    if (!factorise(l, tiny)) return false;
    eigen(out).setIdentity();
    solve_factored(l, eigen(out));
    return true;
}

Matrix3 square_root(const Matrix3& covariance) {
    Rows3 l = eigen(covariance);
    factorise(l, 0);
    Matrix3 root{};
    eigen(root).triangularView<Eigen::Lower>() = l;
    return root;
}

Vector3 product(const Matrix3& a, const Vector3& x) {
    Vector3 out;
    eigen(out) = eigen(a).col(0) * x[0] + eigen(a).col(1) * x[1] + eigen(a).col(2) * x[2];
    return out;
}

}  // namespace outrider
