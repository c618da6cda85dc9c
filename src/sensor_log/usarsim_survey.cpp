#include "sensor_log/usarsim_survey.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/ranges.h>

namespace outrider {
namespace {

constexpr std::size_t most_names = 1000;  // of robots, and of the sensors of one

using Counts = std::map<std::string, std::size_t, std::less<>>;

/// Sensors that tell where a robot is, the best one first.
constexpr std::array<std::string_view, 3> pose_types{"Odometry", "INS", "GroundTruth"};

/// What there is of one robot.
struct Sensors {
    Counts readings;                                          // by name of the scanner
    std::array<Counts, pose_types.size()> poses;              // lines by name, of each of these types
    std::map<std::string, UsarsimMount, std::less<>> mounts;  // by name of the scanner
};

struct Survey {
    std::map<std::string, Sensors, std::less<>> robots;  // by name; empty: of lines that name no robot
    std::set<std::string, std::less<>> begun;            // robots that an INIT line names
    std::optional<double> first_stamp;
};

void add(Counts& counts, std::string_view name, std::size_t n) {
    if (const auto at = counts.find(name); at != counts.end())
        at->second += n;
    else if (counts.size() < most_names)
        counts.emplace(name, n);
}

/// Of equal ones the first by name.
const std::string* largest(const Counts& counts) {
    const auto at = std::max_element(counts.begin(), counts.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
    return at == counts.end() ? nullptr : &at->first;
}

void survey_sensor(const UsarsimLine& line, Sensors& sensors) {
    const std::string_view type = line.word("Type"), name = line.word("Name");
    if (same_word(type, "RangeScanner")) {
        const std::string_view ranges = line.find("Range").value_or("");
        if (ranges.empty()) return;
        add(sensors.readings, name, 1 + static_cast<std::size_t>(std::count(ranges.begin(), ranges.end(), ',')));
    }
    for (std::size_t i = 0; i < pose_types.size(); ++i)
        if (same_word(type, pose_types[i])) add(sensors.poses[i], name, 1);
}

void survey_line(std::string_view text, Survey& survey) {
    const std::string_view type = usarsim_type(text);
    const bool sensed = type == "SEN";
    if (!sensed && type != "STA" && type != "GEO" && type != "INIT") return;
    const UsarsimLine line = parse_usarsim_line(text);
    if (type == "INIT") {
        const std::string_view name = line.word("Name");
        if (!name.empty() && line.find("ClassName") && survey.begun.size() < most_names) survey.begun.emplace(name);
        return;
    }
    if (!survey.first_stamp && type != "GEO") survey.first_stamp = usarsim_stamp(line);
    if (type == "STA") return;
    const std::string_view robot = line.word("Robot");
    auto at = survey.robots.find(robot);
    if (at == survey.robots.end()) {
        if (survey.robots.size() == most_names) return;
        at = survey.robots.emplace(robot, Sensors{}).first;
    }
    if (sensed)
        survey_sensor(line, at->second);
    else if (same_word(line.word("Type"), "RangeScanner"))
        for (const UsarsimMount& mount : usarsim_mounts(line))
            if (at->second.mounts.size() < most_names) at->second.mounts[mount.name] = mount;
}

Survey survey_of(std::string_view text) {
    Survey survey;
    for_each_line(text, [&](std::string_view line, std::size_t) {
        try {
            survey_line(line.substr(line.find_first_not_of(" \t")), survey);
        } catch (const Error&) {  // named when it is read
        }
    });
    return survey;
}

std::string enumerated(std::vector<std::string> names) {
    constexpr std::size_t most = 20;
    const bool more = names.size() > most;
    names.resize(std::min(names.size(), most));
    for (std::string& name : names)
        if (name.empty()) name = "one without a name";
    return fmt::format("{}{}", fmt::join(names, ", "), more ? ", ..." : "");
}

std::vector<std::string> names_of(const Counts& counts) {
    std::vector<std::string> names;
    for (const auto& [name, n] : counts) names.push_back(name);
    return names;
}

std::string choose_robot(const Survey& survey, const std::string& where, std::string_view asked) {
    std::vector<std::string> seeing;
    for (const auto& [name, sensors] : survey.robots)
        if (!sensors.readings.empty()) seeing.push_back(name);
    const bool unnamed = seeing == std::vector<std::string>{""};
    if (asked.empty()) {
        if (seeing.size() > 1)
            fail("{}: scans of several robots: {}; outrider slam --robot NAME takes one", where, enumerated(seeing));
        if (unnamed && survey.begun.size() > 1)
            fail("{}: several robots ({}), but its lines do not say whose they are; expected the log of one", where,
                 enumerated({survey.begun.begin(), survey.begun.end()}));
        return seeing.empty() ? "" : seeing[0];
    }
    if (std::find(seeing.begin(), seeing.end(), asked) != seeing.end()) return std::string(asked);
    if (unnamed && survey.begun.size() == 1 && *survey.begun.begin() == asked) return "";
    fail("{}: no scans of {}{}", where, asked,
         seeing.empty() ? " or of any other robot"
         : unnamed      ? "; its lines do not say whose they are"
                        : "; there are those of " + enumerated(seeing));
}

void choose_scanner(const Sensors& sensors, const std::string& where, std::string_view asked, UsarsimChoice& choice) {
    if (!asked.empty() && !sensors.readings.contains(asked))
        fail("{}: --scanner {}: no readings of it{}", where, asked,
             sensors.readings.empty() ? "" : "; there are those of " + enumerated(names_of(sensors.readings)));
    if (sensors.readings.empty()) return;
    choice.scanner = asked.empty() ? *largest(sensors.readings) : std::string(asked);
    const std::string name = choice.scanner.empty() ? "the scanner" : choice.scanner;
    std::vector<std::string> others = names_of(sensors.readings);
    std::erase(others, choice.scanner);
    if (!others.empty())
        choice.notes.push_back(
            fmt::format("scans are those of {}; left out are those of {}", name, enumerated(others)));
    if (const auto mount = sensors.mounts.find(choice.scanner); mount != sensors.mounts.end()) {
        choice.mount = mount->second.pose;
        choice.upside_down = mount->second.upside_down;
    } else {
        choice.notes.push_back(fmt::format("no GEO line says where {} sits: it is taken to sit at the centre", name));
    }
}

void choose_poses(const Sensors& sensors, const std::string& where, SlamSeed seed, UsarsimChoice& choice) {
    std::vector<std::string> others;
    for (std::size_t i = 0; i < pose_types.size(); ++i) {
        const bool wanted = seed != SlamSeed::ins || pose_types[i] == "INS";
        if (wanted && choice.pose_type.empty() && !sensors.poses[i].empty()) {
            choice.pose_type = pose_types[i];
            choice.pose_name = *largest(sensors.poses[i]);
        } else if (!sensors.poses[i].empty()) {
            others.emplace_back(pose_types[i]);
        }
    }
    if (seed == SlamSeed::ins && choice.pose_type.empty())
        fail("{}: slam.seed = ins: expected SEN lines of the type INS, found none", where);
    if (choice.pose_type.empty()) return;
    choice.notes.push_back(fmt::format("odometry is that of {}{}{}", choice.pose_type,
                                       choice.pose_type == "GroundTruth" ? ", the true poses" : "",
                                       others.empty() ? "" : "; left out is " + enumerated(others)));
}

}  // namespace

UsarsimChoice choose_in_usarsim(std::string_view text, const std::string& where, SlamSeed seed, std::string_view robot,
                                std::string_view scanner) {
    const Survey survey = survey_of(text);
    UsarsimChoice choice;
    choice.first_stamp = survey.first_stamp;
    choice.robot = choose_robot(survey, where, robot);
    const auto chosen = survey.robots.find(choice.robot);
    const Sensors sensors = chosen == survey.robots.end() ? Sensors{} : chosen->second;
    choose_scanner(sensors, where, scanner, choice);
    choose_poses(sensors, where, seed, choice);
    return choice;
}

}  // namespace outrider
