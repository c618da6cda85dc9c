// Which sighting belongs to which track. This file sees no world.
#include <algorithm>
#include <tuple>

#include "features/people/people_tracker.hpp"

namespace outrider {
namespace {

constexpr double walkers_agility = 0.5;  ///< m^2/s^3: people who turn by a right angle every few seconds
constexpr double gate = 9.21;            ///< squared: 99 % of the sightings of somebody are nearer
constexpr double body_m = 0.6;           ///< a second sighting so near to somebody who was just seen is a part of them
constexpr double lost_m = 1;             ///< standard deviation of a place that says nothing any more
constexpr int most_seen_through = 2;     ///< steps
constexpr int most_unconfirmed = 2;      ///< steps in which a track that is not confirmed is not seen

bool is_over(const PersonTrack& track, int step) {
    const Spread s = track.filter.spread();
    return (s.xx + s.yy) / 2 > lost_m * lost_m || track.seen_through >= most_seen_through ||
           (!track.confirmed() && step - track.last_seen >= most_unconfirmed);
}

}  // namespace

void PeopleTracker::add(int step, RobotId robot, std::vector<PersonSighting> sightings) {
    if (!sightings.empty() && step > settled_step_) sightings_.try_emplace({step, robot}, std::move(sightings));
}

void PeopleTracker::update(int step) {
    step_ = step;
    for (; settled_step_ < step - window_steps; ++settled_step_) go_through(settled_, settled_step_ + 1);
    sightings_.erase(sightings_.begin(), sightings_.lower_bound({settled_step_ + 1, 0}));
    nobody_.erase(nobody_.begin(), nobody_.upper_bound(settled_step_));
    now_ = settled_;
    for (int at = settled_step_ + 1; at <= step; ++at) go_through(now_, at);
}

void PeopleTracker::saw_nobody(const TrackId& id) { nobody_.emplace(step_, id); }

/// One step on.
void PeopleTracker::go_through(std::vector<PersonTrack>& tracks, int step) const {
    for (PersonTrack& track : tracks) track.filter.predict(step_s_, walkers_agility);
    for (auto at = sightings_.lower_bound({step, 0}); at != sightings_.end() && at->first.first == step; ++at)
        take(tracks, step, at->first.second, at->second);
    for (auto [at, end] = nobody_.equal_range(step); at != end; ++at)
        for (PersonTrack& track : tracks) track.seen_through += track.id == at->second && track.last_seen < step;
    std::erase_if(tracks, [&](const PersonTrack& track) { return is_over(track, step); });
}

/// The sightings of one robot, each for another track: the nearest pair first. What is left begins new tracks.
void PeopleTracker::take(std::vector<PersonTrack>& tracks, int step, RobotId robot,
                         const std::vector<PersonSighting>& sightings) const {
    std::vector<std::tuple<double, std::size_t, std::size_t>> pairs;  // squared distance, track, sighting
    for (std::size_t t = 0; t < tracks.size(); ++t)
        for (std::size_t s = 0; s < sightings.size(); ++s)
            if (const double d = tracks[t].filter.squared_distance(sightings[s].at, sightings[s].spread); d <= gate)
                pairs.emplace_back(d, t, s);
    std::sort(pairs.begin(), pairs.end());
    std::vector<std::uint8_t> has(tracks.size()), used(sightings.size());
    for (const auto& [d, t, s] : pairs) {
        if (has[t] || used[s]) continue;
        has[t] = used[s] = 1;
        PersonTrack& track = tracks[t];
        track.filter.update(sightings[s].at, sightings[s].spread);
        track.steps_seen += track.last_seen != step;
        track.last_seen = step;
        track.seen_through = 0;
    }
    for (std::size_t s = 0; s < sightings.size(); ++s) {
        const bool part_of_another = std::any_of(tracks.begin(), tracks.end(), [&](const PersonTrack& track) {
            return track.last_seen == step && distance(track.filter.place(), sightings[s].at) < body_m;
        });
        if (used[s] || part_of_another) continue;
        tracks.push_back({{step, robot, static_cast<int>(s)}, {sightings[s].at, sightings[s].spread}, 1, step, 0});
    }
}

}  // namespace outrider
