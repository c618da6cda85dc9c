// What became of an operator's orders: counted from what robots perceive and say, as a log has it.
#include <array>
#include <vector>

#include "messages/order_words.hpp"
#include "metrics/group.hpp"
#include "metrics/rows.hpp"

namespace outrider {
namespace {

class OrderCounts final : public Copied<OrderCounts, Counter> {
  public:
    void on_step(const StepView& view) override;
    bool any() const override { return given_ > 0 || marks_ > 0; }
    std::int64_t marks() const { return marks_; }
    std::int64_t given() const { return given_; }
    /// One that a newer order for the same robot replaced before it arrived is not obeyed.
    std::int64_t obeyed() const { return obeyed_; }
    /// Steps from giving an order to obeying it, summed over those obeyed.
    std::int64_t latency_steps() const { return latency_; }
    /// Robot-steps under an order, and those in which the robot had nothing to do.
    std::int64_t operated() const { return operated_; }
    std::int64_t waited() const { return waited_; }

  private:
    struct Sent {
        int step = 0;
        bool autonomous = false;  ///< it gives the robot back to its strategy
    };
    struct Track {
        int obeyed = 0;  ///< number of the last order by radio
        bool under_order = false;
    };
    std::vector<Sent> sent_;     // by number, from 1
    std::vector<Track> tracks_;  // by robot
    std::int64_t given_ = 0, obeyed_ = 0, latency_ = 0, operated_ = 0, waited_ = 0, marks_ = 0;
};

void OrderCounts::on_step(const StepView& view) {
    tracks_.resize(view.percepts.size());
    for (std::size_t i = 0; i < view.percepts.size(); ++i)
        for (const OperatorCommand& command : view.percepts[i].commands) {
            const bool by_radio = command.to >= 0;
            marks_ += command.behaviour.starts_with("mark ");
            if (!is_order(command.behaviour) || (!by_radio && !view.team[i].belief().briefing().me().mobile)) continue;
            const bool autonomous = command.behaviour == "autonomous";
            ++given_;
            if (by_radio) {
                sent_.push_back({view.step, autonomous});
            } else {
                ++obeyed_;
                tracks_[i].under_order = !autonomous;
            }
        }
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
        Track& track = tracks_[i];
        if (!view.percepts[i].alive) continue;
        for (const auto& message : view.decisions[i].outbox)
            for (const Word& word : message->self().words) {
                const auto number = read_obeyed(word);
                if (!number || *number <= track.obeyed || static_cast<std::size_t>(*number) > sent_.size()) continue;
                const Sent& order = sent_[static_cast<std::size_t>(*number) - 1];
                track = {*number, !order.autonomous};
                ++obeyed_;
                latency_ += view.step - order.step;
            }
        operated_ += track.under_order;
        waited_ += track.under_order && view.decisions[i].command.path_body.empty();
    }
}

constexpr std::array order_rows{
    MetricInfo{"orders_given", "", 1, "orders of an operator, one for each robot that it was for", plain,
               [](Record r) { return count(r.counts<OrderCounts>().given()); }},
    MetricInfo{"orders_obeyed", "", 1,
               "those that a robot carried out; not those that a newer one replaced before they arrived", more,
               [](Record r) { return count(r.counts<OrderCounts>().obeyed()); }},
    MetricInfo{"order_latency_mean", "steps", 1, "from giving an order to obeying it; mean over those obeyed", plain,
               [](Record r) {
                   const OrderCounts& orders = r.counts<OrderCounts>();
                   return orders.obeyed() > 0 ? count(orders.latency_steps()) / count(orders.obeyed()) : nan;
               }},
    MetricInfo{
        "operated_share", "share", 1, "robot-steps under an order / robot-steps in service", plain,
        [](Record r) { return share_of(count(r.counts<OrderCounts>().operated()), count(r.totals.robot_steps)); }},
    MetricInfo{"marks_set", "", 1, "places that an operator marked, by hand", plain,
               [](Record r) { return count(r.counts<OrderCounts>().marks()); }},
    MetricInfo{"order_wait_steps", "robot-steps", 1, "a robot under an order had nothing to do", plain,
               [](Record r) { return count(r.counts<OrderCounts>().waited()); }},
};

std::string orders_in_words(const SummaryWords& run) {
    return fmt::format(
        "operator             {:.0f} orders, {:.0f} obeyed after {} steps in the mean; robots were under orders in {} "
        "of "
        "their steps, and waited in {:.0f}\n",
        run["orders_given"], run["orders_obeyed"], run.whole("order_latency_mean"), run.percent("operated_share"),
        run["order_wait_steps"]);
}

}  // namespace

extern const MetricGroup order_metrics;
const MetricGroup order_metrics{order_rows, nullptr, make_counter<OrderCounts>, "", orders_in_words};

}  // namespace outrider
