#include "sensing/ray_kernel.hpp"

#if defined(__x86_64__) && defined(__GNUC__)

// GCC 12 takes the deliberately undefined registers of its own headers for uninitialised variables.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace outrider {

bool ray_kernel_available() {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
}

#pragma GCC push_options
#pragma GCC target("avx512f,avx512dq,avx512vl")

namespace {

constexpr int group_count = 5;  // groups in flight at a time, to hide the latency of the gathers

/// Eight rays; see Ray for the quantities. Cells and indices are doubles, too: whole numbers are exact, and stay in the
/// same registers as the positions.
struct Group {
    __m512d base, slope, first, t_per_column, minor, across;
    __m512d offset, major_stride, minor_stride;  // index of (column j, minor n) = offset + j * major + n * minor
    __m512d column, in;                          // j, and the minor cell in which the ray enters it
    __m512d edge;                                // the minor edge behind which a ray of `by_edge` met a wall
    __mmask8 active, by_column, by_edge;         // still on their way; met a wall in entering column j; or within it
    int at, count;                               // of the rays
};

inline __m512d floor(__m512d v) { return _mm512_roundscale_pd(v, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC); }
inline __m512d blend(__mmask8 m, double if_set, double if_clear) {
    return _mm512_mask_blend_pd(m, _mm512_set1_pd(if_clear), _mm512_set1_pd(if_set));
}

/// Active rays go on by some columns; those that have passed the range stop.
inline void enter(Group& g, __m512d columns, __m512d max_length) {
    g.column = _mm512_mask_add_pd(g.column, g.active, g.column, columns);
    const __m512d before = _mm512_sub_pd(g.column, _mm512_set1_pd(1));
    g.in = floor(_mm512_add_pd(g.base, _mm512_mul_pd(before, g.slope)));
    const __m512d t = _mm512_mul_pd(_mm512_add_pd(g.first, before), g.t_per_column);
    g.active = _mm512_mask_cmp_pd_mask(g.active, t, max_length, _CMP_LE_OQ);
}

/// `clear`: distance from the cell of the origin to the nearest wall.
inline Group make_group(const WallField& walls, Point origin, const Point* directions, int at, int count, int clear,
                        __m512d max_length) {
    const auto load = static_cast<__mmask8>((1u << count) - 1);
    const __m512i low = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0), high = _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1);
    const double* xy = &directions[at].x;
    const __m512d ab = _mm512_maskz_loadu_pd(static_cast<__mmask8>((1u << std::min(2 * count, 8)) - 1), xy);
    const __m512d cd = _mm512_maskz_loadu_pd(static_cast<__mmask8>((1u << std::max(2 * count - 8, 0)) - 1), xy + 8);
    const __m512d one = _mm512_set1_pd(1), dx = _mm512_permutex2var_pd(ab, low, cd);
    const __m512d dy = _mm512_permutex2var_pd(ab, high, cd);
    const __mmask8 x_major = _mm512_cmp_pd_mask(_mm512_abs_pd(dx), _mm512_abs_pd(dy), _CMP_GE_OQ);
    const __m512d major = _mm512_mask_blend_pd(x_major, dy, dx), abs_major = _mm512_abs_pd(major);
    const __mmask8 up = _mm512_cmp_pd_mask(major, _mm512_setzero_pd(), _CMP_GE_OQ);

    const double fx = std::floor(origin.x), fy = std::floor(origin.y), w = walls.width();
    const double from_x = fx - walls.origin().x, from_y = fy - walls.origin().y;
    Group g;
    g.across = _mm512_mask_blend_pd(x_major, dx, dy);
    g.minor = blend(x_major, origin.y, origin.x);
    g.first = _mm512_mask_blend_pd(up, blend(x_major, origin.x - fx, origin.y - fy),
                                   blend(x_major, fx + 1 - origin.x, fy + 1 - origin.y));
    g.slope = _mm512_div_pd(g.across, abs_major);
    g.slope = _mm512_max_pd(_mm512_min_pd(g.slope, _mm512_set1_pd(1 - 1e-12)), _mm512_set1_pd(-(1 - 1e-12)));
    g.base = _mm512_add_pd(g.minor, _mm512_mul_pd(g.first, g.slope));
    g.t_per_column = _mm512_div_pd(one, abs_major);
    const __m512d forward = blend(x_major, 1, w);
    g.major_stride = _mm512_mask_sub_pd(forward, static_cast<__mmask8>(~up), _mm512_setzero_pd(), forward);
    g.minor_stride = blend(x_major, w, 1);
    g.offset = blend(x_major, from_x - walls.origin().y * w, from_y * w - walls.origin().x);
    g.column = _mm512_setzero_pd();
    g.in = blend(x_major, fy, fx);
    g.edge = _mm512_setzero_pd();
    g.active = load;
    g.by_column = g.by_edge = 0;
    g.at = at;
    g.count = count;
    if (clear > 1) enter(g, _mm512_set1_pd(clear - 1), max_length);  // the first jump of all
    return g;
}

inline __m256i distance_at(const WallField& walls, const Group& g, __m512d minor, __mmask8 lanes) {
    const __m512d index = _mm512_fmadd_pd(minor, g.minor_stride, _mm512_fmadd_pd(g.column, g.major_stride, g.offset));
    const __m256i word =
        _mm256_mmask_i32gather_epi32(_mm256_setzero_si256(), lanes, _mm512_cvttpd_epi32(index), walls.data(), 1);
    return _mm256_and_si256(word, _mm256_set1_epi32(255));
}

/// One jump of all active rays of a group. Without branches: when a ray meets a wall is a matter of chance, and a wrong
/// guess would stop the other groups in flight, too.
inline void advance(const WallField& walls, Group& g, __m512d max_length) {
    const __m256i one = _mm256_set1_epi32(1), d = distance_at(walls, g, g.in, g.active);
    const __mmask8 wall = _mm256_mask_cmpeq_epi32_mask(g.active, d, _mm256_setzero_si256());
    // Beside a wall the ray may meet one in the second cell of the column.
    const __mmask8 close = _mm256_mask_cmpeq_epi32_mask(g.active, d, one);
    const __m512d out = floor(_mm512_add_pd(g.base, _mm512_mul_pd(g.column, g.slope)));
    const __mmask8 crosses = _mm512_mask_cmp_pd_mask(close, out, g.in, _CMP_NEQ_OQ);
    const __m256i e = distance_at(walls, g, out, crosses);
    const __mmask8 side = _mm256_mask_cmpeq_epi32_mask(crosses, e, _mm256_setzero_si256());
    g.edge = _mm512_mask_max_pd(g.edge, side, g.in, out);
    g.by_column = static_cast<__mmask8>(g.by_column | wall);
    g.by_edge = static_cast<__mmask8>(g.by_edge | side);
    g.active = static_cast<__mmask8>(g.active & ~(wall | side));
    enter(g, _mm512_cvtepi32_pd(_mm256_max_epi32(_mm256_sub_epi32(d, one), one)), max_length);
}

/// Lengths of rays that have all come to their ends; infinite beyond the range.
inline __m512d lengths_of(const Group& g, __m512d max_length) {
    const __m512d one = _mm512_set1_pd(1), zero = _mm512_setzero_pd();
    const __m512d never = _mm512_set1_pd(std::numeric_limits<double>::infinity());
    const __m512d at_column = _mm512_mul_pd(_mm512_add_pd(g.first, _mm512_sub_pd(g.column, one)), g.t_per_column);
    const __m512d at_edge =
        _mm512_mul_pd(_mm512_abs_pd(_mm512_sub_pd(g.edge, g.minor)), _mm512_div_pd(one, _mm512_abs_pd(g.across)));
    __m512d t = _mm512_mask_max_pd(never, g.by_column, at_column, zero);
    t = _mm512_mask_mov_pd(t, g.by_edge, at_edge);
    return _mm512_mask_mov_pd(never, _mm512_cmp_pd_mask(t, max_length, _CMP_LE_OQ), t);
}

}  // namespace

void ray_kernel(const WallField& walls, Point origin, std::span<const Point> directions, double max_length,
                std::span<double> lengths) {
    const __m512d max = _mm512_set1_pd(max_length);
    const int n = static_cast<int>(directions.size());
    const int clear = walls.distance(
        {static_cast<std::int32_t>(std::floor(origin.x)), static_cast<std::int32_t>(std::floor(origin.y))});
    Group groups[group_count];
    int next = 0, flying = 0;
    const auto start = [&](Group& g) {  // the next eight rays
        g = make_group(walls, origin, directions.data(), next, std::min(n - next, 8), clear, max);
        next += 8;
    };
    for (; flying < group_count && next < n; ++flying) start(groups[flying]);
    while (flying > 0)
        for (int k = 0; k < flying; ++k) {
            Group& g = groups[k];
            if (g.active) advance(walls, g, max);
            if (g.active) continue;
            _mm512_mask_storeu_pd(lengths.data() + g.at, static_cast<__mmask8>((1u << g.count) - 1),
                                  lengths_of(g, max));
            if (next < n)
                start(g);
            else
                g = groups[--flying];
        }
}

#pragma GCC pop_options
#pragma GCC diagnostic pop

}  // namespace outrider

#else

#include "outrider/error.hpp"

namespace outrider {
bool ray_kernel_available() { return false; }
void ray_kernel(const WallField&, Point, std::span<const Point>, double, std::span<double>) {
    OUTRIDER_CHECK(ray_kernel_available(), ==, true);
}
}  // namespace outrider

#endif
