// outrider allow
#include "base/output.hpp"
#include "base/programs.hpp"
#include "cli/commands.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

struct AllowFlags {
    std::optional<std::string> program;
    void fields(Flags& f) { f.positional("program", program); }
};

int allow(const AllowFlags& flags) {
    if (!flags.program) fail("expected outrider allow 'COMMAND', as the message that refused it shows it");
    const std::string path = remember_program(*flags.program);
    print_plain("'{}' may start in this folder, as long as the files that it names are as they are now; {} says so\n",
                *flags.program, path);
    return 0;
}

}  // namespace

Subcommand allow_command() {
    return subcommand<AllowFlags, allow>(
        {"allow",
         "Let files start a program from now on: the command of a strategy external, or 'python module:Class'. It "
         "holds "
         "for\nthis folder, and for the files that the command names as they are now: another file of that name does "
         "not start.\n",
         "'COMMAND'"},
        "let files start a program from now on");
}

}  // namespace outrider
