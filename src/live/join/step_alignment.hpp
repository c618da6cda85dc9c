// Which steps of the logs of a live team were at the same time. Each process counted its own steps, from when it was
// started; a message that one received tells how far another one was by then. No clock is needed, and none is trusted.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace outrider {

/// A message: sent in a step of one log, received in a step of another one.
struct Receipt {
    std::size_t sender = 0, receiver = 0;
    int sent = 0, received = 0;
};

/// For each log, of how many `steps` it is, in which common step each of its own was; the first of all is 0. How far
/// two logs began apart follows from the messages between them that were fastest: those that went to and fro took
/// equally long, and those that went one way a step. From then on each log goes on step by step, and stands still where
/// it would otherwise receive what was not sent yet. The receipts of a log come in the order of its steps. Throws Error
/// where no message connects a log with the others, by these names.
std::vector<std::vector<int>> align_steps(const std::vector<int>& steps, const std::vector<Receipt>& receipts,
                                          const std::vector<std::string>& names);

}  // namespace outrider
