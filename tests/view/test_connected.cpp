// The window over the relay of a live team: what its base station knows, and orders by clicks.
#include <atomic>
#include <mutex>

#include "desk.hpp"
#include "live/message_link.hpp"
#include "live/operator_desk.hpp"
#include "simulation/simulation.hpp"

using namespace outrider;
using namespace outrider::view;

namespace {

Scenario office_with(const std::vector<Setting>& settings) {
    ConfigTable config = load_config(office);
    for (const Setting& setting : settings) config.set(setting);
    Notes notes;
    return make_scenario(std::move(config), "office", source_dir + "/environments", notes);
}

/// A team on loopback that goes on, whoever looks: fifty steps a second.
class LoopbackTeam {
  public:
    explicit LoopbackTeam(const std::vector<Setting>& settings = {})
        : sim_(office_with(settings)),
          relay_({}, names(sim_.scenario())),
          link_(sim_.briefings()[0], std::make_unique<RelayClient>(relay_.url(), sim_.briefings()[0].me().name)),
          desk_(sim_.scenario(), {0, 1, 2}) {
        sim_.add_observer(desk_.watch());
        thread_ = std::thread([this] {
            while (!stop_) step();
        });
    }
    ~LoopbackTeam() {
        stop_ = true;
        thread_.join();
    }
    int at() const { return at_; }
    std::unique_ptr<Source> viewer() const { return make_connected(sim_.scenario(), {relay_.url()}, {}); }

  private:
    static std::vector<std::string> names(const Scenario& scenario) {
        std::vector<std::string> out;
        for (const RobotEntry& robot : scenario.robots) out.push_back(robot.name);
        return out;
    }
    void step() {
        for (OperatorOrder& order : desk_.due(sim_.progress().steps, link_.viewers()))
            sim_.command(order.robot, std::move(order.command));
        if (!sim_.done()) sim_.step();
        link_.say(sim_.progress().decisions[0].outbox, {}, {});
        desk_.take_news(sim_.progress().steps, link_.viewers());
        at_ = sim_.progress().steps - 1;
        for (int k = 0; k < 4; ++k) relay_.serve(std::chrono::milliseconds(5));
    }

    Simulation sim_;
    RelayServer relay_;
    MessageLink link_;
    OperatorDesk desk_;
    std::atomic<bool> stop_{false};
    std::atomic<int> at_{-1};
    std::thread thread_;
};

bool is_told(Desk& desk, const std::string& news) {
    const auto& events = desk.model().events();
    return std::any_of(events.begin(), events.end(),
                       [&](const RunEvent& e) { return e.kind == "note" && e.json.find(news) != std::string::npos; });
}

}  // namespace

TEST_CASE("the window follows a live team as its base station knows it, and the team goes on without the window") {
    LoopbackTeam team;
    int seen = 0;
    {
        Desk desk;
        desk.app.open(team.viewer());
        ViewModel& model = desk.model();
        CHECK(model.as_base());
        desk.wait([&] { return model.step() >= 80 && desk.share_of(theme(false).free) > 0.01; });
        desk.wait([&] { return team.at() - model.step() < 50; });  // a second
        CHECK_FALSE(model.hidden(1));
        CHECK_FALSE(model.base_reports().empty());
        // It is not the window's to pause, or to go back.
        desk.key(SDLK_SPACE);
        desk.key(SDLK_HOME);
        const int step = model.step();
        desk.wait([&] { return model.step() > step; });
        seen = team.at();
    }
    Desk waiting;
    waiting.wait([&] { return team.at() > seen + 20; });
}

TEST_CASE("clicks order robots of a live team, which acknowledge") {
    LoopbackTeam team;
    Desk desk;
    desk.app.open(team.viewer());
    ViewModel& model = desk.model();
    desk.wait([&] { return model.step() >= 3; });
    const std::string name = model.info().name(1);
    desk.click("card/1");
    desk.click("tab/Operate");
    desk.click("stop robot");
    desk.wait([&] { return is_told(desk, name + " obeys order 1: stop"); });
    CHECK(model.ordered(1) == "stop");
    desk.click("set way-points");
    desk.click(desk.pixel(model.shown_pose(1).position()));
    desk.click("send way-points");
    desk.wait([&] { return is_told(desk, name + " obeys order 2: way_points"); });
    desk.click("autonomous");
    desk.wait([&] { return is_told(desk, name + " obeys order 3: autonomous"); });
    desk.click("stop all");
    desk.wait([&] { return is_told(desk, name + " obeys order 4: stop"); });
    desk.wait([&] { return is_told(desk, model.info().name(2) + " obeys order 5: stop"); });

    ViewModel other(team.viewer());  // a second operator
    const auto follow = [&](const auto& condition) {
        desk.wait([&] {
            other.update();
            return condition();
        });
    };
    follow([&] { return other.step() >= 3; });
    other.command(1, {"autonomous", {}, 0, 0});
    follow([&] { return other.progress().warning == "viewer 2 is no operator: viewer 1 gives the orders here"; });
}

TEST_CASE("contact that a live robot loses is shown, and a relay that is not there is named") {
    LoopbackTeam team({{"comm.range_m", 2.0, "test"}});
    Desk desk;
    desk.app.open(team.viewer());
    const auto lost = [&](const RunEvent& e) { return e.kind == "left_base"; };
    desk.wait([&] { return std::any_of(desk.model().events().begin(), desk.model().events().end(), lost); });
    desk.wait([&] { return is_told(desk, "no contact with "); });

    ViewModel nowhere(make_connected(office_with({}), {"ws://127.0.0.1:1"}, {}));
    desk.wait([&] {
        nowhere.update();
        return nowhere.progress().note.find("no link to ws://127.0.0.1:1") == 0;
    });
}
