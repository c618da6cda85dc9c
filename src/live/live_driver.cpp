#include "live/live_driver.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "messages/order_words.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds look_every{20};
constexpr std::chrono::seconds answer_patience{10};  // in lock-step, with a robot that is connected and says nothing
constexpr double mates_kept_s = 1;
constexpr std::size_t kept_poses = 512;  // also a hundred in a second reach back to when somebody was seen

/// The pose at a time, between those measured.
Pose pose_at(const std::vector<Readings::Odometry>& poses, double time_s) {
    const auto after = std::lower_bound(poses.begin(), poses.end(), time_s,
                                        [](const Readings::Odometry& o, double t) { return o.time_s < t; });
    if (after == poses.end()) return poses.back().pose;
    if (after == poses.begin()) return after->pose;
    const Readings::Odometry& before = *(after - 1);
    const double gap = after->time_s - before.time_s, share = gap > 0 ? (time_s - before.time_s) / gap : 1;
    return {before.pose.x + share * (after->pose.x - before.pose.x),
            before.pose.y + share * (after->pose.y - before.pose.y),
            wrap_angle(before.pose.yaw + share * wrap_angle(after->pose.yaw - before.pose.yaw))};
}

/// Whether no robot of this speed can have driven so far: the robot's driver was started again.
bool jumps(const Readings::Odometry& from, const Readings::Odometry& to, double speed_mps) {
    return distance(from.pose.position(), to.pose.position()) > 1 + 3 * speed_mps * (to.time_s - from.time_s);
}

/// Seen from where the body is now.
Sighting sighting_of(const Readings::Find& find, const std::vector<Readings::Odometry>& poses) {
    if (poses.empty()) return {find.kind, find.id, find.pose};
    const Pose at = find.in_odometry ? find.pose : compose(pose_at(poses, find.time_s), find.pose);
    return {find.kind, find.id, compose(inverse(poses.back().pose), at)};
}

}  // namespace

struct LiveDriver::Body {
    Body(LiveMember m, const Briefing& b) : member(std::move(m)), briefing(b) {}

    /// In lock-step, the number of the step that all share.
    std::optional<int> shared_step() const {
        return time_s ? std::optional(static_cast<int>(std::lround(*time_s / briefing.step_s))) : std::nullopt;
    }

    LiveMember member;
    const Briefing& briefing;
    std::unique_ptr<MessageLink> link = nullptr;  // none: it talks to nobody
    std::vector<Readings::Odometry> poses = {};   // the last ones, by time
    std::optional<Pose> last;                     // at the last percept
    Readings news = {};                           // since the last percept
    std::optional<double> time_s = {};            // of its clock, at the last step
    Pose believed = {};                           // in the frame of the map
    double wanted_m = 0;                          // that the last command should drive in a step
    int stalled = 0;                              // steps in a row in which it did not
    double battery = 1;
    std::vector<Readings::Find> mates = {};  // in sight lately
    // Guarded by mutex_.
    std::optional<Clock::time_point> valid_until = {};
};

LiveDriver::LiveDriver(const std::vector<Briefing>& briefings, const LiveSection& options,
                       std::vector<LiveMember> members, const RelayAccess& relay, std::chrono::duration<double> give_up,
                       const std::atomic<bool>& interrupted)
    : briefings_(briefings),
      options_(options),
      give_up_(give_up),
      interrupted_(interrupted),
      frames_(briefings.size()),
      reached_(Clock::now()),
      next_(Clock::now()) {
    for (LiveMember& member : members) {
        const Briefing& briefing = briefings_.at(static_cast<std::size_t>(member.robot));
        bodies_.push_back(std::make_unique<Body>(std::move(member), briefing));
        bodies_.back()->believed = briefing.start;
        if (!relay.url.empty())
            bodies_.back()->link = std::make_unique<MessageLink>(
                briefing, std::make_unique<RelayClient>(relay.url, briefing.me().name, relay.key));
    }
    if (std::none_of(bodies_.begin(), bodies_.end(), [](const auto& body) { return body->member.vehicle != nullptr; }))
        options_.clock = TickClock::own;  // base stations alone: nobody else says when a step begins
    if (options_.clock == TickClock::own) watchdog_ = std::thread([this] { watch(); });
}

LiveDriver::~LiveDriver() {
    {
        const std::lock_guard lock(mutex_);
        end_ = true;
    }
    ended_.notify_all();
    if (watchdog_.joinable()) watchdog_.join();
    // In lock-step a stop before the next step has come would take the place of the last command.
    const auto until = Clock::now() + std::chrono::duration<double>(options_.valid_s);
    for (const auto& body : bodies_) {
        if (!body->member.vehicle) continue;
        const auto step_is_over = [&] {
            return !body->time_s || (body->news.time_s && *body->news.time_s > *body->time_s);
        };
        while (!step_is_over() && !interrupted_ && body->member.vehicle->connected() && Clock::now() < until)
            take_news(*body, look_every);
        body->member.vehicle->drive({});
    }
}

bool LiveDriver::sense(std::span<Percept> percepts) {
    OUTRIDER_CHECK(percepts.size(), ==, briefings_.size());
    if (!wait_for_step()) return false;
    ++step_;
    links_.clear();
    for (Percept& p : percepts) {
        p = {};
        p.step = step_;
        p.alive = false;
    }
    for (const auto& body : bodies_) {
        Percept& percept = percepts[static_cast<std::size_t>(body->member.robot)];
        percept.alive = true;
        perceive(*body, percept);
        percept.commands = std::exchange(orders_[body->member.robot], {});
        hear(*body, percept);
    }
    std::sort(links_.begin(), links_.end(),
              [](const Link& x, const Link& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
    links_.erase(std::unique(links_.begin(), links_.end(),
                             [](const Link& x, const Link& y) { return x.a == y.a && x.b == y.b; }),
                 links_.end());
    return true;
}

bool LiveDriver::gave_up() const { return give_up_.count() > 0 && Clock::now() - reached_ > give_up_; }

void LiveDriver::take_news(Body& body, milliseconds wait) {
    Vehicle* vehicle = body.member.vehicle.get();
    if (vehicle) vehicle->take(wait, body.news);
    if (!vehicle || vehicle->connected()) reached_ = Clock::now();
}

bool LiveDriver::wait_for_step() {
    if (step_ < 0 && !wait_for_first_news()) return false;
    if (options_.clock == TickClock::robot) {
        wait_for_robots();
    } else {
        while (!interrupted_ && Clock::now() < next_)
            std::this_thread::sleep_for(std::min<Clock::duration>(next_ - Clock::now(), look_every));
        const auto period =
            std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(briefings_.front().step_s));
        next_ = std::max(next_ + period, Clock::now());  // a late step is not made up for
    }
    for (const auto& body : bodies_) take_news(*body, milliseconds(0));
    return !interrupted_ && !gave_up();
}

/// Until each robot has said where it is or what it sees, or with its own clock the time.
bool LiveDriver::wait_for_first_news() {
    for (const auto& body : bodies_) {
        const Readings& news = body->news;
        const auto begun = [&] {
            return options_.clock == TickClock::robot ? news.time_s.has_value()
                                                      : !news.odometry.empty() || !news.sweeps.empty();
        };
        while (body->member.vehicle && !begun()) {
            if (interrupted_ || gave_up()) return false;
            take_news(*body, look_every);
            for (const auto& any : bodies_)
                if (any->link) any->link->greet();  // a world in lock-step begins when all are on its relay
        }
    }
    // Only then it is known whether each step has to be waited for.
    for (const auto& body : bodies_)
        if (body->link) body->link->wait_for_welcome(answer_patience);
    next_ = Clock::now();
    return true;
}

/// Until the clock of each robot that is connected has gone on; of those that are not, for the time of a step.
void LiveDriver::wait_for_robots() {
    const auto begin = Clock::now();
    const std::chrono::duration<double> step(briefings_.front().step_s);
    for (const auto& body : bodies_) {
        const auto come = [&] { return body->news.time_s && (!body->time_s || *body->news.time_s > *body->time_s); };
        while (body->member.vehicle && !interrupted_ && !come()) {
            take_news(*body, look_every);
            const auto waited = Clock::now() - begin;
            const bool connected = body->member.vehicle->connected();
            if (!connected && waited > step) break;
            if (connected && waited > answer_patience) {
                complain(*body, "its clock does not go on");
                break;
            }
        }
        if (come()) body->time_s = body->news.time_s;
    }
}

/// Of the newest scans of each sensor, and of the way since the last percept.
void LiveDriver::perceive(Body& body, Percept& percept) {
    Readings news = std::exchange(body.news, {});
    if (body.member.vehicle)
        for (const std::string& what : body.member.vehicle->take_complaints()) complain(body, what);
    for (const Readings::Odometry& o : news.odometry) {
        if (!body.poses.empty() && o.time_s < body.poses.back().time_s) continue;
        if (!body.poses.empty() && jumps(body.poses.back(), o, body.briefing.me().speed_mps)) {
            complain(body, "its odometry began anew: how far it moved meanwhile is not known");
            body.poses.clear();
            body.last.reset();
        }
        body.poses.push_back(o);
    }
    if (body.poses.size() > kept_poses)
        body.poses.erase(body.poses.begin(), body.poses.end() - static_cast<std::ptrdiff_t>(kept_poses));
    see(body, std::move(news.finds), percept);
    if (news.battery) body.battery = *news.battery;
    percept.battery = body.battery;
    if (!body.poses.empty()) {
        const Pose& now = body.poses.back().pose;
        percept.motion.delta = compose(inverse(body.last.value_or(now)), now);
        body.last = now;
        const double travelled = distance({}, percept.motion.delta.position());
        const double sigma = body.member.odometry_share * travelled;
        const double sigma_yaw = body.member.odometry_share * (std::abs(percept.motion.delta.yaw) + 0.1 * travelled);
        percept.motion.covariance = {sigma * sigma, 0, 0, 0, sigma * sigma, 0, 0, 0, sigma_yaw * sigma_yaw};
        const bool stalls = body.wanted_m > 0.02 && travelled < 0.3 * body.wanted_m;
        body.stalled = stalls ? body.stalled + 1 : 0;
    }
    percept.bumped = news.bumped || body.stalled >= 2;
    std::vector<const Readings::Sweep*> newest(body.briefing.sensors.size());
    for (const Readings::Sweep& sweep : news.sweeps) newest.at(static_cast<std::size_t>(sweep.sensor)) = &sweep;
    for (const Readings::Sweep* sweep : newest) {
        if (!sweep) continue;
        Scan scan{sweep->sensor, sweep->ranges, {}, 0};
        if (!body.poses.empty()) {
            scan.now_from_then = compose(inverse(body.poses.back().pose), pose_at(body.poses, sweep->time_s));
            scan.age_s = std::max(0.0, body.poses.back().time_s - sweep->time_s);
        }
        percept.scans.push_back(std::move(scan));
    }
}

/// A step may come between two messages of who is in sight: team-mates count for a while longer, since they are no
/// walls then either. These are not recognised, so that nobody takes them to be exactly there.
void LiveDriver::see(Body& body, std::vector<Readings::Find> finds, Percept& percept) {
    for (const Readings::Find& find : finds) percept.sightings.push_back(sighting_of(find, body.poses));
    for (Readings::Find& mate : std::exchange(body.mates, {})) {
        const bool is_newer =
            std::any_of(finds.begin(), finds.end(), [&](const auto& f) { return f.source == mate.source; });
        if (is_newer || body.poses.empty() || body.poses.back().time_s - mate.time_s > mates_kept_s) continue;
        mate.id = -1;
        percept.sightings.push_back(sighting_of(mate, body.poses));
        body.mates.push_back(mate);
    }
    for (const Readings::Find& find : finds)
        if (find.kind == Sighting::Kind::team_mate) body.mates.push_back(find);
}

void LiveDriver::hear(Body& body, Percept& percept) {
    std::vector<std::string>& frames = frames_[static_cast<std::size_t>(body.member.robot)];
    frames.clear();
    if (!body.link) return;
    const auto complaint = [&](const std::string& what) { complain(body, what); };
    frames = body.link->hear(step_, body.shared_step(), answer_patience, percept.inbox, complaint);
    for (const Received& received : percept.inbox) {
        const RobotId from = received.message->from;
        if (!percept.links.empty() && percept.links.back().robot == from) continue;
        // Nobody measures signals: what the radio's formula makes of the distance.
        const double range_m = body.briefing.me().radio_range_m;
        const double away_m = distance(received.message->self().pose.position(), body.believed.position());
        percept.links.push_back({from, path_loss_dbm(body.briefing.radio, range_m, away_m, 0)});
        if (!std::isfinite(percept.links.back().signal_dbm)) percept.links.back().signal_dbm = 0;
        links_.push_back(
            {std::min(from, body.member.robot), std::max(from, body.member.robot), percept.links.back().signal_dbm});
    }
}

void LiveDriver::command(RobotId robot, OperatorCommand command, OrdersThrough through) {
    const RobotId base = first_base(briefings_.front());
    if (through == OrdersThrough::radio && base >= 0 && is_order(command.behaviour)) {
        command.to = robot;
        robot = base;
    }
    orders_[robot].push_back(std::move(command));
}

Viewers* LiveDriver::viewers() {
    for (const auto& body : bodies_)
        if (Viewers* viewers = body->link ? body->link->viewers() : nullptr) return viewers;
    return nullptr;
}

void LiveDriver::act(std::span<const Decision> decisions) {
    std::vector<RobotId> team;
    for (const TeamMember& member : briefings_.front().team()) team.push_back(member.id);
    for (const auto& body : bodies_) {
        const Decision& decision = decisions[static_cast<std::size_t>(body->member.robot)];
        if (body->link) body->link->say(decision.outbox, team, body->shared_step());
        if (!body->member.vehicle) continue;
        const SteeringLimits limits{body->briefing.step_s, radians(options_.turn_deg_s),
                                    body->briefing.lattice.cell_m / 4};
        command(*body, steer(decision.command, limits));
    }
}

void LiveDriver::command(Body& body, const Velocity& velocity) {
    body.wanted_m = std::abs(velocity.forward_mps) * body.briefing.step_s;
    // Whose clock this machine does not go by is given longer: a step of a world in lock-step may take its time, and a
    // second command in it would be one too many.
    std::chrono::duration<double> valid(options_.valid_s);
    if (body.time_s) valid = std::max<std::chrono::duration<double>>(valid, answer_patience);
    const std::lock_guard lock(mutex_);
    body.valid_until = Clock::now() + std::chrono::duration_cast<Clock::duration>(valid);
    body.member.vehicle->drive(velocity);
}

void LiveDriver::show(std::span<const Robot> team, std::span<const Decision> decisions) {
    for (const auto& body : bodies_) {
        const auto i = static_cast<std::size_t>(body->member.robot);
        const Belief& belief = team[i].belief();
        body->believed = belief.pose();
        if (!body->member.vehicle) continue;
        std::vector<Point> path{belief.pose().position()};
        for (const Point& p : decisions[i].command.path_body) path.push_back(transform(belief.pose(), p));
        body->member.vehicle->show(belief, path);
    }
}

void LiveDriver::complain(const Body& body, const std::string& what) {
    complaints_.add(fmt::format("{}: {}", body.briefing.me().name, what));
}

std::vector<std::string> LiveDriver::take_complaints() { return complaints_.take(); }

void LiveDriver::watch() {
    std::unique_lock lock(mutex_);
    while (!end_) {
        for (const auto& body : bodies_)
            if (body->valid_until && Clock::now() >= *body->valid_until) {
                body->valid_until.reset();
                body->member.vehicle->drive({});
            }
        ended_.wait_for(lock, look_every);
    }
}

}  // namespace outrider
