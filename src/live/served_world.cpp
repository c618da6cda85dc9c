#include "live/served_world.hpp"

#include <algorithm>
#include <utility>

#include "metrics/metrics.hpp"
#include "outrider/error.hpp"
#include "robot/robot.hpp"
#include "run/run.hpp"
#include "simulator/sim_driver.hpp"

namespace outrider {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds serve_slice{20};
constexpr std::chrono::seconds relay_time{5};  // controllers of others do not use it

}  // namespace

ServedWorld::ServedWorld(Simulation& sim, std::vector<Gateway*> gateways, RelayServer* relay,
                         const ServedOptions& options)
    : sim_(sim),
      gateways_(std::move(gateways)),
      relay_(relay),
      options_(options),
      odometry_(sim.team().size()),
      velocities_(sim.team().size()),
      next_(Clock::now()) {
    for (const RobotId robot : options_.served) served_.push_back({.robot = robot});
    if (!relay_) return;
    relay_->set_links([this](RobotId from, RobotId to) { return linked(from, to); });
    for (const Briefing& briefing : sim_.briefings())
        if (std::find(options_.served.begin(), options_.served.end(), briefing.self) == options_.served.end())
            locals_.push_back(
                {briefing.self, std::make_unique<MessageLink>(
                                    briefing, std::make_unique<RelayClient>(relay_->url(), briefing.me().name))});
}

/// In this step.
bool ServedWorld::linked(RobotId from, RobotId to) const {
    const Traffic& traffic = sim_.driver().traffic();
    const auto a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to);
    if (a >= traffic.component.size() || b >= traffic.component.size()) return true;  // before step 0
    if (sim_.scenario().comm.delivery == Delivery::component) return traffic.component[a] == traffic.component[b];
    const std::vector<LinkReport>& near = traffic.neighbours[a];
    return std::any_of(near.begin(), near.end(), [&](const LinkReport& link) { return link.robot == to; });
}

/// Of a served robot: that of the first gateway where it has one; nullptr: nobody drives it.
const Controller* ServedWorld::controller(RobotId robot) const {
    for (Gateway* gateway : gateways_)
        if (const Controller& c = gateway->controllers()[static_cast<std::size_t>(robot)]; c.there) return &c;
    return nullptr;
}

std::vector<RobotId> ServedWorld::without_controller() const {
    std::vector<RobotId> out;
    for (const Served& s : served_)
        if (!driven(s)) out.push_back(s.robot);
    return out;
}

void ServedWorld::serve(milliseconds wait) {
    for (Gateway* gateway : gateways_) {
        gateway->serve(wait / static_cast<int>(gateways_.size()));
        for (std::string& what : gateway->take_complaints()) complaints_.add(std::move(what));
    }
    look_for_listeners();
    for (Served& s : served_)
        for (Gateway* gateway : gateways_)
            if (auto& velocity = gateway->controllers()[static_cast<std::size_t>(s.robot)].velocity) {
                s.velocity = *std::exchange(velocity, std::nullopt);
                s.commanded = sim_.progress().steps;
            }
}

/// Who listens for long enough is expected to drive, until nobody listens any longer.
void ServedWorld::look_for_listeners() {
    for (Served& s : served_) {
        const bool listened = std::any_of(gateways_.begin(), gateways_.end(), [&](Gateway* gateway) {
            return gateway->controllers()[static_cast<std::size_t>(s.robot)].listened;
        });
        if (!listened || controller(s.robot)) {
            s.listened_since.reset();
            s.expected = false;
        } else if (!s.listened_since) {
            s.listened_since = Clock::now();
        } else if (!s.met && Clock::now() - *s.listened_since >= options_.patience) {
            s.expected = s.met = true;
            for (Gateway* gateway : gateways_) gateway->remind(s.robot);
        }
    }
}

bool ServedWorld::wait_for_controllers(const std::atomic<bool>& interrupted, const std::function<void()>& meanwhile) {
    while (!interrupted && !without_controller().empty()) {
        serve(serve_slice);
        meanwhile();
    }
    const auto silent = [&] {
        return relay_ && !std::all_of(sim_.briefings().begin(), sim_.briefings().end(),
                                      [&](const Briefing& b) { return relay_->connected(b.self); });
    };
    for (const auto until = Clock::now() + relay_time; !interrupted && silent() && Clock::now() < until;) {
        for (Local& local : locals_) local.link->greet();
        relay_->serve(serve_slice);
        serve(milliseconds(0));
    }
    for (Local& local : locals_) local.link->wait_for_welcome(options_.patience);
    next_ = Clock::now();
    return !interrupted;
}

bool ServedWorld::step(const std::atomic<bool>& interrupted) {
    if (sim_.done() || interrupted || all_gone()) return false;
    const int now = sim_.progress().steps;
    sim_.perceive();
    if (sim_.done()) return false;
    if (relay_ && options_.speed == 0) relay_->deliver(now);
    publish();
    wait_for_answers(interrupted);
    set_intents();
    sim_.act();
    const Run& run = sim_.progress();
    for (Local& local : locals_)
        local.link->say(run.decisions[static_cast<std::size_t>(local.robot)].outbox, options_.served,
                        options_.speed == 0 ? std::optional(now) : std::nullopt);
    if (relay_ && options_.speed == 0) {
        std::vector<RobotId> here;
        for (const Local& local : locals_) here.push_back(local.robot);
        relay_->collect(now, here, options_.patience);
    }
    return !sim_.done();
}

void ServedWorld::publish() {
    const Run& run = sim_.progress();
    const double step_s = sim_.scenario().run.step_s;
    for (std::size_t i = 0; i < odometry_.size(); ++i)
        odometry_[i] = compose(odometry_[i], run.percepts[i].motion.delta);
    const std::vector<Pose> poses = sim_.driver().world().poses();
    std::vector<const Belief*> beliefs;
    for (const Robot& robot : sim_.team()) beliefs.push_back(&robot.belief());
    const ServedStep now{
        run.steps, run.steps * step_s, run.percepts, odometry_, poses, sim_.driver().traffic().links, velocities_,
        beliefs};
    for (Gateway* gateway : gateways_) gateway->publish(now);
}

/// In lock-step until all that are there have answered and said all that they have to say; else until the time of the
/// step is over.
void ServedWorld::wait_for_answers(const std::atomic<bool>& interrupted) {
    const int now = sim_.progress().steps;
    if (options_.speed > 0) {
        next_ = std::max(next_ + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(sim_.scenario().run.step_s / options_.speed)),
                         Clock::now());
        do {
            if (relay_) relay_->serve(milliseconds(1));
            serve(milliseconds(1));
        } while (!interrupted && Clock::now() < next_);
        return;
    }
    const Clock::time_point until = Clock::now() + options_.patience;
    const auto silent = [&](const Served& s) { return s.commanded != now && driven(s); };
    do serve(serve_slice);
    while (!interrupted && Clock::now() < until && std::any_of(served_.begin(), served_.end(), silent));
    std::vector<RobotId> answered;
    for (Served& s : served_) {
        if (s.commanded == now) answered.push_back(s.robot);
        if (!silent(s) || interrupted) continue;
        complaints_.add(fmt::format("{}: no command for step {}",
                                    sim_.scenario().robots[static_cast<std::size_t>(s.robot)].name, now));
        s.expected = false;  // it looks on
    }
    if (relay_) relay_->collect(now, answered, options_.patience);
}

/// What the controllers want, unless it is too old; a robot that nobody drives stays.
void ServedWorld::set_intents() {
    const int now = sim_.progress().steps;
    const double step_s = sim_.scenario().run.step_s, valid_s = sim_.scenario().live.valid_s;
    const bool lockstep = options_.speed == 0;
    if (!locals_.empty())  // the others say to all the same
        locals_.front().link->hear(now, lockstep ? std::optional(now) : std::nullopt, options_.patience,
                                   locals_.front().inbox,
                                   [&](const std::string& what) { complaints_.add("relay: " + what); });
    for (Served& s : served_) {
        if (!locals_.empty())
            for (const Received& r : locals_.front().inbox)
                if (r.message->from == s.robot) {
                    const TeamRecord& record = r.message->self();
                    s.reported = {.role = record.role, .words = record.words, .done = record.done};
                }
        const bool valid = s.commanded >= 0 && (now - s.commanded) * step_s <= valid_s;
        const Velocity velocity = valid ? s.velocity : Velocity{};
        velocities_[static_cast<std::size_t>(s.robot)] = velocity;
        Intent intent = s.reported;
        if (velocity == Velocity{})
            intent.action = Stay{};
        else
            intent.action = Drive{velocity.forward_mps, velocity.turn_radps};
        const bool is_driven = driven(s);
        s.met = s.met || is_driven;
        if (!is_driven) intent.overlays = {Overlay::rule("nobody drives it")};
        if (!is_driven && s.met) intent.done = true;  // until somebody comes back
        sim_.set_intent(s.robot, std::move(intent));
    }
}

bool ServedWorld::all_gone() {
    const bool there = without_controller().size() < served_.size();
    const bool met = std::any_of(served_.begin(), served_.end(), [](const Served& s) { return s.met; });
    if (there || !met || options_.left.count() == 0) {
        alone_.reset();
        return false;
    }
    if (!alone_) alone_ = Clock::now();
    serve(serve_slice);
    return Clock::now() - *alone_ >= options_.left;
}

Viewers* ServedWorld::viewers() {
    for (Local& local : locals_)
        if (Viewers* viewers = local.link->viewers()) return viewers;
    return nullptr;
}

std::vector<std::string> ServedWorld::take_complaints() {
    if (relay_)
        for (std::string& what : relay_->take_complaints()) complaints_.add(std::move(what));
    std::vector<std::string> complaints = complaints_.take();
    for (const std::string& what : complaints) sim_.note(what);
    return complaints;
}

}  // namespace outrider
