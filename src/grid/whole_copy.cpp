#include "outrider/detail/whole_copy.hpp"

namespace outrider {
namespace {

thread_local WholeCopy* going_on = nullptr;

}  // namespace

WholeCopy::WholeCopy() : outer_(std::exchange(going_on, this)) {}
WholeCopy::~WholeCopy() { going_on = outer_; }
WholeCopy* WholeCopy::now() { return going_on; }

}  // namespace outrider
