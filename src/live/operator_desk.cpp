#include "live/operator_desk.hpp"

namespace outrider {

std::vector<OperatorOrder> OperatorDesk::due(int step, Viewers* viewers) {
    if (viewers) {
        viewers->refuse_orders(given_ && !given_->over() ? "--operator gives the orders here" : "");
        from_viewers_.add(viewers->take_orders(), step);
        operated_ = operated_ || viewers->operated();
    }
    std::vector<OperatorOrder> orders = from_viewers_.due(step);
    if (given_)
        for (OperatorOrder& order : given_->due(step)) orders.push_back(std::move(order));
    return orders;
}

std::vector<std::string> OperatorDesk::take_news(int step, Viewers* viewers) {
    std::vector<std::string> wrong = from_viewers_.take_complaints(), team = watch_.take(), out;
    if (given_)
        for (std::string& what : given_->take_complaints()) wrong.push_back(std::move(what));
    if (viewers) {
        for (const auto& news : {wrong, team})
            for (const std::string& what : news) viewers->say({step, what});
        for (std::string& what : viewers->take_complaints()) wrong.push_back(std::move(what));
    }
    if (!given_ && !operated_) team.clear();
    for (const auto& news : {wrong, team})
        for (const std::string& what : news) out.push_back("operator: " + what);
    return out;
}

}  // namespace outrider
