// outrider sweep report
#include "cli/commands.hpp"
#include "outrider/error.hpp"

namespace outrider {
int report_command(const Arguments&) { fail("not yet"); }
}  // namespace outrider
