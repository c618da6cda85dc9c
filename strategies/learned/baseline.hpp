// The network of the strategy mlp, as examples/train_frontier_mlp.py wrote it.
#pragma once

#include <string_view>

namespace outrider {

inline constexpr std::string_view baseline = R"json(
{"outrider_network": 1, "inputs": ["way"], "layers": [{"weights": [[-1]], "bias": [0]}]}
)json";

}  // namespace outrider
