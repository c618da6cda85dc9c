// The state machines of strategies, without the actions of the states: pure functions, tested row by row.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace outrider {

/// How a robot keeps up the link to the one before it in a chain.
enum class Tether : std::uint8_t {
    held,  ///< linked
    back,  ///< drives back to where it was linked last
    seek,  ///< drives to where the other one was last
    home   ///< gave up: drives home
};
inline constexpr std::array<std::string_view, 4> tether_names{"held", "back", "seek", "home"};

/// When a broken link makes a robot change its state: steps since the link broke.
struct TetherTimes {
    int back = 20, seek = 100;
};

constexpr Tether next(Tether now, bool linked, int lost_for, TetherTimes times) {
    if (linked) return Tether::held;
    switch (now) {
        case Tether::held:
            return Tether::back;
        case Tether::back:
            return lost_for >= times.back ? Tether::seek : Tether::back;
        case Tether::seek:
            return lost_for >= times.seek ? Tether::home : Tether::seek;
        case Tether::home:
            return Tether::home;
    }
    return now;
}

/// A robot of a network of relays that is laid out, explored from, and laid out anew.
enum class Deployment : std::uint8_t {
    explore,  ///< within reach of the network
    idle,     ///< nothing is left there, for it
    go,       ///< to the station that the plan gives it
    back,     ///< back along its own path, to where the signal was good
    relay     ///< stands there for the others
};
inline constexpr std::array<std::string_view, 5> deployment_names{"explore", "idle", "go", "back", "relay"};

struct DeploymentSigns {
    bool station = false;   ///< the plan gives it one
    bool fresh = false;     ///< in this step, and another one than before
    bool target = false;    ///< a frontier in reach of the network
    bool arrived = false;   ///< at its station, or it cannot get there
    bool good = false;      ///< the signal measured here is good
    bool late = false;      ///< it is under way, or waits for a good signal, for too long
    bool given_up = false;  ///< still late after a long time on the way back
    bool cut_off = false;   ///< has not heard the base for long
};

constexpr Deployment next(Deployment now, const DeploymentSigns& s) {
    if (!s.station) return s.target ? Deployment::explore : Deployment::idle;
    if (s.fresh) return Deployment::go;
    switch (now) {
        case Deployment::explore:
        case Deployment::idle:
            return s.target ? Deployment::explore : Deployment::idle;  // it gave its station up
        case Deployment::go:
            return s.arrived && s.good ? Deployment::relay : s.late ? Deployment::back : now;
        case Deployment::back:
            return s.good ? Deployment::relay : s.given_up ? Deployment::explore : now;
        case Deployment::relay:
            return s.cut_off ? Deployment::explore : now;
    }
    return now;
}

/// A robot that is connected with the base whenever it is at a place that a plan gave it.
enum class Recurrent : std::uint8_t {
    ready,    ///< stands, connected, until there is a plan
    move,     ///< to the place that the plan gives it
    hold,     ///< arrived, until it is connected
    retreat,  ///< drives home until it is connected
    finished  ///< drives home for good
};
inline constexpr std::array<std::string_view, 5> recurrent_names{"ready", "move", "hold", "retreat", "finished"};

struct RecurrentSigns {
    bool plan = false;       ///< a new plan gives it a place
    bool end = false;        ///< the newest plan says that nothing is left, or nobody is there to make one
    bool connected = false;  ///< with a base
    bool arrived = false;    ///< at its place, or it cannot get there
    bool late = false;       ///< everybody should have arrived long ago
    bool home = false;       ///< at home, or it cannot get there
};

constexpr Recurrent next(Recurrent now, const RecurrentSigns& s) {
    if (s.end || now == Recurrent::finished) return Recurrent::finished;
    if (s.plan) return Recurrent::move;
    switch (now) {
        case Recurrent::ready:
            return s.late && !s.connected && !s.home ? Recurrent::retreat : now;
        case Recurrent::move:
            return s.late ? Recurrent::retreat : s.arrived ? Recurrent::hold : now;
        case Recurrent::hold:
            return s.connected ? Recurrent::ready : s.late ? Recurrent::retreat : now;
        case Recurrent::retreat:
            return s.connected || s.home ? Recurrent::ready : now;
        case Recurrent::finished:
            return now;
    }
    return now;
}

/// A robot that brings its knowledge home when too much of it is unknown at the base.
enum class DeliveryState : std::uint8_t {
    explore,  ///< until the base is missing more than was promised
    bring,    ///< drives home with it
    alone     ///< was home and heard no base: explores, and comes home at the end
};
inline constexpr std::array<std::string_view, 3> delivery_state_names{"explores", "brings home what the base lacks",
                                                                      "explores, for no base was in contact at home"};

struct DeliverySigns {
    bool base = false;            ///< in contact
    bool home = false;            ///< came home to report, and received nothing from a base
    bool gave = false;            ///< a team-mate took over the cells that it was responsible for
    bool took = false;            ///< it took over cells from a robot that was bringing them home
    bool owes = false;            ///< it is responsible for cells that the base does not know
    bool short_of_share = false;  ///< they are more than what was promised allows
};

constexpr DeliveryState next(DeliveryState now, const DeliverySigns& s) {
    if (s.base) return DeliveryState::explore;
    if (s.home) return DeliveryState::alone;
    switch (now) {
        case DeliveryState::explore:
            return s.short_of_share || (s.took && s.owes) ? DeliveryState::bring : now;
        case DeliveryState::bring:
            return s.short_of_share ? now : !s.owes || (s.gave && !s.took) ? DeliveryState::explore : now;
        case DeliveryState::alone:
            return now;
    }
    return now;
}

/// A robot that explores a sector and meets its neighbours at its borders.
enum class SectorState : std::uint8_t {
    sweep,     ///< explores
    go,        ///< to a meeting
    wait,      ///< at the meeting point, until the meeting ends
    exchange,  ///< with the partner, until both hold the next meeting or the time for that is over
    courier    ///< brings the base what both know
};
inline constexpr std::array<std::string_view, 5> sector_state_names{"sweep", "go", "wait", "exchange", "courier"};

struct SectorSigns {
    bool due = false;       ///< it is time to leave for a meeting
    bool linked = false;    ///< with the partner of that meeting
    bool arrived = false;   ///< at the meeting point
    bool over = false;      ///< the meeting has ended, nobody came
    bool settled = false;   ///< the next meeting is agreed, or the time for that is over
    bool carries = false;   ///< it is this robot's turn to report to the base
    bool reported = false;  ///< the base has received everything, or cannot be found
};

constexpr SectorState next(SectorState now, const SectorSigns& s) {
    switch (now) {
        case SectorState::sweep:
            return !s.due ? now : s.linked ? SectorState::exchange : SectorState::go;
        case SectorState::go:
            if (s.linked) return SectorState::exchange;
            return s.over ? SectorState::sweep : s.arrived ? SectorState::wait : now;
        case SectorState::wait:
            return s.linked ? SectorState::exchange : s.over ? SectorState::sweep : now;
        case SectorState::exchange:
            return !s.settled ? now : s.carries ? SectorState::courier : SectorState::sweep;
        case SectorState::courier:
            return s.reported ? SectorState::sweep : now;
    }
    return now;
}

}  // namespace outrider
