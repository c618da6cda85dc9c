#include "messages/record_codec.hpp"

namespace outrider {

void write_pose(ByteWriter& out, const Pose& pose) {
    out.number(pose.x);
    out.number(pose.y);
    out.number(pose.yaw);
}

Pose read_pose(ByteReader& in) {
    const double x = in.number(), y = in.number();
    return {x, y, in.number()};
}

void write_record(ByteWriter& out, const TeamRecord& r) {
    for (const std::int64_t v :
         {std::int64_t{r.robot}, std::int64_t{r.seq}, std::int64_t{r.step}, std::int64_t{r.frame.robot},
          std::int64_t{r.frame.epoch}, static_cast<std::int64_t>(r.role), std::int64_t{r.done},
          std::int64_t{r.goal.has_value()}})
        out.integer(v);
    write_pose(out, r.pose);
    if (r.goal) {
        out.number(r.goal->x);
        out.number(r.goal->y);
    }
    out.integer(static_cast<std::int64_t>(r.words.size()));
    for (const Word& w : r.words) {
        out.integer(w.topic);
        out.integer(w.to);
        out.integer(static_cast<std::int64_t>(w.values.size()));
        for (const std::int64_t v : w.values) out.integer(v);
    }
}

TeamRecord read_record(ByteReader& in) {
    TeamRecord r;
    r.robot = in.whole();
    r.seq = static_cast<std::uint32_t>(in.within(0, UINT32_MAX));
    r.step = in.whole();
    r.frame.robot = in.whole();
    r.frame.epoch = in.whole();
    r.role = in.choice<Role>(role_names.size());
    r.done = in.integer() != 0;
    const bool goal = in.integer() != 0;
    r.pose = read_pose(in);
    if (goal) {
        const double x = in.number();
        r.goal = Point{x, in.number()};
    }
    r.words.resize(in.size(3));
    for (Word& w : r.words) {
        w.topic = static_cast<std::uint32_t>(in.within(0, UINT32_MAX));
        w.to = in.whole();
        w.values.resize(in.size());
        for (std::int64_t& v : w.values) v = in.integer();
    }
    return r;
}

}  // namespace outrider
