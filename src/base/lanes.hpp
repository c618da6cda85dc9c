// Several doubles at a time: as many as a register holds in the instruction set that the file is compiled for. One
// source is compiled once for each instruction set, in a file with its own flags (CMakeLists.txt), and a table of
// functions is chosen at run time (src/grid/ray_kernel.cpp). What such a file instantiates must depend on Lanes, whose
// type differs with the flags: an inline function that others share could be taken from here, and fail on an older CPU.
#pragma once

#include <bit>
#include <cstdint>
#include <experimental/simd>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "outrider/ray.hpp"

namespace outrider {

using Lanes = std::experimental::native_simd<double>;
using LaneMask = Lanes::mask_type;
constexpr int lane_count = static_cast<int>(Lanes::size());

template <>
struct LaneFunctions<Lanes> {
    using Doubles [[gnu::vector_size(sizeof(Lanes))]] = double;
    using Integers [[gnu::vector_size(sizeof(Lanes) / 2)]] = std::int32_t;

    static Lanes select(LaneMask first, Lanes a, Lanes b) {
#if defined(__AVX512F__)  // clang 14 with the library of GCC 12 assigns nothing through where()
        return Lanes(
            _mm512_mask_blend_pd(std::bit_cast<__mmask8>(first), static_cast<Doubles>(b), static_cast<Doubles>(a)));
#else
        where(first, b) = a;
        return b;
#endif
    }
    static Lanes floor(Lanes v) { return std::experimental::floor(v); }
    static Lanes abs(Lanes v) { return std::experimental::abs(v); }

    // Whole numbers.
    /// a * b + c, in one instruction where there is one: exact either way.
    static Lanes multiply_add(Lanes a, Lanes b, Lanes c) {
#if defined(__AVX512F__)
        return Lanes(_mm512_fmadd_pd(static_cast<Doubles>(a), static_cast<Doubles>(b), static_cast<Doubles>(c)));
#else
        return a * b + c;
#endif
    }
    static Integers integers(Lanes v) { return __builtin_convertvector(static_cast<Doubles>(v), Integers); }
    static Lanes doubles(Integers v) {
#if defined(__AVX512F__)
        return Lanes(_mm512_cvtepi32_pd((__m256i)v));  // GCC 12 converts half by half
#else
        return Lanes(__builtin_convertvector(v, Doubles));
#endif
    }

    static LaneMask equal(Integers v, int n) {
#if defined(__AVX512F__)
        return std::bit_cast<LaneMask>(_mm256_cmpeq_epi32_mask((__m256i)v, _mm256_set1_epi32(n)));
#else
        return doubles(v) == n;
#endif
    }
    static Integers at_least(Integers v, int least) { return v + ((v < least) & (least - v)); }

    /// bytes[index] in the lanes of the mask, anything in the others. Readable three bytes beyond.
    static Integers gather(const std::uint8_t* bytes, Lanes index, LaneMask mask) {
#if defined(__AVX512F__)
        const __m256i words = _mm256_mmask_i32gather_epi32(_mm256_setzero_si256(), std::bit_cast<__mmask8>(mask),
                                                           (__m256i)integers(index), bytes, 1);
        return (Integers)_mm256_and_si256(words, _mm256_set1_epi32(255));
#elif defined(__AVX2__)
        const __m128i words =
            _mm_i32gather_epi32(reinterpret_cast<const int*>(bytes), (__m128i)integers(select(mask, index, 0)), 1);
        return (Integers)_mm_and_si128(words, _mm_set1_epi32(255));
#else
        const Integers at = integers(select(mask, index, 0));
        Integers words{};
        for (std::size_t i = 0; i < Lanes::size(); ++i) words[i] = bytes[at[i]];
        return words;
#endif
    }
};

}  // namespace outrider
