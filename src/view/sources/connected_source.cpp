// A live team elsewhere: what its base station knows, as reports say that come over the team's relay.
#include <atomic>
#include <thread>

#include "base/json.hpp"
#include "live/team_viewer.hpp"
#include "log/orders_file.hpp"
#include "messages/map_payload.hpp"
#include "messages/operator_options.hpp"
#include "messages/order_words.hpp"
#include "outrider/detail/nav_map.hpp"
#include "outrider/error.hpp"
#include "simulation/simulation.hpp"
#include "view/snapshot_maker.hpp"
#include "view/source.hpp"

namespace outrider::view {
namespace {

using std::chrono::milliseconds;

/// What a base station said of itself and of the others, as moments of robots.
std::vector<RobotMoment> moments_of(const Message& message, int contact_steps) {
    const TeamRecord& base = message.self();
    std::vector<RobotMoment> out(message.records.size());
    std::vector<MateNews> mates;
    for (const auto& record : message.records) {
        RobotMoment& moment = out[static_cast<std::size_t>(record->robot)];
        moment.pose = record->pose;
        moment.goal = record->goal;
        moment.role = record->role;
        moment.done = record->done;
        if (record->robot == base.robot) continue;
        MateNews mate{record->robot, record->seq == 0 ? -1 : record->step, false, record->pose, record->goal};
        mate.in_contact = moment.base_in_contact = mate.step >= 0 && base.step - mate.step <= contact_steps;
        for (const Word& word : record->words)
            if (auto report = read_report(word)) mate.report = std::move(report);
        if (mate.report) {
            moment.battery = mate.report->battery;
            moment.bumped = mate.report->bumped;
            moment.lost = mate.report->lost;
        }
        mates.push_back(std::move(mate));
    }
    RobotMoment& self = out[static_cast<std::size_t>(base.robot)];
    self.mates = std::move(mates);
    self.base_in_contact = true;
    for (const Word& word : base.words)
        if (read_order(word, word.to)) self.orders_kept.push_back(word.to);
    return out;
}

class ConnectedSource final : public Source {
  public:
    ConnectedSource(Scenario scenario, const RelayAccess& relay, std::vector<std::string> notes)
        : briefings_(make_briefings(scenario)),
          viewer_(relay, briefings_, scenario.team_origin_m()),
          relay_(relay.url),
          base_(first_base(briefings_.front())),
          map_(briefings_.front().lattice, {}, briefings_.front().cells_change),
          nav_(FrontierKind::unknown, briefings_.front().lattice.cells(briefings_.front().radius_m)),
          contact_(scenario.robots.size(), Contact::never) {
        info_ = run_info(std::move(scenario), true);
        info_.measured = info_.seekable = false;
        info_.notes = std::move(notes);
        telemetry_.begin_anew();
        control_.play(true);  // as the team does
        thread_ = std::thread([this] { work(); });
    }
    ~ConnectedSource() override { stop(); }

    void seek(int) override {}  // what is past is kept by nobody
    bool can_command() const override { return true; }
    void command(RobotId robot, OperatorCommand command) override { add({robot, std::move(command)}); }
    void hold(RobotId robot, std::optional<OperatorCommand> command) override {
        const std::lock_guard lock(mutex_);
        held_.reset();
        if (command) held_ = {robot, std::move(*command)};
    }
    void refresh() override { again_ = true; }
    void stop() override {
        stopped_ = true;
        if (thread_.joinable()) thread_.join();
    }

  private:
    struct Order {
        RobotId robot = 0;
        OperatorCommand command;
    };
    enum class Contact { never, there, lost };

    void add(Order order) {
        const std::lock_guard lock(mutex_);
        pending_.push_back(std::move(order));
    }

    void work() try {
        constexpr milliseconds slice{20};
        std::optional<TeamView> view;
        while (!stopped_) {
            const bool again = again_.exchange(false);
            if (again && last_) publish();
            send_orders();
            if ((view = viewer_.take(slice))) take(*view);
            say_state();
        }
    } catch (const std::exception& error) {
        telemetry_.update([&](Progress& p) {
            p.error = error.what();
            p.ended = true;
        });
    }

    void send_orders() {
        std::vector<Order> orders;
        {
            const std::lock_guard lock(mutex_);
            orders.swap(pending_);
        }
        for (const Order& order : orders) send(order);
    }
    void send(const Order& order) {
        try {
            if (!viewer_.order(write_order(order.robot, order.command, info_.scenario)))
                warning_ = "there is no link to the team: the order was not sent";
        } catch (const Error& error) {
            warning_ = error.what();
        }
    }

    void take(const TeamView& view) {
        for (const TeamNews& news : view.news) {
            telemetry_.add_event({news.step, "note", {}, fmt::format(R"({{"text": {}}})", json_quoted(news.text))});
            if (news.text.find(" is no operator: ") != std::string::npos) warning_ = news.text;
        }
        if (!view.message) return;
        if (last_ && view.message->self().step < last_->self().step) begin_anew();
        const bool is_new = !last_ || view.message->self().step > last_->self().step;
        last_ = view.message;
        if (last_->payload) merge(*last_->payload->map);
        if (!is_new) return;
        note_contacts();
        telemetry_.add_row(row());
        telemetry_.update([&](Progress& p) { p.last = last_->self().step; });
        publish();
        std::optional<Order> held;
        {
            const std::lock_guard lock(mutex_);
            held = held_;
        }
        if (held) send(*held);
    }

    /// The base station's program was started again.
    void begin_anew() {
        telemetry_.begin_anew();
        std::fill(contact_.begin(), contact_.end(), Contact::never);
    }

    void merge(const MapSnapshot& map) {
        if (map.generation != generation_ || map.frame != map_.frame()) {
            map_.redraw(map.frame);
            generation_ = map.generation;
            anew_ = true;
        }
        map_.merge(map);
    }

    void note_contacts() {
        const int now = last_->self().step;
        for (const auto& record : last_->records) {
            if (record->robot == base_ || record->seq == 0) continue;
            Contact& contact = contact_[static_cast<std::size_t>(record->robot)];
            const Contact before =
                std::exchange(contact, now - record->step > info_.scenario.features.get<OperatorOptions>().lost_steps
                                           ? Contact::lost
                                           : Contact::there);
            if (before != contact)
                telemetry_.add_event({now, contact == Contact::there ? "met_base" : "left_base",
                                      Index<Robot>::of(record->robot, contact_.size()), "{}"});
        }
    }

    StepRow row() const {
        StepRow row;
        row.metrics.step = last_->self().step;
        row.metrics.base_cells = static_cast<std::int64_t>(map_.count(false) + map_.count(true));
        for (const auto& record : last_->records) row.poses.push_back(record->pose);
        row.paths.resize(row.poses.size());
        row.metrics.alive = row.metrics.connected = 0;
        for (std::size_t i = 0; i < contact_.size(); ++i) row.metrics.connected += contact_[i] == Contact::there;
        return row;
    }

    void publish() {
        Snapshot out;
        out.step = last_->self().step;
        out.robots = moments_of(*last_, 1 + info_.scenario.comm.latency_steps);
        out.robots[static_cast<std::size_t>(base_)].known_cells = static_cast<std::int64_t>(map_.count(false));
        out.claims_anew = std::exchange(anew_, false);
        if (out.claims_anew) {
            std::fill(std::begin(out.marks_anew), std::end(out.marks_anew), true);
            claims_ = frontier_ = {};
        }
        for (const TileCoord t : map_.changes_since(claims_).tiles())
            if (const CellTile* tile = map_.tile(t)) out.claims.push_back({base_, t, *tile});
        const Wants wants = telemetry_.wants();
        const auto base = static_cast<std::size_t>(base_);
        if (base < wants.frontier.size() && wants.frontier[base]) {
            nav_.update(map_, map_.lattice().cell_of(last_->self().pose.position()));
            add_frontier(base_, nav_, frontier_, out.marks);
        }
        telemetry_.publish(std::move(out));
    }

    /// What keeps reports from coming, and what became of orders.
    void say_state() {
        for (const std::string& what : viewer_.take_complaints()) trouble_ = what;
        const std::string note = viewer_.connected()
                                     ? (last_ ? "" : "waiting for the base station's first report")
                                     : fmt::format("no link to {}{}{}", relay_, trouble_.empty() ? "" : ": ", trouble_);
        if (note == note_ && warning_ == warned_) return;
        note_ = note;
        warned_ = warning_;
        telemetry_.update([&](Progress& p) {
            p.note = note_;
            p.warning = warned_;
        });
    }

    const std::vector<Briefing> briefings_;
    TeamViewer viewer_;
    const std::string relay_;
    const RobotId base_;
    std::shared_ptr<const Message> last_;
    KnownMap map_;  // the base station's
    std::uint32_t generation_ = 0;
    bool anew_ = true;
    NavMap nav_;
    ChangeCursor claims_, frontier_;
    std::vector<Contact> contact_;  // by robot
    std::string trouble_, note_, warning_, warned_;
    std::mutex mutex_;
    std::vector<Order> pending_;  // guarded by mutex_
    std::optional<Order> held_;   // to be given each step; guarded by mutex_
    std::atomic<bool> again_{false}, stopped_{false};
    std::thread thread_;
};

}  // namespace

std::unique_ptr<Source> make_connected(Scenario scenario, const RelayAccess& relay, std::vector<std::string> notes) {
    if (scenario.robots.front().role != Role::base)
        fail("the first robot of this team is no base station, whose knowledge could be shown");
    if (scenario.start.frame == StartFrame::unknown)
        fail(
            "start.frame = unknown: a team whose robots do not know where the others started cannot be looked at live");
    return std::make_unique<ConnectedSource>(std::move(scenario), relay, std::move(notes));
}

}  // namespace outrider::view
