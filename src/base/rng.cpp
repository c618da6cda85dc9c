#include "outrider/rng.hpp"

#include <cmath>

#include "outrider/error.hpp"
#include "outrider/geometry.hpp"

namespace outrider {

std::array<std::uint32_t, 4> Rng::block(std::array<std::uint32_t, 4> c, std::array<std::uint32_t, 2> key) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{0xD2511F53} * c[0], b = std::uint64_t{0xCD9E8D57} * c[2];
        c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ key[0], static_cast<std::uint32_t>(b),
             static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ key[1], static_cast<std::uint32_t>(a)};
        key[0] += 0x9E3779B9;
        key[1] += 0xBB67AE85;
    }
    return c;
}

Rng::Rng(std::uint64_t seed, std::int64_t robot, Purpose purpose, std::int64_t step, std::uint32_t stream)
    : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
      counter_{0, static_cast<std::uint32_t>(purpose) | stream << 8, static_cast<std::uint32_t>(robot),
               static_cast<std::uint32_t>(step)} {
    OUTRIDER_CHECK(stream, <, 1u << 24);
}

std::uint32_t Rng::next() {
    if (left_ == 0) {
        buffer_ = block(counter_, key_);
        ++counter_[0];
        left_ = 4;
    }
    return buffer_[static_cast<std::size_t>(4 - left_--)];
}

double Rng::uniform() {
    const std::uint64_t high = next() >> 5, low = next() >> 6;
    return static_cast<double>((high << 26) | low) * 0x1p-53;
}

std::uint32_t Rng::below(std::uint32_t n) {
    OUTRIDER_CHECK(n, >, 0u);
    const std::uint32_t reject = (0u - n) % n;  // the 2^32 mod n lowest values would be drawn once too often
    for (;;)
        if (const std::uint32_t value = next(); value >= reject) return value % n;
}

double Rng::normal() {
    const double u = 1 - uniform(), v = uniform();
    return std::sqrt(-2 * log(u)) * sin_cos(2 * pi * v).cos;
}

}  // namespace outrider
