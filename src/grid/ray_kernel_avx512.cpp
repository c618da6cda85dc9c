// The ray kernels with AVX-512; empty where the flags in CMakeLists.txt do not ask for it.
#if defined(__AVX512DQ__)
#include "grid/ray_lanes.hpp"

namespace outrider {
extern const RayKernel ray_kernel_avx512;
const RayKernel ray_kernel_avx512{cast, locate};
}  // namespace outrider
#endif
