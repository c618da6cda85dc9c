// outrider radio
#include <cstdio>
#include <set>
#include <sstream>

#include "base/output.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "live/relay.hpp"
#include "live/relay_frames.hpp"
#include "net/visitors.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

struct RadioFlags {
    Defaulted<int> port{9091}, delay{0};
    Defaulted<std::string> listen{"127.0.0.1"};
    std::optional<std::string> robots, key;
    std::vector<std::string> allow_origin;
    std::optional<double> loss;
    std::optional<std::int64_t> seed;
    void fields(Flags& f) {
        f("port", port, 0, 65535, "N", "port to listen at; 0: any that is free");
        f("listen", listen, "ADDRESS", "where to listen; 0.0.0.0: for other machines, too");
        f("key", key, "FILE", "let in who knows the key in this file; needed where other machines reach it");
        f("allow-origin", allow_origin, "ORIGIN",
          "let web pages of this origin take part: http://localhost:8000; may be repeated");
        f("robots", robots, "NAME,NAME...", "the robots that may take part (when not given: whoever comes)");
        f.number("loss", loss, 0, 1, "", "SHARE", "share of the messages that get lost (0 when not given)");
        f("delay", delay, 0, 60'000, "MS", "milliseconds by which messages come later");
        f("seed", seed, std::int64_t{0}, INT64_MAX, "N", "which messages get lost follows from it (1 when not given)");
    }
};

std::vector<std::string> names_of(const std::string& list) {
    std::vector<std::string> names;
    std::set<std::string> seen;
    std::istringstream text(list);
    for (std::string name; std::getline(text, name, ',');) {
        if (!is_relay_name(name)) fail("--robots {}: expected names between commas, such as r1,r2", list);
        if (!seen.insert(name).second) fail("--robots {}: {} is there twice", list, name);
        names.push_back(name);
    }
    if (names.empty()) fail("--robots: expected names between commas, such as r1,r2");
    return names;
}

int radio(const RadioFlags& flags) {
    RelayOptions options;
    options.address = flags.listen.value;
    options.port = flags.port.value;
    options.loss = flags.loss.value_or(0);
    options.delay = std::chrono::milliseconds(flags.delay.value);
    options.seed = static_cast<std::uint64_t>(flags.seed.value_or(1));
    if (flags.key) options.key = read_relay_key(*flags.key);
    options.origins = checked_origins(flags.allow_origin);
    RelayServer relay(options, flags.robots ? names_of(*flags.robots) : std::vector<std::string>());
    const std::atomic<bool>& interrupted = catch_interrupts();
    print_plain("radio: robots connect to {}; Ctrl-C ends it\n", relay.url());
    std::fflush(stdout);
    while (!interrupted) {
        relay.serve(std::chrono::milliseconds(100));
        for (const std::string& complaint : relay.take_complaints()) print_aside("radio: {}\n", complaint);
    }
    return 0;
}

}  // namespace

Subcommand radio_command() {
    Subcommand command = subcommand<RadioFlags, radio>(
        {"radio",
         "Pass on messages between robots that are programs of their own, until Ctrl-C: each connects to this relay.\n",
         "[OPTION...]"},
        "pass on messages between robots that are programs of their own");
    command.waits = true;
    return command;
}

}  // namespace outrider
