// The radio medium: from the messages sent in a step and the links it makes the messages that each robot receives. It
// knows links, not walls or bodies.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "messages/joined_messages.hpp"
#include "outrider/detail/boxed.hpp"
#include "outrider/options.hpp"
#include "outrider/percept.hpp"
#include "radio/links.hpp"
#include "radio/shared_air.hpp"

namespace outrider {

enum class Delivery { component, hop };
inline constexpr std::array<std::string_view, 2> delivery_names{"component", "hop"};

struct CommOptions {
    double range_m = 20;
    double base_range_m = 20;
    Delivery delivery = Delivery::component;
    double loss_rate = 0;
    int link_bytes = 0;
    int medium_bytes = 0;
    Access access = Access::free;
    int latency_steps = 0;
    double jumble_rate = 0;
    double word_noise = 0;
    void fields(Fields& f) {
        f("range_m", range_m, 0, 1e6, "reach of a robot's radio in free space");
        f("base_range_m", base_range_m, 0, 1e6, "reach of a base station's radio in free space");
        f("delivery", delivery, delivery_names,
          "a message reaches the whole connected component in a step, or one hop");
        f("loss_rate", loss_rate, 0, 1, "share of messages that are lost, for each receiver by itself");
        f("link_bytes", link_bytes, 0, INT32_MAX,
          "bytes that a link carries in a step; what a message leaves is saved for a whole tile; 0: no limit");
        f("medium_bytes", medium_bytes, 0, INT32_MAX,
          "bytes that the air of a place carries in a step, for all senders that are received there, or would be with "
          "10 dB more; 0: no limit");
        f("access", access, access_names,
          "how they share it: in proportion to what they want to send, or in slots, one for each member received in "
          "the last 10 steps");
        f("latency_steps", latency_steps, 0, 1000, "by how many steps messages come later than in the next one");
        f("jumble_rate", jumble_rate, 0, 1,
          "share of messages, for each receiver by itself, in which all values of words are the sum of those that it "
          "received in that step");
        f("word_noise", word_noise, 0, 10, "scatter of the values of words that arrive, as a share of each value");
    }
    bool damages_words() const { return jumble_rate > 0 || word_noise > 0; }
    /// Whether messages carry what fits.
    bool limited() const { return link_bytes > 0 || medium_bytes > 0; }
};

/// Which messages are lost: each with the same probability, independently for each receiver. Keyed random numbers:
/// the order of the calls does not matter.
class MessageLoss {
  public:
    MessageLoss(double rate, std::uint64_t seed) : rate_(rate), seed_(seed) {}
    bool any() const { return rate_ > 0; }
    /// Message `k` of the outbox of robot `from`, on its way to robot `to`, in a team of so many.
    bool lost(int step, std::size_t team, std::size_t from, std::size_t k, std::size_t to) const;

  private:
    double rate_;
    std::uint64_t seed_;
};

/// How much of a map a link of limited width carries in a step: whole tiles, the most valuable first.
class LinkBudget {
  public:
    explicit LinkBudget(bool limited) : limited_(limited) {}
    bool limited() const { return limited_; }
    /// To be called before fill() is called for receivers in parallel.
    void set_team(std::size_t robots) { saved_.resize(robots); }
    /// The first of `tiles` that fit into `limit` bytes beside the `fixed` bytes of the message, which always pass.
    /// Tiles are never split: bytes left over are saved until the next tile fits, and dropped when no tile is waiting.
    std::vector<TileCoord> fill(const Message& message, RobotId to, std::size_t limit, std::size_t fixed,
                                std::vector<TileCoord> tiles);

  private:
    bool limited_;
    std::vector<std::map<RobotId, std::size_t>> saved_;  // bytes by receiver, then sender
};

/// Radio traffic of a step; for observers.
struct Traffic {
    std::vector<Link> links;
    std::vector<int> component;                       ///< of each robot
    std::vector<std::vector<LinkReport>> neighbours;  ///< of each robot, by number
    std::uint64_t messages = 0;                       ///< delivered
    std::uint64_t lost = 0;
    std::uint64_t bytes = 0;
    std::vector<std::vector<std::uint64_t>> bytes_received;  ///< by receiver: size of each message in its inbox
};

using Outbox = std::vector<std::shared_ptr<const Message>>;

class Medium {
  public:
    struct Exchange {
        std::vector<std::vector<Received>> inboxes;  ///< by receiver, then by sender
        /// By receiver: what covers much of its inbox, joined once for many receivers; in large teams, where whole maps
        /// are delivered as they were sent.
        std::vector<std::vector<const JoinedMessages*>> joined;
        Traffic traffic;
    };

    Medium(const CommOptions& options, std::uint64_t seed)
        : options_(options), loss_(options.loss_rate, seed), budget_(options.limited()) {}

    /// Delivers the messages of each robot over these links (sorted by (a, b), as find_links() gives them; dead robots
    /// have none). disturbing: who takes up whose air, where it is shared (comm.medium_bytes). The first call is step
    /// 0, the next one step 1, and so on. The result is valid until the next call, as are the messages that its inboxes
    /// refer to; inboxes may be swapped for others, whose memory is then reused.
    /// order: all robots, those near each other in space near each other here, so that many share joined messages;
    /// empty: by number. It changes nothing else.
    Exchange& exchange(std::vector<Link> links, std::vector<Outbox> outboxes, std::span<const Link> disturbing = {},
                       std::span<const int> order = {});
    const Traffic& traffic() const { return air_.traffic; }

  private:
    class Audience;
    class MapBytes;
    struct Count {
        std::uint64_t messages = 0, lost = 0, bytes = 0;
    };
    void find_neighbours(std::vector<Link> links);
    void share_air(std::span<const Link> disturbing, const Audience& audience, const MapBytes& map_bytes);
    void join_messages(std::span<const int> order);
    Count deliver(RobotId to, const Audience& audience, const MapBytes& map_bytes);

    CommOptions options_;
    MessageLoss loss_;
    LinkBudget budget_;
    std::optional<SharedAir> shared_air_;
    std::vector<std::size_t> limits_;  // by sender: bytes of a message in this step
    int step_ = -1;
    std::vector<Outbox> sent_;                     // what the inboxes refer to
    NotCopied<MessageTree> tree_;                  // of sent_
    std::vector<std::vector<std::size_t>> fixed_;  // bytes that every receiver of those messages gets
    Exchange air_;
};

}  // namespace outrider
