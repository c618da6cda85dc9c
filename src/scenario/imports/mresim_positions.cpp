// Agent logs of MRESim 2.2 (SimulationFramework, RunFromLog): a line per cycle, "t", then the fields of each agent.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <sstream>

#include "base/input.hpp"
#include "outrider/error.hpp"
#include "scenario/exclusions.hpp"
#include "scenario/imports/mresim.hpp"

namespace outrider {
namespace {

constexpr std::string_view role_words[] = {"BaseStation", "Explorer", "Relay"};  // in the order of Role

std::optional<Role> role_of(const std::string& word) {
    const auto at = std::find(std::begin(role_words), std::end(role_words), word);
    if (at == std::end(role_words)) return {};
    return static_cast<Role>(at - std::begin(role_words));
}

template <class T>
T number(const std::string& where, const char* what, const std::string& word) {
    T value{};
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || !(std::abs(value) < T(1'000'000)))
        fail("{}: {}: expected a number, got '{}'", where, what, word);
    return value;
}

std::vector<std::string> words_of(const std::string& line) {
    std::istringstream in(line);
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
}

/// Fields per agent of a log with this first line; 0: not a known kind. Role fields must hold roles.
std::size_t fields_of(const std::vector<std::string>& words) {
    for (const std::size_t fields : {7u, 6u}) {
        bool fits = words.size() > 1 && (words.size() - 1) % fields == 0;
        for (std::size_t at = 5; fits && at < words.size(); at += fields) fits = role_of(words[at]).has_value();
        if (fits) return fields;
    }
    const bool numbers = std::all_of(words.begin(), words.end(), [](const std::string& word) {
        return word.find_first_not_of("0123456789+-.eE") == std::string::npos;
    });
    return numbers && words.size() > 1 && words.size() % 2 == 1 ? 2 : 0;
}

}  // namespace

MresimPositions::MresimPositions(const std::string& path, const std::string& map_file, const std::string& team_file)
    : path_(path), map_file_(map_file), team_file_(team_file) {
    std::istringstream file(read_file(path, "an agent log of MRESim", 32));
    std::string text;
    for (int row = 1; std::getline(file, text); ++row) {
        const std::vector<std::string> words = words_of(text);
        if (words.empty()) continue;
        const std::string where = fmt::format("{}:{}", path, row);
        if (lines_.empty() && (fields_ = fields_of(words)) == 0)
            fail(
                "{}: expected the cycle, then for each agent x y goal_x goal_y role state spare_time, or the same "
                "without spare_time, or x y; got {} words: '{}'",
                where, words.size(), text.substr(0, 120));
        Line line = parse(where, words);
        if (!lines_.empty()) check_successor(lines_.back(), line);
        lines_.push_back(std::move(line));
    }
    if (lines_.empty()) fail("{}: no positions in it; expected an agent log of MRESim", path);
    const std::vector<Agent>& agents = lines_.front().agents;
    for (const bool base : {true, false})
        for (std::size_t i = 0; i < agents.size(); ++i)
            if ((agents[i].role == Role::base) == base) order_.push_back(i);
    bases_ = static_cast<std::size_t>(
        std::count_if(agents.begin(), agents.end(), [](const Agent& a) { return a.role == Role::base; }));
    if (bases_ == agents.size()) fail("{}: no robot that moves in it", path);
    from_start_ = !team_file.empty() && lines_.front().cycle == 1;
}

MresimPositions::Line MresimPositions::parse(const std::string& where, const std::vector<std::string>& words) const {
    const std::size_t agents = lines_.empty() ? (words.size() - 1) / fields_ : lines_.front().agents.size();
    if (words.size() != 1 + agents * fields_)
        fail("{}: expected {} words, the cycle and {} for each of {} agents, as in the lines before; got {}", where,
             1 + agents * fields_, fields_, agents, words.size());
    Line line{where, number<int>(where, "cycle", words[0]), {}};
    for (std::size_t i = 0; i < agents; ++i) {
        const std::string* word = &words[1 + i * fields_];
        const std::string place = fmt::format("{}: agent {}", where, i + 1);
        Agent agent;
        agent.x = number<double>(place, "x", word[0]);
        agent.y = number<double>(place, "y", word[1]);
        if (fields_ == 2) {
            agent.role = i == 0 ? Role::base : Role::explorer;
        } else {
            agent.goal_x = number<double>(place, "goal_x", word[2]);
            agent.goal_y = number<double>(place, "goal_y", word[3]);
            const std::optional<Role> role = role_of(word[4]);
            if (!role) fail("{}: role '{}': expected BaseStation, Explorer or Relay", place, word[4]);
            agent.role = *role;
            agent.note = word[5];
            if (fields_ == 7 && number<double>(place, "spare_time", word[6]) != 0)
                agent.note += ", spare time " + word[6];
        }
        line.agents.push_back(std::move(agent));
    }
    return line;
}

/// Cycles must be consecutive; base stations keep their role and place.
void MresimPositions::check_successor(const Line& last, const Line& line) const {
    if (line.cycle != last.cycle + 1)
        fail("{}: cycle {} after cycle {}; expected the next one{}", line.where, line.cycle, last.cycle,
             line.cycle <= last.cycle ? "; are there two runs in one file?" : "");
    for (std::size_t i = 0; i < line.agents.size(); ++i) {
        const Agent &now = line.agents[i], &before = last.agents[i];
        if ((now.role == Role::base) != (before.role == Role::base))
            fail("{}: agent {} is a base station in one cycle and none in the next", line.where, i + 1);
        if (now.role == Role::base && (now.x != before.x || now.y != before.y))
            fail("{}: agent {} moves from ({}, {}) to ({}, {}), but it is a base station{}", line.where, i + 1,
                 before.x, before.y, now.x, now.y,
                 fields_ == 2 ? "; the first agent of a log without roles is taken for one" : "");
    }
}

/// Where an agent goes first, in radians.
double MresimPositions::first_heading(std::size_t agent, const MresimFrame& frame) const {
    const auto at = [&](const Line& line) { return frame.on_map(line.agents[agent].x, line.agents[agent].y); };
    for (const Line& line : lines_)
        if (const Point start = at(lines_.front()); at(line) != start) return bearing(start, at(line));
    return 0;
}

ConfigTable MresimPositions::scenario(Notes& notes) const {
    const bool team = !team_file_.empty();
    ConfigTable config = team ? import_mresim(team_file_, map_file_, notes) : mresim_rules(map_file_, path_);
    std::vector<ConfigTable> bases, robots;
    if (const auto* list = config.array("base")) bases = *list;
    if (const auto* list = config.array("robot")) robots = *list;
    if (team && (bases.size() != bases_ || bases.size() + robots.size() != order_.size()))
        fail("{}: {} agents, {} of them base stations, but {} and {} in the team file {}", path_, order_.size(), bases_,
             bases.size() + robots.size(), bases.size(), team_file_);
    bases.resize(bases_);
    robots.resize(order_.size() - bases_);
    const auto [width, height] = png_size(map_file_);
    const MresimFrame frame(width, height);
    const std::string& where = lines_.front().where;
    for (std::size_t i = 0; i < order_.size() && !from_start_; ++i) {
        const Agent& agent = lines_.front().agents[order_[i]];
        ConfigTable& entry = i < bases_ ? bases[i] : robots[i - bases_];
        const Point start = frame.on_map(agent.x, agent.y);
        entry.set({"x_m", start.x, where});
        entry.set({"y_m", start.y, where});
        if (team) continue;
        entry.where = where;
        entry.set({"yaw_deg", degrees(first_heading(order_[i], frame)), where});
        if (agent.role == Role::relay) entry.set({"role", std::string("relay"), where});
    }
    std::erase_if(config.arrays, [](const auto& array) { return array.first == "base" || array.first == "robot"; });
    if (!bases.empty()) config.arrays.emplace_back("base", std::move(bases));
    config.arrays.emplace_back("robot", std::move(robots));
    config.set({"team.bases", static_cast<std::int64_t>(bases_), path_});
    config.set({"team.strategy", std::string("stay"), path_});
    config.set({"stop.of", std::string("none"), path_});
    config.set({"run.steps", static_cast<std::int64_t>(lines_.size() + from_start_), path_});
    return config;
}

void MresimPositions::apply(Scenario& s, Notes& notes) const {
    if (s.robots.size() != order_.size())
        fail("{}: {} agents in each line, but the scenario has {} robots and bases", path_, order_.size(),
             s.robots.size());
    const MresimFrame frame(s.walls.width(), s.walls.height());
    Script script;
    script.origin = fmt::format("{}, an agent log of MRESim with {} fields per agent, cycles {} to {}",
                                std::filesystem::path(path_).filename().string(), fields_, lines_.front().cycle,
                                lines_.back().cycle);
    std::vector<ScriptEntry> starts;
    for (std::size_t i = 0; i < order_.size(); ++i) starts.push_back({s.start_cell(i), s.robots[i].role, {}, ""});
    script.steps.push_back(starts);
    bool fast = false;
    for (const Line& line : lines_) {
        auto step = script.steps.back();
        const bool first = &line == &lines_.front();
        for (std::size_t i = 0; i < order_.size(); ++i) {
            const Agent& agent = line.agents[order_[i]];
            const auto who = [&] {
                return fmt::format("{}: agent {} ('{}') at pixel ({}, {})", line.where, order_[i] + 1, s.robots[i].name,
                                   agent.x, agent.y);
            };
            const Cell before = step[i].cell, now = s.walls.lattice().cell_of(frame.on_map(agent.x, agent.y));
            if (!s.walls.contains(now)) fail("{} is outside of the map {}", who(), s.map.file);
            if (s.walls[now]) fail("{} is in a wall of the map {}; is it the map of this log?", who(), s.map.file);
            const double travelled_m = distance(s.walls.lattice().centre(before), s.walls.lattice().centre(now)),
                         reach_m = s.robots[i].body.speed_mps * s.run.step_s + 2 * s.map.cell_m;
            if (first && travelled_m > reach_m)
                fail("{} is {:.1f} m away from its start at {}; does the log belong to this team?", who(), travelled_m,
                     s.robots[i].where);
            if (travelled_m > reach_m && !std::exchange(fast, true))
                notes.push_back(fmt::format("{} moves by {:.1f} m, more than its speed allows", who(), travelled_m));
            step[i] = {now, agent.role, {}, agent.note};
            if (fields_ > 2) step[i].goal = s.walls.lattice().cell_of(frame.on_map(agent.goal_x, agent.goal_y));
        }
        if (first && !from_start_) {
            for (std::size_t i = 0; i < step.size(); ++i)
                if (step[i].cell != starts[i].cell)
                    fail("{}: '{}' does not start there; start.jitter_cells does not go with positions", line.where,
                         s.robots[i].name);
            script.steps.clear();
        }
        script.steps.push_back(std::move(step));
    }
    s.run.steps = std::min(s.run.steps, static_cast<int>(script.steps.size()));
    s.script = std::make_shared<const Script>(std::move(script));
    check_exclusions(s);
}

}  // namespace outrider
