// The simulator as a page calls it: functions of C, which take and return numbers and texts in UTF-8. Files are those
// of the module alone, in memory: a page writes scenarios and maps there before it names them.
#include <emscripten.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "arguments/arguments.hpp"
#include "base/json.hpp"
#include "base/output.hpp"
#include "base/version.hpp"
#include "batch/statistics/sign_flip.hpp"
#include "maps/generate.hpp"
#include "player/page_observer.hpp"
#include "robot/registry.hpp"
#include "run/run.hpp"
#include "scene/theme.hpp"
#include "world/map_file.hpp"

namespace outrider {
namespace {

/// What a page shows of a run.
struct Shown {
    explicit Shown(Simulation& sim)
        : recorder(sim.scenario(), sim.driver().world().walls()), observer(sim, recorder, true) {
        sim.add_observer(observer);
    }
    PlayerRecorder recorder;
    PageObserver observer;
};

struct Session {
    Session(const Scenario& scenario, bool is_shown)
        : sim(scenario, {.threads = 1, .log_path = {}, .overlays = is_shown}) {
        if (is_shown) shown.emplace(sim);
    }
    Simulation sim;
    std::optional<Shown> shown;
};

std::unique_ptr<Session> session;
Notes notes;
std::string answer, error;

/// Runs `act`; false: it failed, and outrider_error() says why.
template <class Act>
bool attempt(Act&& act) {
    error.clear();
    try {
        act();
        return true;
    } catch (const std::bad_alloc&) {
        error = "out of memory: the browser gives a page 2 GB at most";
    } catch (const std::exception& e) {
        error = e.what();
    }
    return false;
}

/// Strategies that ask another program, the caller or a file, or name no strategy of their own.
constexpr std::string_view elsewhere[] = {"external", "python", "remote", "switch", "tour", "positions"};

std::string list_of(const std::vector<FieldInfo>& fields) {
    std::string out;
    for (const FieldInfo& f : fields)
        out += fmt::format(R"({}{{"name":{},"type":{},"value":{},"range":{},"meaning":{}}})", out.empty() ? "" : ",",
                           json_quoted(f.name), json_quoted(f.type), json_quoted(f.value), json_quoted(f.range),
                           json_quoted(f.meaning));
    return out;
}

/// The words of a command line, a line each.
Arguments words_in(const char* lines) {
    Arguments words;
    std::istringstream text(lines);
    for (std::string word; std::getline(text, word);) words.push_back(word);
    return words;
}

void begin(const char* words, bool shown) {
    session.reset();  // its memory first
    notes.clear();
    ScenarioFlags flags;
    if (!parse({"run", "Run a scenario.\n"}, flags, words_in(words))) fail("--help: see the documentation");
    session = std::make_unique<Session>(scenario_from(flags, notes), shown);
}

}  // namespace

extern "C" {

/// Why the last call failed.
EMSCRIPTEN_KEEPALIVE const char* outrider_error() { return error.c_str(); }

/// What there is to choose from, as JSON: strategies that the module has, each with its options, and families of maps.
EMSCRIPTEN_KEEPALIVE const char* outrider_lists() {
    answer =
        fmt::format(R"({{"version":{},"source":{},"strategies":[)", json_quoted(version()), json_quoted(source_id()));
    for (const StrategyInfo& s : strategies())
        if (std::find(std::begin(elsewhere), std::end(elsewhere), s.name) == std::end(elsewhere))
            answer += fmt::format(R"({}{{"name":{},"summary":{},"options":[{}]}})", answer.back() == '[' ? "" : ",",
                                  json_quoted(s.name), json_quoted(s.summary), list_of(s.options));
    answer += R"(],"families":[)";
    for (const FamilyInfo& f : families())
        answer += fmt::format(R"({}{{"name":{},"summary":{},"width":{},"height":{}}})", answer.back() == '[' ? "" : ",",
                              json_quoted(f.name), json_quoted(f.summary), f.width, f.height);
    answer += "]}";
    return answer.c_str();
}

/// Writes NAME.png and NAME.toml: a map of a family by its options ("width=300, rubble=0.1") and a scenario on it. The
/// command that does the same, or nullptr: an error.
EMSCRIPTEN_KEEPALIVE const char* outrider_generate(const char* family, const char* options, double seed,
                                                   const char* name) {
    return attempt([&] {
        const auto whole = static_cast<std::uint64_t>(seed);
        const GeneratedMap map = generate(family, parse_settings(options, "map"), whole);
        const std::string image = fmt::format("{}.png", name), file = fmt::format("{}.toml", name);
        write_map(image, MapFile{map.walls, {}}, true);
        OutputFile scenario(file, true);
        scenario.write(scenario_text(find_family(family), map, whole, image));
        scenario.commit();
        answer = fmt::format("{} -o {} --scenario {}", map.command, image, file);
    })
               ? answer.c_str()
               : nullptr;
}

/// Begins a run by the words of `outrider run`, a line each: "office.toml\n--robots\n4". What ran before is dropped.
/// `shown`: whether outrider_pack() will be asked.
EMSCRIPTEN_KEEPALIVE bool outrider_begin(const char* words, bool shown) {
    return attempt([&] { begin(words, shown); });
}

/// Writes the map with which the run began to a file (.png): walls black, all else white.
EMSCRIPTEN_KEEPALIVE bool outrider_save_map(const char* path) {
    return attempt([&] { write_map(path, MapFile{session->sim.scenario().walls, {}}, true); });
}

/// Runs so many steps more, or to the end. False: an error, after which the run is gone.
EMSCRIPTEN_KEEPALIVE bool outrider_step(int count) {
    if (attempt([&] {
            OUTRIDER_CHECK(session != nullptr, ==, true);
            for (Simulation& sim = session->sim; count > 0 && !sim.done(); --count) sim.step();
            if (session->sim.done()) session->sim.finish();
        }))
        return true;
    session.reset();
    return false;
}

/// How far the run is, as JSON. `digest`: of all steps so far.
EMSCRIPTEN_KEEPALIVE const char* outrider_state() {
    const Run& run = session->sim.progress();
    const auto end = session->sim.end();
    std::string said;
    for (const std::string& note : notes) said += (said.empty() ? "" : ",") + json_quoted(note);
    answer =
        fmt::format(R"({{"steps":{},"done":{},"end":{},"digest":"{}","notes":[{}]}})", run.steps, end.has_value(),
                    json_quoted(end ? end_reason_texts[static_cast<std::size_t>(*end)] : ""), run.digest.hex(), said);
    return answer.c_str();
}

/// A metric of a run that has ended; not a number: it was never reached.
EMSCRIPTEN_KEEPALIVE double outrider_metric(const char* name) {
    const Simulation& sim = session->sim;
    for (const SummaryValue& v : sim.metrics().summary(*sim.end(), sim.scenario().run.steps))
        if (v.robot < 0 && v.metric->name == name) return v.value;
    return std::nan("");
}

/// The exact test of a mean (batch/statistics/sign_flip.hpp) of numbers, a line each, as JSON.
EMSCRIPTEN_KEEPALIVE const char* outrider_sign_flip(const char* numbers) {
    std::vector<double> values;
    std::istringstream text(numbers);
    for (double value = 0; text >> value;) values.push_back(value);
    const SignFlip test = sign_flip(values);
    answer = fmt::format(R"({{"mean":{},"p":{}}})", test.mean, test.p);
    return answer.c_str();
}

/// Of the page's style sheet.
EMSCRIPTEN_KEEPALIVE const char* outrider_colours() {
    answer = page_colours();
    return answer.c_str();
}

/// The run so far as the page unpacks it (PlayerRecorder); its size: outrider_size(). `again`: the command that makes
/// the run.
EMSCRIPTEN_KEEPALIVE const char* outrider_pack(const char* again) {
    const Simulation& sim = session->sim;
    return attempt([&] {
        const PlayerCaption caption = sim.end() ? page_caption(sim, *sim.end(), again) : PlayerCaption{again, {}};
        answer = session->shown.value().recorder.pack_so_far(sim.team(), caption);
    })
               ? answer.data()
               : nullptr;
}
EMSCRIPTEN_KEEPALIVE int outrider_size() { return static_cast<int>(answer.size()); }

}  // extern "C"

}  // namespace outrider
