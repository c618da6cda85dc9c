// Robots with a second radio channel.
#include <array>

#include "features/second_radio/world.hpp"
#include "messages/map_payload.hpp"
#include "metrics/group.hpp"
#include "metrics/rows.hpp"

namespace outrider {
namespace {

struct FarCounts final : Copied<FarCounts, Counter> {
    void on_step(const StepView& view) override {
        for (const Percept& p : view.percepts)
            for (const TeamRecord& news : p.received_far)
                bytes += static_cast<std::int64_t>(SecondChannel::fixed_bytes + words_bytes(news.words));
    }
    std::int64_t bytes = 0;  ///< received
};

constexpr std::array second_radio_rows{
    MetricInfo{"bytes_far", "bytes", 1, "received over the second channel, by all receivers", plain,
               [](Record r) { return count(r.counts<FarCounts>().bytes); }},
};

std::string second_radio_in_words(const SummaryWords& run) {
    return fmt::format("second channel       {:.1f} kB received\n", run["bytes_far"] / 1000);
}

}  // namespace

extern const MetricGroup second_radio_metrics;
const MetricGroup second_radio_metrics{second_radio_rows, has_part<SecondRadio>, make_counter<FarCounts>,
                                       "second_radio", second_radio_in_words};

}  // namespace outrider
