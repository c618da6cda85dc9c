// The ray kernels with the instructions that every file is compiled for.
#include "grid/ray_lanes.hpp"

namespace outrider {
extern const RayKernel ray_kernel_portable;
const RayKernel ray_kernel_portable{cast, locate};
}  // namespace outrider
