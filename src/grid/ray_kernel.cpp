#include "grid/ray_kernel.hpp"

#include "outrider/error.hpp"

namespace outrider {

extern const RayKernel ray_kernel_portable, ray_kernel_avx2, ray_kernel_avx512;

#if defined(__x86_64__) && defined(__GNUC__)

bool has_path(RayPath path) {
    static const bool avx2 = __builtin_cpu_supports("avx2");
    static const bool avx512 =
        __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return path == RayPath::avx512 ? avx512 : path == RayPath::avx2 ? avx2 : true;
}

const RayKernel& ray_kernel(RayPath path) {
    if (path == RayPath::automatic)
        path = has_path(RayPath::avx512) ? RayPath::avx512
               : has_path(RayPath::avx2) ? RayPath::avx2
                                         : RayPath::portable;
    OUTRIDER_CHECK(has_path(path), ==, true);
    return path == RayPath::avx512 ? ray_kernel_avx512 : path == RayPath::avx2 ? ray_kernel_avx2 : ray_kernel_portable;
}

#else

bool has_path(RayPath path) { return path == RayPath::automatic || path == RayPath::portable; }

const RayKernel& ray_kernel(RayPath path) {
    OUTRIDER_CHECK(has_path(path), ==, true);
    return ray_kernel_portable;
}

#endif

}  // namespace outrider
