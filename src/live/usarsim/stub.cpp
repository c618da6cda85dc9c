#include "live/usarsim/usarsim.hpp"
#include "outrider/error.hpp"
namespace outrider {
std::unique_ptr<Vehicle> make_usar_vehicle(const std::string&, int, const Briefing&, const LiveSection&) {
    fail("stub");
}
std::unique_ptr<Gateway> make_usar_gateway(const std::string&, const UsarPorts&, const std::vector<Briefing>&,
                                           const std::vector<RobotId>&, const LiveSection&) {
    fail("stub");
}
}  // namespace outrider
