// Matrices of three numbers a side: what they solve, and that the order of operations, and with it every bit, is the
// one written out here, whatever Eigen and the compiler make of the expressions.
#include <bit>
#include <cmath>
#include <limits>

#include "helpers.hpp"
#include "outrider/rng.hpp"
#include "slam/matrix3.hpp"

using namespace outrider;

namespace test_matrix3 {
namespace {

/// J J^T + 0.1, with variances of very different sizes.
Matrix3 random_definite(Rng& rng) {
    const double sizes[] = {1, 0.03, 20};
    Matrix3 j, a;
    for (double& v : j) v = rng.normal();
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) {
            double sum = i == k ? 0.1 : 0;
            for (std::size_t m = 0; m < 3; ++m) sum += j[3 * i + m] * j[3 * k + m];
            a[3 * i + k] = sizes[i] * sum * sizes[k];
        }
    return a;
}

/// Cholesky, one number after the other.
Matrix3 written_out_root(const Matrix3& c) {
    const auto quotient = [](double a, double b) { return b > 0 ? a / b : 0.0; };
    const double xx = std::sqrt(std::max(0.0, c[0])), yx = quotient(c[3], xx), tx = quotient(c[6], xx);
    const double yy = std::sqrt(std::max(0.0, c[4] - yx * yx)), ty = quotient(c[7] - tx * yx, yy);
    return {xx, 0, 0, yx, yy, 0, tx, ty, std::sqrt(std::max(0.0, c[8] - tx * tx - ty * ty))};
}

Vector3 written_out_solution(const Matrix3& a, const Vector3& b) {
    const Matrix3 l = written_out_root(a);
    const double y0 = b[0] / l[0], y1 = (b[1] - l[3] * y0) / l[4], y2 = (b[2] - l[6] * y0 - l[7] * y1) / l[8];
    const double z2 = y2 / l[8], z1 = (y1 - l[7] * z2) / l[4];
    return {(y0 - l[3] * z1 - l[6] * z2) / l[0], z1, z2};
}

/// How many of the numbers have other bits.
template <std::size_t n>
int other_bits(const std::array<double, n>& a, const std::array<double, n>& b) {
    int other = 0;
    for (std::size_t i = 0; i < n; ++i)
        other += std::bit_cast<std::uint64_t>(a[i]) != std::bit_cast<std::uint64_t>(b[i]);
    return other;
}

constexpr Matrix3 identity{1, 0, 0, 0, 1, 0, 0, 0, 1};

}  // namespace

TEST_CASE("solutions, inverses and roots of 3 x 3 are those of the definition") {
    Rng rng(1, 0, Purpose::particle, 0);
    for (int round = 0; round < 200; ++round) {
        const Matrix3 a = random_definite(rng), root = square_root(a);
        const Vector3 b{rng.normal(), rng.normal(), rng.normal()};
        Vector3 x;
        REQUIRE(solve3(a, b, x));
        for (std::size_t i = 0; i < 3; ++i) CHECK(product(a, x)[i] == doctest::Approx(b[i]).epsilon(1e-8));
        Matrix3 inverse;
        REQUIRE(invert3(a, inverse));
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t k = 0; k < 3; ++k) {
                double one = 0, square = 0;
                for (std::size_t m = 0; m < 3; ++m) {
                    one += a[3 * i + m] * inverse[3 * m + k];
                    square += root[3 * i + m] * root[3 * k + m];
                }
                CHECK(one == doctest::Approx(identity[3 * i + k]).epsilon(1e-8));
                CHECK(square == doctest::Approx(a[3 * i + k]).epsilon(1e-8));
            }
        CHECK(root[1] == 0);
        CHECK(root[2] == 0);
        CHECK(root[5] == 0);
    }
}

TEST_CASE("solutions, inverses, roots and products of 3 x 3 are the same to the last bit as written out") {
    Rng rng(2, 0, Purpose::particle, 0);
    int other = 0;
    for (int round = 0; round < 2000; ++round) {
        const Matrix3 a = random_definite(rng);
        const Vector3 b{rng.normal(), rng.normal(), rng.normal()};
        Vector3 x;
        Matrix3 inverse, columns;
        REQUIRE(solve3(a, b, x));
        other += other_bits(x, written_out_solution(a, b));
        REQUIRE(invert3(a, inverse));
        for (std::size_t i = 0; i < 3; ++i) {
            const Vector3 column = written_out_solution(a, {identity[i], identity[3 + i], identity[6 + i]});
            for (std::size_t k = 0; k < 3; ++k) columns[3 * k + i] = column[k];
        }
        other += other_bits(inverse, columns);
        other += other_bits(square_root(a), written_out_root(a));
        other +=
            other_bits(product(a, b), {a[0] * b[0] + a[1] * b[1] + a[2] * b[2], a[3] * b[0] + a[4] * b[1] + a[5] * b[2],
                                       a[6] * b[0] + a[7] * b[1] + a[8] * b[2]});
    }
    CHECK(other == 0);
}

TEST_CASE("3 x 3: what is not positive definite has neither solution nor inverse; only the lower triangle is read") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const Matrix3& a : {Matrix3{}, Matrix3{1, 1, 0, 1, 1, 0, 0, 0, 1}, Matrix3{1, 2, 0, 2, 1, 0, 0, 0, 1},
                             Matrix3{1, 0, 0, 0, 1, 0, 0, 0, -1}, Matrix3{nan, 0, 0, 0, 1, 0, 0, 0, 1},
                             Matrix3{1, 0, 0, 0, 1e-12, 0, 0, 0, 1}}) {
        Vector3 x{7, 7, 7};
        Matrix3 inverse = identity;
        CHECK_FALSE(solve3(a, {1, 1, 1}, x));
        CHECK(x == Vector3{});
        CHECK_FALSE(invert3(a, inverse));
        CHECK(inverse == Matrix3{});
    }
    Vector3 x;
    CHECK(solve3({4, nan, nan, 0, 4, nan, 0, 0, 4}, {4, 8, 12}, x));
    CHECK(x == Vector3{1, 2, 3});
}

TEST_CASE("the root of a covariance that is nothing in some direction has a column of zeros there") {
    CHECK(square_root({}) == Matrix3{});
    CHECK(square_root({4, 4, 0, 4, 4, 0, 0, 0, 9}) == Matrix3{2, 0, 0, 2, 0, 0, 0, 0, 3});
    CHECK(square_root({0, 0, 0, 0, 4, 2, 0, 2, 1}) == Matrix3{0, 0, 0, 0, 2, 0, 0, 1, 0});
    CHECK(square_root({1, 0, 0, 0, -1e-20, 0, 0, 0, 1}) == Matrix3{1, 0, 0, 0, 0, 0, 0, 0, 1});  // rounded below 0
}

}  // namespace test_matrix3
