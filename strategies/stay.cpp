// A robot that stays where it is: base stations, relays placed by hand.
#include <bit>
#include <map>

#include "outrider/strategy.hpp"
#include "shared/topics.hpp"

namespace outrider::stay_strategy {
namespace {

class StayPut final : public Strategy {
  public:
    static constexpr Traits traits{};
    static constexpr const char* summary = "stays where it is; what base stations do";
    using Options = NoOptions;
    explicit StayPut(const Options&) {}

    /// A base tells those that are out of reach of its first radio how much it knows.
    Intent choose(const Belief& belief, Rng&) override {
        Intent intent{.action = Stay{}, .done = true};
        if (!belief.briefing().is_base()) return intent;
        for (const auto& mate : belief.team()) far_ |= belief.received_far(mate->robot);
        if (far_) intent.words.push_back({topic_base, to_all, {free_cells(belief.map())}});
        return intent;
    }

  private:
    std::int64_t free_cells(const MapView& map) {
        map.for_each_changed_block(seen_, [&](Cell low) {
            std::int64_t& block = free_[low];
            free_all_ -= block;
            block = 0;
            const auto known = map.known_rows(low), occupied = map.occupied_rows(low);
            for (std::size_t j = 0; j < known.size(); ++j) block += std::popcount(known[j] & ~occupied[j]);
            free_all_ += block;
        });
        return free_all_;
    }

    bool far_ = false;  // whether there is a second channel
    ChangeCursor seen_;
    std::map<Cell, std::int64_t> free_;  // by block
    std::int64_t free_all_ = 0;
};

OUTRIDER_STRATEGY("stay", StayPut)

}  // namespace
}  // namespace outrider::stay_strategy
