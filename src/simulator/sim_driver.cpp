#include "simulator/sim_driver.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel.hpp"
#include "grid/morton_order.hpp"
#include "messages/order_words.hpp"
#include "messages/team_size.hpp"
#include "outrider/rng.hpp"

namespace outrider {
namespace {

constexpr std::uint32_t victim_stream = 1 << 20;  // of Purpose::sighting; those below are of robots and scans

/// What a body makes of a command, with what is wrong with it, and by chance.
Command possible(const Command& command, const Faults& faults, double jitter, Rng rng) {
    if (faults.stuck) return {};
    Command out = command;
    if (faults.slow) out.speed_mps *= slow_share;
    if (jitter > 0) out.speed_mps *= std::max(0.0, 1 + jitter * rng.normal());
    return out;
}

}  // namespace

SimDriver::SimDriver(World world, std::vector<Equipment> equipment, const SimOptions& options)
    : world_(std::move(world)),
      equipment_(std::move(equipment)),
      options_(options),
      moves_(equipment_.size()),
      stood_(equipment_.size()),
      failures_(equipment_.size()),
      faults_(equipment_.size()),
      changing_(world_.walls(), options.changes),
      driven_m_(equipment_.size()),
      radio_(options.radio, options.comm, options.seed),
      word_damage_(options.comm, options.seed),
      damaged_(equipment_.size()),
      outboxes_(equipment_.size()),
      told_(equipment_.size()) {
    OUTRIDER_CHECK(world_.bodies().size(), ==, equipment_.size());
    if (options_.radio2.any()) second_.emplace(options_.radio2, equipment_.size());
    for (const Failure& f : options_.failures) failures_.at(static_cast<std::size_t>(f.robot)).push_back(f);
    for (const Equipment& e : equipment_) {
        batteries_.emplace_back(e.battery);
        has_batteries_ |= e.battery.any();
        auto& fans = fans_.emplace_back();
        for (const SensorSpec& sensor : e.sensors) fans.emplace_back(sensor);
        const std::size_t robot = motion_sensors_.size();
        motion_sensors_.emplace_back(options_.instrument, e.noise, world_.bodies()[robot].pose, world_.step_s(),
                                     options_.seed, static_cast<RobotId>(robot));
        if (world_.ground()) unseen_rough_.push_back(world_.ground()->rough_cells());
        if (options_.relief) sweeps_.push_back({std::vector<double>(e.sensors.size(), -1), {}});
        if (options_.hazards) {
            unseen_rough_.resize(robot + 1);
            told_hazards_.emplace_back();
            exposed_.emplace_back();
        }
    }
}

bool SimDriver::sense(std::span<Percept> percepts) {
    OUTRIDER_CHECK(percepts.size(), ==, equipment_.size());
    if (!script_.empty() && step_ + 1 >= static_cast<int>(script_.size())) return false;
    ++step_;
    change_walls();
    fail_and_die();
    find_others();
    Medium::Exchange& air = exchange();
    use_batteries(air);
    parallel_for(static_cast<int>(percepts.size()), [&](int i) {
        const auto robot = static_cast<std::size_t>(i);
        Percept& p = percepts[robot];
        p.step = step_;
        p.alive = world_.body(i).alive;
        p.battery = p.alive ? batteries_[robot].share() : 1;
        p.inbox.swap(air.inboxes[robot]);
        p.joined.swap(air.joined[robot]);
        word_damage_.apply(i, step_, p.inbox, damaged_[robot]);
        p.links.clear();
        p.motion = {};
        p.bumped = false;
        p.commands = std::exchange(told_[robot], {});
        if (!p.alive) {
            p.scans.clear();
            p.commands.clear();
            p.rough.clear();
            p.steps.clear();
            p.heard_far.clear();
            return;
        }
        radio_.measure(i, p.links);
        if (second_) p.heard_far = second_->heard(i);
        look(i, p);
        if (faults_[robot].blind)
            for (Scan& s : p.scans) std::fill(s.ranges.begin(), s.ranges.end(), Scan::no_information);
        p.bumped = moves_[robot].bumped;
        if (options_.relief) {
            feel_tilt(i, p);
            sweep_floor(i, p);
        }
        sight(i, p);
        if (!options_.victims.empty() && !fans_[robot].empty() && !faults_[robot].blind) sense_people(i, p);
        if (!unseen_rough_.empty()) see_ground(i, p);
    });
    return true;
}

void SimDriver::show(std::span<const std::optional<Pose>> believed, std::vector<Link> links) {
    OUTRIDER_CHECK(believed.size(), ==, equipment_.size());
    ++step_;
    for (std::size_t i = 0; i < believed.size(); ++i) {
        const auto robot = static_cast<RobotId>(i);
        moves_[i] = {world_.body(robot).pose, {}, {}, false};
        if (!believed[i])
            world_.kill(robot);
        else if (!world_.field().wall(world_.lattice().cell_of(believed[i]->position())))
            moves_[i] = world_.place(robot, *believed[i]);
    }
    radio_.show(std::move(links), believed.size());
}

void SimDriver::sense_people(RobotId robot, Percept& percept) const {
    const int wait = std::max(1, static_cast<int>(std::ceil(ThermalScanner::stands_s / world_.step_s() - 1e-9)));
    const int stood = stood_[static_cast<std::size_t>(robot)];
    const VictimScene scene{options_.victims, options_.decoys, step_ * world_.step_s(), stood > 0 && stood % wait == 0};
    sense_victims(world_.field(), world_.lattice(), world_.body(robot).pose, scene, options_.sensing_victims,
                  Rng(options_.seed, robot, Purpose::sighting, step_, victim_stream), percept.sightings);
}

void SimDriver::change_walls() {
    if (!changing_.any()) return;
    std::vector<ChangingWalls::Robot> robots;
    for (std::size_t i = 0; i < equipment_.size(); ++i)
        if (const Body& body = world_.bodies()[i]; body.alive)
            robots.push_back({body.pose.position(), body.radius_m, !equipment_[i].base});
    changing_.update(step_, robots);
    for (const ChangingWalls::Done& d : changing_.done()) world_.change(changing_.changes()[d.change].cells, d.wall);
}

bool SimDriver::crowded() const {
    return !options_.people.empty() ||
           std::any_of(equipment_.begin(), equipment_.end(), [](const Equipment& e) { return e.seen || e.blocks; });
}

/// Where everybody is whom scans can see.
void SimDriver::find_others() {
    people_.clear();
    for (const Walker& person : options_.people)
        people_.push_back({person.at(step_ * world_.step_s()), options_.person_radius_m});
    bodies_.clear();
    for (std::size_t i = 0; i < equipment_.size(); ++i) {
        const Body& body = world_.bodies()[i];
        if (equipment_[i].seen)
            bodies_.push_back(
                {static_cast<RobotId>(i), {body.pose.position(), std::max(least_seen_radius_m, body.radius_m)}});
    }
}

/// What the last step took; who has nothing left is out of service from the next one on.
void SimDriver::use_batteries(const Medium::Exchange& air) {
    if (!has_batteries_) return;
    std::vector<std::uint64_t> sent(equipment_.size());
    for (std::size_t to = 0; to < air.inboxes.size(); ++to)
        for (std::size_t k = 0; k < air.inboxes[to].size(); ++k) {
            std::uint64_t& most = sent[static_cast<std::size_t>(air.inboxes[to][k].message->from)];
            most = std::max(most, air.traffic.bytes_heard[to][k]);
        }
    for (std::size_t i = 0; i < equipment_.size(); ++i) {
        const Body& body = world_.bodies()[i];
        if (!body.alive || !equipment_[i].battery.any()) continue;
        Battery::Use use{world_.step_s(), body.travelled_m - std::exchange(driven_m_[i], body.travelled_m),
                         static_cast<double>(sent[i]) / 1000, static_cast<int>(fans_[i].size()), false};
        for (std::size_t b = 0; b < equipment_.size(); ++b)
            use.at_base |= equipment_[b].base && world_.bodies()[b].alive &&
                           distance(world_.bodies()[b].pose.position(), body.pose.position()) <= charging_range_m;
        if (step_ > 0) batteries_[i].use(use);
    }
}

void SimDriver::fail_and_die() {
    for (std::size_t i = 0; i < equipment_.size(); ++i) {
        faults_[i] = faults_at(failures_[i], step_);
        bool burnt = false;
        if (options_.hazards) {
            const Cell at = world_.lattice().cell_of(world_.bodies()[i].pose.position());
            Exposure& here = exposed_[i];
            here.steps_in_fire = options_.hazards->burns(at, step_) ? here.steps_in_fire + 1 : 0;
            here.wet = options_.hazards->wet(at, step_);
            burnt = here.steps_in_fire >= options_.hazards->tolerance_steps();
        }
        if (equipment_[i].dies_at_step == step_ || faults_[i].dead || batteries_[i].empty() || burnt)
            world_.kill(static_cast<RobotId>(i));
    }
}

/// Delivers the messages that arrive in this step, over the links at the present poses.
Medium::Exchange& SimDriver::exchange() {
    std::vector<Transceiver> radios;
    for (std::size_t i = 0; i < equipment_.size(); ++i) {
        const Body& body = world_.bodies()[i];
        radios.push_back({body.pose.position(), equipment_[i].radio_range_m, body.alive && !faults_[i].deaf});
    }
    if (options_.links_before_move) {
        std::vector<Point> now;
        for (const Transceiver& radio : radios) now.push_back(radio.position);
        for (std::size_t i = 0; i < decided_at_.size(); ++i) radios[i].position = decided_at_[i];
        decided_at_ = std::move(now);
    }
    if (second_) {
        std::vector<std::shared_ptr<const Message>> said;
        for (const Outbox& outbox : outboxes_) said.push_back(outbox.empty() ? nullptr : outbox.front());
        second_->exchange(world_.field(), world_.lattice(), radios, said);
    }
    if (equipment_.size() >= large_team) {
        std::vector<Point> places;
        for (const Transceiver& radio : radios) places.push_back(radio.position);
        order_ = morton_order(places, world_.lattice().cell_m);
    }
    return radio_.exchange(world_.field(), world_.lattice(), step_, radios,
                           std::exchange(outboxes_, std::vector<Outbox>(equipment_.size())), order_);
}

/// Whether somebody is in the way who goes first: people, and robots with a lower number that moved in this step.
bool SimDriver::must_wait(std::size_t robot, const Command& command) const {
    constexpr double gap_m = 0.05;
    const Body& body = world_.bodies()[robot];
    thread_local std::vector<Point> way;
    way.clear();
    for (const Point& p : command.path_body) way.push_back(transform(body.pose, p));
    const double length_m = std::min(command.speed_mps, body.speed_mps) * world_.step_s();
    const auto in_the_way = [&](const Disc& disc) {
        return meets(disc, body.pose.position(), way, length_m, body.radius_m + gap_m);
    };
    if (std::any_of(people_.begin(), people_.end(), in_the_way)) return true;
    for (std::size_t k = 0; k < robot; ++k) {
        const Body& other = world_.bodies()[k];
        const bool moved = other.alive && distance(moves_[k].from.position(), other.pose.position()) > 0;
        if (equipment_[k].blocks && moved && in_the_way({other.pose.position(), other.radius_m})) return true;
    }
    return false;
}

void SimDriver::command(RobotId robot, OperatorCommand command) {
    if (options_.orders_by_radio && command.to < 0 && is_order(command.behaviour) && equipment_.front().base) {
        command.to = robot;
        robot = 0;
    }
    told_[static_cast<std::size_t>(robot)].push_back(std::move(command));
}

void SimDriver::act(std::span<const Decision> decisions) {
    OUTRIDER_CHECK(decisions.size(), ==, equipment_.size());
    const auto next = static_cast<std::size_t>(step_ + 1);
    for (std::size_t i = 0; i < decisions.size(); ++i) {
        const auto robot = static_cast<RobotId>(i);
        if (script_.empty()) {
            Command command = possible(decisions[i].command, faults_[i], equipment_[i].noise.speed_jitter,
                                       Rng(options_.seed, robot, Purpose::motion, step_));
            if (!exposed_.empty() && exposed_[i].wet) command.speed_mps *= slow_share;
            const bool waits = equipment_[i].blocks && must_wait(i, command);
            moves_[i] = world_.move(robot, waits ? Command{} : command);
            moves_[i].bumped |= waits;
        } else
            moves_[i] = next < script_.size() ? world_.place(robot, script_[next][i]) : Move{};
        stood_[i] = moves_[i].from == world_.body(robot).pose ? stood_[i] + 1 : 0;
        outboxes_[i] = decisions[i].outbox;
    }
}

}  // namespace outrider
