// outrider-soak: random scenarios, each in a process of its own with a limit of CPU time and memory. tools/soak builds
// and runs it.
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <thread>

#include <cxxopts.hpp>

#include "outrider/error.hpp"
#include "soak/judge.hpp"
#include "soak/scenarios.hpp"
#include "world/map_file.hpp"

namespace {

namespace fs = std::filesystem;
using namespace outrider;

constexpr rlim_t most_cpu_s = 240, most_memory = rlim_t{3} << 30;

struct Wanted {
    std::uint64_t seed = 1, first = 1, count = 100;
    unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
    std::string folder;
};

void limit(int what, rlim_t most) {
    const rlimit value{most, most};
    setrlimit(what, &value);
}

/// In a child: writes what is wrong, a line for each.
int run_one(std::uint64_t seed, std::uint64_t number, int out) {
    limit(RLIMIT_CPU, most_cpu_s);
    limit(RLIMIT_AS, most_memory);
    std::string text;
    try {
        const soak::Draw drawn = soak::draw_scenario(seed, number);
        try {
            for (const std::string& wrong : soak::judge(drawn.scenario, drawn.orders)) text += wrong + '\n';
        } catch (const std::exception& e) {
            text = fmt::format("end: {}\n", e.what());
        }
    } catch (const Error& e) {
        text = fmt::format("misfit: {}\n", e.what());
    }
    return write(out, text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1;
}

double seconds_of(const rusage& usage) {
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/// A scenario in a process of its own.
struct Child {
    std::uint64_t number;
    pid_t process;
    int from;          ///< end of a pipe
    std::string text;  ///< that it wrote so far
};

Child start(std::uint64_t seed, std::uint64_t number) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    const pid_t process = fork();
    if (process < 0) throw std::runtime_error("no process");
    if (process == 0) _exit(run_one(seed, number, ends[1]));
    close(ends[1]);
    return {number, process, ends[0], {}};
}

/// Waits until one of them has ended, and takes it out of the list.
Child next_ended(std::vector<Child>& running) {
    for (;;) {
        std::vector<pollfd> ends;
        for (const Child& child : running) ends.push_back({child.from, POLLIN, 0});
        if (poll(ends.data(), ends.size(), -1) < 0 && errno != EINTR) throw std::runtime_error("no poll");
        for (std::size_t i = 0; i < ends.size(); ++i) {
            if (ends[i].revents == 0) continue;
            char part[4096];
            const ssize_t n = read(ends[i].fd, part, sizeof part);
            if (n > 0) {
                running[i].text.append(part, static_cast<std::size_t>(n));
                continue;
            }
            close(ends[i].fd);
            Child ended = std::move(running[i]);
            running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
            return ended;
        }
    }
}

/// What is wrong with a scenario; a crash and a limit too. `cpu_s`: the CPU time that it took.
std::vector<std::string> outcome(const Child& ended, double& cpu_s) {
    int status = 0;
    rusage usage{};
    wait4(ended.process, &status, 0, &usage);
    cpu_s = seconds_of(usage);
    if (WIFSIGNALED(status))
        return {WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL
                    ? fmt::format("end: not after {} s of CPU time", most_cpu_s)
                    : fmt::format("end: signal {}", WTERMSIG(status))};
    if (WEXITSTATUS(status) != 0) return {fmt::format("end: exit code {}", WEXITSTATUS(status))};
    std::vector<std::string> lines;
    const std::string& text = ended.text;
    for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
        lines.push_back(text.substr(at, end - at));
    return lines;
}

/// The scenario as files that `outrider run` takes, with what is wrong as a comment.
void keep(const Wanted& wanted, std::uint64_t number, const std::vector<std::string>& wrong) {
    const fs::path folder = fs::path(wanted.folder) / fmt::format("{}_{}", wanted.seed, number);
    fs::create_directories(folder);
    const soak::Draw drawn = soak::draw_scenario(wanted.seed, number);
    write_map((folder / "map.png").string(), {drawn.scenario.walls, {}}, true);
    std::ofstream file(folder / "scenario.toml");
    for (const std::string& line : wrong) file << "# " << line << '\n';
    file << drawn.toml;
    std::string command = fmt::format("outrider run {}", (folder / "scenario.toml").string());
    if (!drawn.orders_file.empty()) {
        std::ofstream(folder / "orders.jsonl") << drawn.orders_file;
        command += fmt::format(" --operator {}", (folder / "orders.jsonl").string());
    }
    std::printf("    %s\n", command.c_str());
}

int soak_all(const Wanted& wanted) {
    std::uint64_t failed = 0, misfits = 0, slowest = 0, next = wanted.first;
    double sum_s = 0, most_s = 0;
    std::map<std::string, std::uint64_t> by_judgement;
    std::vector<Child> running;
    for (std::uint64_t done = 0; done < wanted.count; ++done) {
        if (done > 0 && done % 500 == 0)
            std::fprintf(stderr, "%llu of %llu, %llu failed\n", static_cast<unsigned long long>(done),
                         static_cast<unsigned long long>(wanted.count), static_cast<unsigned long long>(failed));
        while (running.size() < wanted.jobs && next < wanted.first + wanted.count)
            running.push_back(start(wanted.seed, next++));
        const Child ended = next_ended(running);
        const std::uint64_t number = ended.number;
        double cpu_s = 0;
        const std::vector<std::string> wrong = outcome(ended, cpu_s);
        sum_s += cpu_s;
        if (cpu_s > most_s) {
            most_s = cpu_s;
            slowest = number;
        }
        if (wrong.empty()) continue;
        if (wrong[0].starts_with("misfit: ")) {
            ++misfits;
            continue;
        }
        ++failed;
        for (const std::string& line : wrong) {
            ++by_judgement[line.substr(0, line.find(':'))];
            std::printf("%llu of seed %llu: %s\n", static_cast<unsigned long long>(number),
                        static_cast<unsigned long long>(wanted.seed), line.c_str());
        }
        keep(wanted, number, wrong);
        std::fflush(stdout);
    }
    for (const auto& [judgement, count] : by_judgement)
        std::printf("%-8s %llu\n", judgement.c_str(), static_cast<unsigned long long>(count));
    std::printf("%.2f s of CPU time each, %.1f s at most (%llu); %llu did not fit together and were left out\n",
                sum_s / static_cast<double>(wanted.count), most_s, static_cast<unsigned long long>(slowest),
                static_cast<unsigned long long>(misfits));
    const auto count = static_cast<unsigned long long>(wanted.count - misfits);
    std::printf("[soak] test cases: %llu | %llu passed | %llu failed | 0 skipped\n", count,
                count - static_cast<unsigned long long>(failed), static_cast<unsigned long long>(failed));
    return failed > 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
    Wanted wanted;
    cxxopts::Options options("outrider-soak", "Random scenarios, judged");
    options.add_options()("count", "how many", cxxopts::value(wanted.count))(
        "seed", "of the scenarios", cxxopts::value(wanted.seed))("first", "number of the first",
                                                                 cxxopts::value(wanted.first))(
        "jobs", "so many at once (default: one for each core)", cxxopts::value(wanted.jobs))(
        "keep", "folder for scenarios that fail", cxxopts::value(wanted.folder)->default_value("build/soak"))(
        "show", "print the scenario --first and end")("h,help", "show this help");
    try {
        const auto given = options.parse(argc, argv);
        if (given.count("help") > 0) {
            std::cout << options.help();
            return 0;
        }
        if (given.count("show") > 0) {
            const soak::Draw drawn = soak::draw_scenario(wanted.seed, wanted.first);
            std::cout << drawn.toml << drawn.orders_file;
            return 0;
        }
        if (wanted.jobs == 0) throw std::runtime_error("--jobs 0: expected at least 1");
        return soak_all(wanted);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "outrider-soak: %s\n", e.what());
        return 2;
    }
}
