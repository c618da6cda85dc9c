// How often a client gets messages, and which of those that had to wait.
#include "live/rosbridge/stream.hpp"

#include <doctest/doctest.h>

#include "outrider/error.hpp"

using namespace outrider;
using namespace std::chrono_literals;

namespace test_stream {
namespace {

/// Which of ten messages, one each 100 ms, go out, and when (ms); a look each 10 ms, as the server has it.
std::vector<std::pair<int, int>> sent(const StreamTerms& terms) {
    MessageStream stream;
    std::vector<std::pair<int, int>> out;
    const auto begin = MessageStream::Clock::time_point(1h);
    for (int ms = 0; ms < 3000; ms += 10) {
        const auto now = begin + std::chrono::milliseconds(ms);
        if (ms % 100 == 0 && ms < 1000 && stream.wants(terms, now))
            stream.put(std::make_shared<const std::string>(fmt::format("{}", ms / 100)), terms);
        while (const MessageStream::Message message = stream.take(terms, now))
            out.emplace_back(std::stoi(*message), ms);
    }
    return out;
}

StreamTerms terms(const std::string& more) { return read_terms(parse_json("{" + more + "}"), RosDialect::ros2); }

std::string refusal(const std::string& more) {
    try {
        terms(more);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("without a pause all go out at once; with one those between are lost, or wait in a queue") {
    using Sent = std::vector<std::pair<int, int>>;
    CHECK(sent({}).size() == 10);
    CHECK(sent({.queue = 1}).size() == 10);
    CHECK(sent({.pause = 250ms}) == Sent{{0, 0}, {3, 300}, {6, 600}, {9, 900}});
    CHECK(sent({.pause = 250ms, .queue = 1}) == Sent{{0, 0}, {2, 250}, {5, 500}, {7, 750}, {9, 1000}});
    CHECK(sent({.pause = 250ms, .queue = 3}) ==
          Sent{{0, 0}, {1, 250}, {3, 500}, {5, 750}, {7, 1000}, {8, 1250}, {9, 1500}});
    // Long messages do not pile up.
    MessageStream stream;
    const StreamTerms many{.pause = 1h, .queue = 1000};
    int kept = 0;
    for (int k = 0; k < 100; ++k) stream.put(std::make_shared<const std::string>(100'000, 'x'), many);
    for (auto now = MessageStream::Clock::time_point(1h); stream.take(many, now); now += 1h) ++kept;
    CHECK(kept == 41);
}

TEST_CASE("terms are read as rosbridge means them; of two subscriptions the stricter one counts") {
    const StreamTerms one = terms(R"("compression": "cbor", "throttle_rate": 100, "queue_length": 5)");
    CHECK(one.dialect == RosDialect::ros2);
    CHECK(one.coding == RosCoding::cbor);
    CHECK(one.pause == 100ms);
    CHECK(one.queue == 5);
    CHECK(one.fragment == 0);
    const StreamTerms two =
        terms(R"("compression": null, "throttle_rate": 50, "queue_length": 9, "fragment_size": 500)");
    for (const StreamTerms& both : {common_terms(one, two), common_terms(two, one)}) {
        CHECK(both.coding == RosCoding::cbor);
        CHECK(both.pause == 50ms);
        CHECK(both.queue == 5);
        CHECK(both.fragment == 500);
    }
    CHECK(refusal(R"("compression": "png")") ==
          "compression png: expected none, cbor or cbor-raw; pictures take longer to make than they save");
    CHECK(refusal(R"("compression": 5)") == "compression 5: expected none, cbor or cbor-raw");
    CHECK(refusal(R"("throttle_rate": -1)") == "throttle_rate: expected 0 to 3600000");
    CHECK(refusal(R"("queue_length": 1e9)") == "queue_length: expected 0 to 1000");
    CHECK(refusal(R"("fragment_size": 5)") == "fragment_size: expected 64 to 1000000000");
    CHECK(refusal(R"("fragment_size": "x")") == "fragment_size: expected 64 to 1000000000");
}

}  // namespace test_stream
