// Maps of ARiADNE (Cao et al., ICRA 2023) and IR2 (Tan et al., IROS 2024), of the MARMot Lab.
#pragma once

#include <string>

#include "base/config.hpp"

namespace outrider {

/// A map as a scenario with their sensor: one pixel is a cell of a metre, so lengths read as pixels; free above a grey
/// of 150; the team starts where the map marks it (grey 208, or the yellow that has this luminance); the sensor looks
/// all around, at half a degree, 80 pixels far. A base stands there, and radios reach everywhere (radio.model = ir2
/// gives them the radio of IR2). The run ends when the team knows 99 %. Throws Error when the map marks no start.
ConfigTable import_marmotlab(const std::string& map_file);

}  // namespace outrider
