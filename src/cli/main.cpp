#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#endif
#include <fcntl.h>
#include <unistd.h>

#include "base/output.hpp"
#include "base/version.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "outrider/error.hpp"
#include "outrider/options.hpp"

namespace outrider {
namespace {

struct Command {
    const char* name;
    int (*run)(const Arguments&);
    const char* what;
};
constexpr Command commands[] = {
    {"run", run_command, "run a scenario"},
    {"check", check_command, "check a scenario or a map and draw what a robot can reach"},
    {"generate", generate_command, "generate a map: office, maze, cave, campus, ..."},
    {"convert", convert_command, "convert a map between formats"},
    {"plan", plan_command, "plan a path on a map, or run a path scenario of MovingAI"},
    {"slam", slam_command, "find the way of a real robot and draw its map, from its log"},
    {"compare", compare_command, "compare strategies on the same maps, starts and random numbers"},
    {"sweep", sweep_command, "many runs, on one machine or a cluster: plan, run, status, merge, report, emit"},
    {"figure", figure_command, "a figure of a sweep's results, for a paper"},
    {"log", log_command, "what a log holds: info, events, digest, export"},
    {"rerun", rerun_command, "run a log again and compare every step"},
    {"replay", replay_command, "a log's events, or pictures of its steps"},
    {"why", why_command, "why a robot did what it did at a step of a log"},
    {"view", view_command, "the window: watch a run live, or replay a log"},
    {"strategies", strategies_command, "list the strategies and their options"},
    {"options", options_command, "list every option of every module"},
    {"metrics", metrics_command, "list the metrics with their definitions"},
};

void print_help() {
    std::puts("outrider: simulates teams of robots that explore an unknown map\n\n  outrider COMMAND [ARGUMENTS]\n");
    for (const Command& c : commands) fmt::print("  {:<12}{}\n", c.name, c.what);
    std::puts(
        "\n  outrider COMMAND --help says more; --version prints the version.\n\n"
        "Begin with:  outrider run environments/office.toml --png office.png\n\n"
        "Exit codes: 0 done, 1 the run failed, 2 a mistake in the arguments or files, 75 a sweep has "
        "work left, 130 interrupted.");
}

/// What a step gives back to the system, the next one asks for again, page by page: a tenth of a run's time. What it
/// asks for the first time comes in huge pages, where the system has them: a twentieth.
void keep_memory() {
#ifdef __GLIBC__
    constexpr int largest = 32 << 20, growth = 64 << 20;  // bytes; the largest that mallopt takes
    mallopt(M_MMAP_THRESHOLD, largest);
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
    mallopt(M_TOP_PAD, growth);
    void* volatile block = std::malloc(1 << 20);  // more than there is: the heap grows
    std::free(block);
    constexpr std::uintptr_t page = 2 << 20;
    const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0)) / page * page;
    madvise(reinterpret_cast<void*>(end - growth + page), growth - page, MADV_HUGEPAGE);  // a wish, no more
#endif
}

/// Where an output is closed, the next file that is opened would take its place, and what is printed would go there.
void keep_outputs_apart() {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
        if (fcntl(fd, F_GETFD) < 0) static_cast<void>(open("/dev/null", O_RDONLY));  // writing there still fails
}

int dispatch(const Arguments& words) {
    if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
        print_help();
        return 0;
    }
    if (words[0] == "--version") {
        fmt::print("outrider {} ({})\n", version(), source_id());
        return 0;
    }
    std::vector<std::string> names;
    for (const Command& c : commands) {
        if (words[0] == c.name) return c.run({words.begin() + 1, words.end()});
        names.emplace_back(c.name);
    }
    const std::string near = nearest_name(words[0], names);
    fail("unknown command '{}'{}; see outrider --help", words[0],
         near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
}

}  // namespace
}  // namespace outrider

int main(int argc, char** argv) {
    outrider::keep_outputs_apart();
    outrider::keep_memory();
    outrider::end_when_interrupted("outrider: interrupted\n");  // until a command says more
    try {
        const int code = outrider::dispatch({argv + 1, argv + argc});
        if (std::fflush(stdout) != 0 || std::ferror(stdout))
            throw std::runtime_error("the standard output cannot be written");
        return code;
    } catch (const outrider::Error& error) {
        outrider::print_aside("outrider: {}\n", error.what());
        return 2;
    } catch (const std::exception& error) {
        outrider::print_aside("outrider: {}\n", error.what());
        return 1;
    }
}
