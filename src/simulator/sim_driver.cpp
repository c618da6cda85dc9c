#include "simulator/sim_driver.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel.hpp"
#include "messages/cargo.hpp"
#include "outrider/rng.hpp"
#include "sensing/ray_caster.hpp"
#include "simulator/lacking.hpp"

namespace outrider {
SimDriver::SimDriver(World world, std::vector<Equipment> equipment, const SimOptions& options)
    : world_(std::move(world)),
      equipment_(std::move(equipment)),
      options_(options),
      moves_(equipment_.size()),
      outboxes_(equipment_.size()),
      heard_(equipment_.size()),
      saved_bytes_(equipment_.size()),
      told_(equipment_.size()) {
    OUTRIDER_CHECK(world_.bodies().size(), ==, equipment_.size());
    for (const Equipment& e : equipment_) {
        auto& fans = fans_.emplace_back();
        for (const SensorSpec& sensor : e.sensors) fans.emplace_back(sensor);
        const std::size_t robot = motion_sensors_.size();
        motion_sensors_.emplace_back(options_.instrument, options_.noise, world_.bodies()[robot].pose, world_.step_s(),
                                     options_.seed, static_cast<RobotId>(robot));
    }
}

bool SimDriver::sense(std::span<Percept> percepts) {
    OUTRIDER_CHECK(percepts.size(), ==, equipment_.size());
    if (!script_.empty() && step_ + 1 >= static_cast<int>(script_.size())) return false;
    ++step_;
    for (std::size_t i = 0; i < equipment_.size(); ++i)
        if (equipment_[i].dies_at_step == step_) world_.kill(static_cast<RobotId>(i));
    find_traffic();
    find_lacking();

    std::vector<Delivered> delivered(percepts.size());
    parallel_for(static_cast<int>(percepts.size()), [&](int i) {
        Percept& p = percepts[static_cast<std::size_t>(i)];
        p.step = step_;
        p.alive = world_.body(i).alive;
        p.inbox.clear();
        p.links.clear();
        p.motion = {};
        p.bumped = false;
        p.commands = std::exchange(told_[static_cast<std::size_t>(i)], {});
        if (!p.alive) {
            p.scans.clear();
            p.commands.clear();
            return;
        }
        delivered[static_cast<std::size_t>(i)] = deliver(i, p.inbox, traffic_.bytes_heard[static_cast<std::size_t>(i)]);
        p.links = neighbours_[static_cast<std::size_t>(i)];
        look(i, p);
        p.bumped = moves_[static_cast<std::size_t>(i)].bumped;
    });
    for (const Delivered& d : delivered) {
        traffic_.messages += d.messages;
        traffic_.lost += d.lost;
        traffic_.bytes += d.bytes;
    }
    return true;
}

void SimDriver::find_traffic() {
    const std::size_t n = equipment_.size();
    traffic_ = {{}, {}, 0, 0, 0, std::move(traffic_.bytes_heard)};  // keeps their memory
    traffic_.bytes_heard.resize(n);
    for (auto& bytes : traffic_.bytes_heard) bytes.clear();
    std::vector<Transceiver> radios;
    for (std::size_t i = 0; i < n; ++i) {
        const Body& body = world_.bodies()[i];
        radios.push_back({body.pose.position(), equipment_[i].radio_range_m, body.alive});
    }
    traffic_.links = find_links(world_.field(), world_.lattice(), options_.radio, radios);
    traffic_.component = components(n, traffic_.links);
    in_component_.assign(n, {});
    for (std::size_t i = 0; i < n; ++i) in_component_[static_cast<std::size_t>(traffic_.component[i])].push_back(i);
    neighbours_.resize(n);
    for (auto& neighbours : neighbours_) neighbours.clear();
    for (const Link& link : traffic_.links)  // by a, then b: first the lower numbers of each list, then the higher
        neighbours_[static_cast<std::size_t>(link.b)].push_back({link.a, link.signal_dbm});
    for (const Link& link : traffic_.links)
        neighbours_[static_cast<std::size_t>(link.a)].push_back({link.b, link.signal_dbm});
}

/// What deliver() needs to know of the tiles on the air.
void SimDriver::find_lacking() {
    constexpr std::size_t many = 64;  // fewer are quicker one by one
    const std::size_t n = equipment_.size();
    lacking_.clear();
    if (n < many || options_.comm.loss_rate > 0 || options_.comm.link_bytes > 0) return;
    const auto cargos = [&](const std::vector<std::vector<Said>>& outboxes) {
        std::vector<const Cargo*> out(n, nullptr);
        for (std::size_t i = 0; i < n; ++i)
            if (outboxes[i].size() == 1) out[i] = outboxes[i][0].message->cargo.get();
        return out;
    };
    const std::vector<const Cargo*> now = cargos(outboxes_), before = cargos(heard_);
    const LackingTiles tiles(now, before);
    const bool hop = options_.comm.delivery == Delivery::hop;
    lacking_.resize(n);
    parallel_for(static_cast<int>(n), [&](int i) {
        const auto from = static_cast<std::size_t>(i);
        std::vector<RobotId> hearers;
        if (hop)
            for (const LinkReport& link : neighbours_[from]) hearers.push_back(link.robot);
        else
            for (const std::size_t k : in_component_[static_cast<std::size_t>(traffic_.component[from])])
                hearers.push_back(static_cast<RobotId>(k));
        lacking_[from] = tiles.bytes(i, hearers);
    });
    if (!hop) return;
    places_.resize(n);
    for (auto& places : places_) places.clear();
    for (std::size_t from = 0; from < n; ++from)  // by number, as the neighbours of each
        for (std::size_t k = 0; k < neighbours_[from].size(); ++k)
            places_[static_cast<std::size_t>(neighbours_[from][k].robot)].push_back(static_cast<std::uint32_t>(k));
}

/// What the others said in the last step and can be heard now; by sender.
SimDriver::Delivered SimDriver::deliver(RobotId to, std::vector<Received>& inbox,
                                        std::vector<std::uint64_t>& bytes_heard) {
    Delivered sum;
    const std::size_t n = equipment_.size(), me = static_cast<std::size_t>(to);
    const auto hear = [&](std::size_t from, std::size_t place) {
        if (from == me || !world_.bodies()[from].alive) return;
        for (std::size_t k = 0; k < outboxes_[from].size(); ++k) {
            const auto& [message, fixed] = outboxes_[from][k];
            if (message->to != to_all && message->to != to) continue;
            if (options_.comm.loss_rate > 0) {
                const auto pair = static_cast<std::int64_t>((k * n + from) * n + me);
                if (Rng(options_.seed, pair, Purpose::message_loss, step_).uniform() < options_.comm.loss_rate) {
                    ++sum.lost;
                    continue;
                }
            }
            Received received{message.get(), true, {}};
            std::size_t bytes = fixed;
            received.all_tiles = options_.comm.link_bytes == 0 && message->share == Share::all;
            if (received.all_tiles) {
                if (message->cargo)
                    bytes += lacking_.empty() || outboxes_[from].size() > 1 ? lacking_bytes(*message->cargo, to)
                                                                            : lacking_[from][place];
            } else {
                std::vector<TileCoord> tiles = tiles_for(*message, to);
                if (options_.comm.link_bytes > 0) {
                    bytes += fill_link(*message, to, fixed, tiles, received.tiles);
                } else {
                    for (const TileCoord t : tiles) bytes += tile_bytes(*message->cargo->map, t);
                    received.tiles = std::move(tiles);
                }
                std::sort(received.tiles.begin(), received.tiles.end());
            }
            ++sum.messages;
            sum.bytes += bytes;
            bytes_heard.push_back(bytes);
            inbox.push_back(std::move(received));
        }
    };
    if (options_.comm.delivery == Delivery::hop) {
        for (std::size_t k = 0; k < neighbours_[me].size(); ++k)
            hear(static_cast<std::size_t>(neighbours_[me][k].robot), lacking_.empty() ? 0 : places_[me][k]);
        return sum;
    }
    const auto& members = in_component_[static_cast<std::size_t>(traffic_.component[me])];
    const auto place = std::lower_bound(members.begin(), members.end(), me) - members.begin();
    for (const std::size_t from : members) hear(from, static_cast<std::size_t>(place));
    return sum;
}

/// Tiles by worth as long as the link carries them. A tile is not sent in pieces: what is left over is saved until it
/// suffices for the next one, and forgotten when none is waiting.
std::size_t SimDriver::fill_link(const Message& message, RobotId to, std::size_t fixed,
                                 const std::vector<TileCoord>& tiles, std::vector<TileCoord>& sent) {
    const auto limit = static_cast<std::size_t>(options_.comm.link_bytes);
    std::size_t& saved = saved_bytes_[static_cast<std::size_t>(to)][message.from];
    std::size_t budget = saved + (limit > fixed ? limit - fixed : 0), bytes = 0;
    for (const TileCoord t : tiles) {
        const std::size_t more = tile_bytes(*message.cargo->map, t);
        if (bytes + more > budget) break;
        bytes += more;
        sent.push_back(t);
    }
    saved = sent.size() < tiles.size() ? budget - bytes : 0;
    return bytes;
}

/// Odometry and scans: one at the end of the last step's way, and before it, oldest first, those along the way.
void SimDriver::look(RobotId robot, Percept& percept) {
    MotionSensor& motion_sensor = motion_sensors_[static_cast<std::size_t>(robot)];
    const Move& move = moves_[static_cast<std::size_t>(robot)];
    const std::size_t sensors = fans_[static_cast<std::size_t>(robot)].size();
    const Pose& now = world_.body(robot).pose;
    if (!options_.scans.along_way() || move.delta == Pose{}) {
        percept.scans.resize(sensors);
        scan(robot, now, 0, percept.scans);
        percept.motion = motion_sensor.measure(std::span(&move.delta, 1), now, step_).front();
        return;
    }
    const Pose last = move.from;
    const std::vector<Pose> poses = poses_along(last, move.way, now, options_.scans);
    std::vector<Pose> parts;
    for (std::size_t i = 0; i < poses.size(); ++i)
        parts.push_back(poses.size() == 1 ? move.delta : compose(inverse(i > 0 ? poses[i - 1] : last), poses[i]));
    const std::vector<Motion> measured = motion_sensor.measure(parts, now, step_);
    std::vector<Pose> reckoned;  // since the last step
    for (const Motion& m : measured) {
        reckoned.push_back(reckoned.empty() ? m.delta : compose(reckoned.back(), m.delta));
        for (std::size_t k = 0; k < 9; ++k) percept.motion.covariance[k] += m.covariance[k];
    }
    if (motion_sensor.exact()) reckoned.back() = move.delta;
    percept.motion.delta = reckoned.back();
    percept.scans.resize(sensors * poses.size());
    const Pose now_from_last = inverse(reckoned.back());
    for (std::size_t i = 0; i < poses.size(); ++i) {
        const auto left = static_cast<int>(poses.size() - 1 - i);
        const std::span<Scan> scans = std::span(percept.scans).subspan(i * sensors, sensors);
        scan(robot, poses[i], left, scans);
        for (Scan& s : scans) {
            s.now_from_then = left == 0 ? Pose{} : compose(now_from_last, reckoned[i]);
            s.age_s = world_.step_s() * left / static_cast<double>(poses.size());
        }
    }
}

/// `part`: of the step's way, counted from its end; with `robot` and the step it names the noise.
void SimDriver::scan(RobotId robot, const Pose& pose, int part, std::span<Scan> scans) const {
    thread_local std::vector<Point> directions;
    thread_local std::vector<double> lengths;
    const std::vector<BeamFan>& fans = fans_[static_cast<std::size_t>(robot)];
    const double cell_m = world_.lattice().cell_m;
    for (std::size_t s = 0; s < fans.size(); ++s) {
        const SensorSpec& sensor = fans[s].spec();
        const Point origin = fans[s].origin(pose);
        scans[s].sensor = static_cast<int>(s);
        scans[s].now_from_then = {};
        scans[s].age_s = 0;
        scans[s].ranges.assign(static_cast<std::size_t>(fans[s].beams()), Scan::no_information);
        if (world_.field().wall(world_.lattice().cell_of(origin))) continue;  // mounted off the centre, inside a wall
        fans[s].directions(pose.yaw, directions);
        lengths.resize(directions.size());
        cast_rays(world_.field(), world_.lattice().to_cells(origin), directions,
                  world_.lattice().cells(sensor.max_range_m), lengths);
        Rng rng(
            options_.seed, robot, Purpose::range, step_,
            static_cast<std::uint32_t>(part) * static_cast<std::uint32_t>(fans.size()) + static_cast<std::uint32_t>(s));
        const double units = cell_m / sensor.range_unit_m,
                     most = std::floor(sensor.max_range_m / sensor.range_unit_m + 1e-6);  // 5.6 m are 5600 mm
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            std::uint16_t& range = scans[s].ranges[i];
            if (!std::isfinite(lengths[i])) {
                range = Scan::nothing;
                continue;
            }
            double r = lengths[i] * units;
            if (options_.noise.range_m > 0) r += rng.normal() * options_.noise.range_m / sensor.range_unit_m;
            range = static_cast<std::uint16_t>(std::clamp(std::floor(r + 0.5), 1.0, most));  // 0 means no information
        }
    }
}

void SimDriver::command(RobotId robot, OperatorCommand command) {
    told_[static_cast<std::size_t>(robot)].push_back(std::move(command));
}

void SimDriver::act(std::span<const Decision> decisions) {
    OUTRIDER_CHECK(decisions.size(), ==, equipment_.size());
    const auto next = static_cast<std::size_t>(step_ + 1);
    heard_.swap(outboxes_);
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        const auto robot = static_cast<RobotId>(i);
        if (script_.empty())
            moves_[i] = world_.move(robot, decisions[i].command);
        else
            moves_[i] = next < script_.size() ? world_.place(robot, script_[next][i]) : Move{};
        outboxes_[i].clear();
        for (const auto& message : decisions[i].outbox) outboxes_[i].push_back({message, fixed_bytes(*message)});
    }
}

}  // namespace outrider
