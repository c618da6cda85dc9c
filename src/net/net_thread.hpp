// The thread of a server or a client.
#pragma once

#include <chrono>
#include <future>
#include <thread>

#include <boost/asio/io_context.hpp>

namespace outrider {

struct NetThread {
    void begin() {
        thread = std::thread([this] {
            context.run();
            ended.set_value();
        });
    }
    /// Runs until nothing is left to do, but not for another side that does not answer.
    void end() {
        if (ended.get_future().wait_for(std::chrono::milliseconds(500)) == std::future_status::timeout) context.stop();
        thread.join();
    }

    boost::asio::io_context context{1};
    std::promise<void> ended;
    std::thread thread;
};

}  // namespace outrider
