// Tracks of people, by what this robot and others saw of them. This file sees no world.
#include "features/people/options.hpp"
#include "features/people/people_tracks.hpp"
#include "features/people/person_finder.hpp"
#include "messages/checked_words.hpp"
#include "outrider/belief.hpp"
#include "outrider/intent.hpp"
#include "robot/knowledge.hpp"
#include "robot/robot_parts.hpp"

namespace outrider {
namespace {

constexpr std::uint32_t sightings_topic = 0x70657273;
constexpr double millionths = 1e6;

/// Calls visit(scan, body) for the newest scan of each sensor with thin beams; `body`: where it was taken, in the frame
/// of the map.
template <class Visit>
void for_newest_scans(const Knowledge& known, const StepScans& scans, Visit&& visit) {
    const std::vector<Scan>& all = scans.all();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool newest = std::none_of(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end(),
                                         [&](const Scan& later) { return later.sensor == all[i].sensor; });
        const std::optional<Pose>& at = known.estimate.scans[i];
        if (newest && at && scans.geometry(all[i]).spec().cone == 0) visit(all[i], known.in_map(*at));
    }
}

/// How far the place of somebody may be off because the robot's own pose is: a circle, its larger half axis squared.
double pose_variance(const Knowledge& known, double away_m) {
    const std::array<double, 9>& p = known.estimate.covariance;
    return known.matches_scans ? std::max(p[0], p[4]) + away_m * away_m * p[8] : 0;
}

/// As others will read it.
PersonSighting rounded(PersonSighting s) { return read_sightings(sightings_word({{0, {s}}})).front().people.front(); }

}  // namespace

Word sightings_word(const std::vector<StepSightings>& sightings) {
    const auto in_millionths = [](double v) -> std::int64_t { return std::llround(millionths * v); };
    std::vector<std::int64_t> values;
    for (const StepSightings& of : sightings)
        for (const PersonSighting& s : of.people)
            values.insert(values.end(), {of.step, thousandths(s.at.x), thousandths(s.at.y), in_millionths(s.spread.xx),
                                         in_millionths(s.spread.xy), in_millionths(s.spread.yy)});
    return checked_word(sightings_topic, to_all, std::move(values));
}

std::vector<StepSightings> read_sightings(const Word& word) {
    std::vector<StepSightings> out;
    const auto v = checked_values(word, sightings_topic, 6);
    for (std::size_t i = 0; i + 5 < v.size(); i += 6) {
        const auto of = [&](std::size_t k) { return static_cast<double>(v[i + k]) / millionths; };
        const Spread spread{of(3), of(4), of(5)};
        if (v[i] < 0 || v[i] > INT32_MAX || spread.xx <= 0 || spread.xx * spread.yy <= spread.xy * spread.xy) return {};
        if (out.empty() || out.back().step != v[i]) out.push_back({static_cast<int>(v[i]), {}});
        out.back().people.push_back({{from_thousandths(v[i + 1]), from_thousandths(v[i + 2])}, spread});
    }
    return out;
}

void PeopleTracks::before_drawing(Knowledge& known, StepScans& scans) {
    follow_frame(known);
    look(known, scans);
    hear(known);
    tracker_.update(known.step);
    look_through(known, scans);
}

/// Where robots have frames of their own, the map may be in another one than before: tracks begin anew.
void PeopleTracks::follow_frame(const Knowledge& known) {
    received_.resize(known.team.size(), -1);
    if (std::exchange(frame_, known.map.frame().robot) == known.map.frame().robot) return;
    tracker_ = PeopleTracker(step_s_);
    own_.clear();
}

void PeopleTracks::look(const Knowledge& known, const StepScans& scans) {
    std::vector<PersonSighting> people;
    const int error_cells = known.matches_scans ? pose_error_cells(known.map.lattice().cell_m) : 1;
    for_newest_scans(known, scans, [&](const Scan& scan, const Pose& body) {
        for (PersonSighting s : find_people(known.map, scans.geometry(scan), body, scan, radius_m_, error_cells)) {
            const double more = pose_variance(known, distance(body.position(), s.at));
            s.spread.xx += more;
            s.spread.yy += more;
            people.push_back(rounded(s));
        }
    });
    std::erase_if(own_, [&](const StepSightings& of) { return of.step <= known.step - PeopleTracker::window_steps; });
    if (!people.empty()) own_.push_back({known.step, people});
    tracker_.add(known.step, known.briefing.self, std::move(people));
}

/// A record says all that its sender saw in the window before it.
void PeopleTracks::hear(const Knowledge& known) {
    for (const TeamRecord* record : Belief(known).team()) {
        int& received = received_[static_cast<std::size_t>(record->robot)];
        if (record->robot == known.briefing.self || record->seq == 0 || record->step <= received) continue;
        for (const Word& word : record->words)
            for (StepSightings& of : read_sightings(word))
                if (of.step > received && of.step <= record->step)
                    tracker_.add(of.step, record->robot, std::move(of.people));
        received = record->step;
    }
}

void PeopleTracks::look_through(const Knowledge& known, const StepScans& scans) {
    for_newest_scans(known, scans, [&](const Scan& scan, const Pose& body) {
        for (const PersonTrack& track : tracks())
            if (track.last_seen < known.step &&
                sees_through(scans.geometry(scan), body, scan, track.filter.place(), radius_m_))
                tracker_.saw_nobody(track.id);
    });
}

void PeopleTracks::after_choice(Knowledge&, Intent& intent) {
    if (!own_.empty()) intent.words.push_back(sightings_word(own_));
}

std::unique_ptr<RobotPart> make_people_tracks_part(const Briefing& briefing, const RobotOptions& options) {
    const auto crowd = options.features.get_or_default<CrowdOptions>();
    return crowd.tracks ? std::make_unique<PeopleTracks>(briefing.step_s, crowd.radius_m) : nullptr;
}

}  // namespace outrider
