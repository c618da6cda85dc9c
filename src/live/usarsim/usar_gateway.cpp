// A world that looks like USARSim: each connection drives one robot.
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "live/usarsim/client_limits.hpp"
#include "live/usarsim/usar_answers.hpp"
#include "live/usarsim/usar_lines.hpp"
#include "live/usarsim/usar_radio.hpp"
#include "live/usarsim/usarsim.hpp"
#include "net/line_server.hpp"
#include "outrider/error.hpp"

namespace outrider {
namespace {

class UsarGateway final : public Gateway {
  public:
    UsarGateway(const std::string& address, const UsarPorts& ports, const std::vector<Briefing>& briefings,
                const std::vector<RobotId>& served, const LiveSection& options)
        : address_(address),
          briefings_(briefings),
          served_(served),
          options_(options),
          controllers_(briefings.size()),
          robots_({.address = address, .port = ports.robots, .most_clients = 32 + served.size()}),
          radio_(address, ports, names_of(briefings)) {}

    std::string place() const override {
        std::string text = fmt::format("{}:{} (USARSim)", address_, robots_.port());
        if (radio_.port() > 0) text += fmt::format(", {}:{} (its radio)", address_, radio_.port());
        if (radio_.old_port() > 0) text += fmt::format(", {}:{} (its older radio)", address_, radio_.old_port());
        return text;
    }

    void publish(const ServedStep& step) override {
        time_s_ = step.time_s;
        radio_.set_links(step.links);
        for (const RobotId robot : served_)
            newest_[robot] = usar_step_lines(step, briefings_[static_cast<std::size_t>(robot)], options_);
        for (const auto& [client, robot] : clients_)
            if (robot >= 0) robots_.send(client, newest_[robot]);
    }

    void serve(std::chrono::milliseconds wait) override {
        // Those who ask the radio are not kept waiting for those who drive.
        const auto end = std::chrono::steady_clock::now() + wait;
        std::vector<NetEvent> events;
        do {
            const auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
            events = robots_.take(std::clamp(left, std::chrono::milliseconds(0), std::chrono::milliseconds(10)));
            radio_.serve();
        } while (events.empty() && std::chrono::steady_clock::now() < end);
        for (const NetEvent& event : events) switch (event.kind) {
                case NetEvent::Kind::joined:
                    clients_[event.client] = -1;
                    robots_.send(event.client, usarsim_text("NFO", {{"Gametype", "USARSim"},
                                                                    {"Level", "outrider"},
                                                                    {"TimeLimit", usar_number(mission_s())}}));
                    break;
                case NetEvent::Kind::left:
                    left(event.client, event.data);
                    break;
                default:
                    if (quota_.hears(event.client)) hear(event.client, event.data);
            }
        for (const auto& [client, odd] : odd_)
            complaints_.add(fmt::format("client {}: {} odd lines, the first: {}", client, odd.count, odd.first));
        odd_.clear();
        quota_.over(complaints_, "client");
        radio_.over(complaints_);
    }
    std::span<Controller> controllers() override { return controllers_; }
    std::vector<std::string> take_complaints() override { return complaints_.take(); }

  private:
    struct OddLines {
        std::size_t count = 0;
        std::string first;
    };

    static std::vector<std::string> names_of(const std::vector<Briefing>& briefings) {
        std::vector<std::string> names;
        for (const Briefing& briefing : briefings) names.push_back(briefing.me().name);
        return names;
    }
    double mission_s() const { return briefings_.empty() ? 0 : briefings_[0].mission_steps * briefings_[0].step_s; }
    const std::string& name_of(RobotId robot) const { return briefings_[static_cast<std::size_t>(robot)].me().name; }
    Controller& controller_of(RobotId robot) { return controllers_[static_cast<std::size_t>(robot)]; }

    void left(int client, const std::string& why) {
        const RobotId robot = clients_[client];
        clients_.erase(client);
        if (robot >= 0) {
            controller_of(robot) = {};
            complaints_.add(fmt::format("nobody drives {} any more: client {} left{}{}", name_of(robot), client,
                                        why.empty() ? "" : ": ", why));
        } else if (!why.empty()) {
            complaints_.add(fmt::format("client {} left: {}", client, why));
        }
    }

    void hear(int client, const std::string& text) {
        if (text.find_first_not_of(" \t") == std::string::npos) return;
        std::string type(usarsim_type(text).substr(0, 20));
        try {
            answer(client, parse_usarsim_line(text));
        } catch (const Error& error) {
            robots_.send(client, result(type, "", "Failed", error.what()));
            OddLines& odd = odd_[client];
            if (++odd.count == 1) odd.first = error.what();
        }
    }
    std::string result(const std::string& type, const std::string& name, const char* status,
                       const std::string& reason = {}) const {
        const std::string time = usar_number(time_s_);
        if (reason.empty())
            return usarsim_text("RES", {{"Time", time}, {"Type", type}, {"Name", name}, {"Status", status}});
        return usarsim_text("RES",
                            {{"Time", time}, {"Type", type}, {"Name", name}, {"Status", status}, {"Reason", reason}});
    }

    void answer(int client, const UsarsimLine& line) {
        if (line.type == "INIT") return init(client, line);
        if (line.type == "GETSTARTPOSES") return robots_.send(client, usar_start_poses(briefings_, served_));
        const RobotId robot = clients_[client];
        if (robot < 0) fail("expected INIT {{ClassName c}} {{Name n}} first");
        const Briefing& briefing = briefings_[static_cast<std::size_t>(robot)];
        if (line.type == "DRIVE") {
            if (const auto velocity = read_usar_drive(line, briefing, options_))
                controller_of(robot).velocity = *velocity;
        } else if (line.type == "GETGEO") {
            robots_.send(client, usar_geometry(line, briefing, options_));
        } else if (line.type == "GETCONF") {
            robots_.send(client, usar_configuration(line, briefing, options_));
        } else if (line.type == "SET") {
            fail("there is nothing that SET could change");
        } else if (line.type == "MISPKG") {
            fail("there are no mission packages");
        } else {
            fail("expected INIT, DRIVE, GETGEO, GETCONF or GETSTARTPOSES, found '{}'", line.type.substr(0, 20));
        }
    }

    void init(int client, const UsarsimLine& line) {
        const std::string name(line.find("Name").value_or(""));
        if (clients_[client] >= 0) fail("this connection drives {}", name_of(clients_[client]));
        const auto served = std::find_if(served_.begin(), served_.end(), [&](RobotId r) { return name_of(r) == name; });
        if (served == served_.end()) {
            std::string free;
            for (const RobotId r : served_)
                if (!controller_of(r).there) free += (free.empty() ? "" : ", ") + name_of(r);
            fail("there is no robot '{}' to drive; there {}", name.substr(0, 40),
                 free.empty() ? "are no others either" : "are " + free);
        }
        if (controller_of(*served).there) fail("{} is driven by somebody else", name);
        // Where it starts and of what class it is, the scenario says; Location and ClassName are taken as they are.
        clients_[client] = *served;
        controller_of(*served) = {.there = true, .velocity = {}};
        complaints_.add(fmt::format("client {} drives {} ({})", client, name, line.word("ClassName").substr(0, 60)));
        // What it perceives now comes at once: who waits for STA before each command need not wait for the next step.
        robots_.send(client, result("INIT", name, "OK") + newest_[*served]);
    }

    const std::string address_;
    const std::vector<Briefing> briefings_;
    const std::vector<RobotId> served_;
    const LiveSection options_;
    std::vector<Controller> controllers_;
    std::map<int, RobotId> clients_;  // -1: drives nobody
    double time_s_ = 0;
    std::map<RobotId, std::string> newest_;  // what robots perceived in the last step
    std::map<int, OddLines> odd_;            // by client, in this call of serve()
    LineQuota quota_;
    Complaints complaints_{100};
    LineServer robots_;
    UsarRadio radio_;
};

}  // namespace

std::unique_ptr<Gateway> make_usar_gateway(const std::string& address, const UsarPorts& ports,
                                           const std::vector<Briefing>& briefings, const std::vector<RobotId>& served,
                                           const LiveSection& options) {
    return std::make_unique<UsarGateway>(address, ports, briefings, served, options);
}

}  // namespace outrider
