// What a robot makes of it: it tells the others its heading, so that they can compare. This file sees no world.
#include <cmath>

#include "features/NAME/options.hpp"
#include "outrider/intent.hpp"
#include "robot/knowledge.hpp"
#include "robot/robot_parts.hpp"

namespace outrider {
namespace {

constexpr std::uint32_t NAME_topic = TOPICu;  // of its words: a number that no other word has

class CamelCompass final : public Copied<CamelCompass, RobotPart> {
  public:
    void after_choice(Knowledge& known, Intent& intent) override {
        intent.words.push_back({NAME_topic, to_all, {std::llround(1000 * known.pose.yaw)}});
    }
};

}  // namespace

std::unique_ptr<RobotPart> make_NAME_part(const Briefing&, const RobotOptions& options) {
    const auto* field = options.features.find<CamelOptions>();
    return field && field->any() ? std::make_unique<CamelCompass>() : nullptr;
}

}  // namespace outrider
