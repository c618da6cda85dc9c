#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <new>
#include <optional>
#include <string>
#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#endif
#include <fcntl.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <unistd.h>

#include "arguments/own_strategies.hpp"
#include "base/output.hpp"
#include "base/progress.hpp"
#include "base/version.hpp"
#include "cli/commands.hpp"
#include "cli/interrupt.hpp"
#include "cli/manual.hpp"
#include "outrider/error.hpp"
#include "robot/registry.hpp"
#include "scenario/provenance.hpp"

#ifdef __GLIBC__
/// Large blocks, such as the layers of a map, come in huge pages, where the system has them: a start on 8000 x 8000
/// cells takes 0.4 of the CPU.
void* operator new(std::size_t bytes) {
    constexpr std::size_t large = 4 << 20;
    constexpr std::uintptr_t page = 2 << 20;
    for (;;) {
        if (void* const block = std::malloc(std::max<std::size_t>(bytes, 1))) {
            const auto first = (reinterpret_cast<std::uintptr_t>(block) + page - 1) / page * page;
            if (bytes >= large) madvise(reinterpret_cast<void*>(first), bytes - page, MADV_HUGEPAGE);  // only a hint
            return block;
        }
        if (const std::new_handler handler = std::get_new_handler())
            handler();
        else
            throw std::bad_alloc();
    }
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
#endif

namespace outrider {
namespace {

void print_help() {
    std::puts("outrider: simulates teams of robots that explore an unknown map\n\n  outrider COMMAND [ARGUMENTS]\n");
    for (const Subcommand& c : commands()) print_plain("  {:<16}{}\n", c.page.name, c.summary);
    std::puts(
        "\n  outrider COMMAND --help says more; --version prints the version; help lists this; help --all "
        "all flags, --man the manual page, --bash completion for the shell.\n\n"
        "Begin with:  outrider run environments/office.toml --png office.png\n\n"
        "Exit codes: 0 done, 1 the run failed, 2 a mistake in the arguments or files, 75 a sweep has "
        "work left, 130 interrupted.");
}

/// A line for each flag of each command, for scripts: fields with tabs between them.
void print_all_flags() {
    std::puts("command\tflag\tletter\tvalue\tdefault\tchoices\tpositional\trepeated\tmeaning");
    for (const CommandFlags& c : all_flags())
        for (const FlagInfo& f : c.flags)
            print_plain("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", c.command, f.name, f.letter, f.value, f.default_value,
                        fmt::join(f.choices, "|"), f.positional, f.repeated, f.meaning);
}

#ifdef __GLIBC__
/// How much of the address space the heap takes at once: a quarter of the machine's memory, of which only what is
/// written to is used; little where somebody counts what is taken.
std::size_t first_growth() {
    constexpr std::size_t least = 64 << 20;
    if (std::string mode; std::getline(std::ifstream("/proc/sys/vm/overcommit_memory"), mode) && mode == "2")
        return least;
    for (const auto resource : {RLIMIT_AS, RLIMIT_DATA})
        if (rlimit limit{}; getrlimit(resource, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY) return least;
    const auto pages = static_cast<std::size_t>(std::max(0L, sysconf(_SC_PHYS_PAGES)));
    return std::max(least, pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) / 4);
}
#endif

/// Keeps freed memory, also of large blocks: what a step frees, the next step would ask for again, page by page, which
/// costs a tenth of a run's time. The heap is in huge pages, where the system has them: 4 robots save a twentieth,
/// 1000 robots two fifths.
void keep_memory() {
#ifdef __GLIBC__
    const std::size_t growth = first_growth();
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
    mallopt(M_TOP_PAD, 64 << 20);
    void* volatile block = std::malloc(growth);
    if (!block) return;
    constexpr std::uintptr_t page = 2 << 20;
    const std::uintptr_t first = (reinterpret_cast<std::uintptr_t>(block) + page - 1) / page * page;
    madvise(reinterpret_cast<void*>(first), growth - page, MADV_HUGEPAGE);  // only a hint
    std::free(block);
#endif
}

/// Where an output is closed, the next file opened would take its descriptor, and printed text would go into that file.
void keep_outputs_apart() {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
        if (fcntl(fd, F_GETFD) < 0) static_cast<void>(open("/dev/null", O_RDONLY));  // writing there still fails
}

int dispatch(const Arguments& words) {
    if (words.size() > 1 && words[0] == "help" && !words[1].starts_with("-")) {  // help run: run --help
        Arguments asked(words.begin() + 1, words.end());
        asked.emplace_back("--help");
        return dispatch(asked);
    }
    if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
        const std::string form = words.size() == 2 && words[0] == "help" ? words[1] : "";
        if (form == "--all")
            print_all_flags();
        else if (form == "--man")
            print_plain("{}", Lines{manual_page()});
        else if (form == "--bash")
            print_plain("{}", Lines{bash_completion()});
        else
            print_help();
        return 0;
    }
    if (words[0] == "--version") {
        print_plain("outrider {} ({})\n", version(), source_id());
        std::vector<std::string> names;
        for (const StrategyInfo& info : strategies()) names.push_back(info.name);
        for (const ProvenancePart& part : provenance_of(names).parts)
            if (part.kind == "library" || part.own) print_plain("{}\n", part.text());
        return 0;
    }
    if (words[0] != "build-strategy") load_own_strategies();  // it makes one of them anew
    std::vector<std::string> names;
    for (const Subcommand& c : commands()) {
        if (words[0] == c.page.name) {
            std::optional<Work> work;
            if (!c.waits) work.emplace(terminal_text("outrider {}", c.page.name));
            return c.run(c.page, {words.begin() + 1, words.end()});
        }
        names.push_back(c.page.name);
    }
    fail("unknown command '{}'{}; see outrider --help", words[0], did_you_mean(words[0], names));
}

/// Further lines are indented: what a file says cannot look like a message of its own. Of a very long text, the ends.
std::string as_one_message(std::string_view text) {
    constexpr std::size_t most = 4000;
    if (text.size() > most)
        return fmt::format("{} ... {}", as_one_message(text.substr(0, most / 2)),
                           as_one_message(text.substr(text.size() - most / 4)));
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        out += text[i];
        if (text[i] == '\n' && i + 1 < text.size() && text[i + 1] != ' ') out += "  ";
    }
    return out;
}

}  // namespace
}  // namespace outrider

int main(int argc, char** argv) {
    outrider::keep_outputs_apart();
    outrider::keep_memory();
    std::signal(SIGXFSZ, SIG_IGN);  // a limit of the size of files is told as a full disk is
    outrider::end_when_interrupted("outrider: interrupted\n");  // until a command changes it
    try {
        const int code = outrider::dispatch({argv + 1, argv + argc});
        if (std::fflush(stdout) != 0 || std::ferror(stdout))
            throw std::runtime_error("the standard output cannot be written");
        return code;
    } catch (const outrider::Error& error) {
        outrider::print_aside("outrider: {}\n", outrider::Lines{outrider::as_one_message(error.what())});
        return 2;
    } catch (const std::bad_alloc&) {
        outrider::print_aside("outrider: there is not enough memory\n");
        return 1;
    } catch (const std::exception& error) {
        outrider::print_aside("outrider: {}\n", outrider::Lines{outrider::as_one_message(error.what())});
        return 1;
    }
}
