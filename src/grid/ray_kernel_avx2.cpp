// The ray kernels with AVX2; empty where the flags in CMakeLists.txt do not ask for it.
#if defined(__AVX2__)
#include "grid/ray_lanes.hpp"

namespace outrider {
extern const RayKernel ray_kernel_avx2;
const RayKernel ray_kernel_avx2{cast, locate};
}  // namespace outrider
#endif
