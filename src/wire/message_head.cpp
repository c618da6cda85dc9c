#include "wire/message_head.hpp"

#include <cmath>

#include "messages/frame_news.hpp"
#include "messages/record_codec.hpp"

namespace outrider {
namespace {

constexpr std::size_t shares = 3;

/// Asks whether a receiver's team could say something.
class Team {
  public:
    explicit Team(const Briefing& briefing)
        : size_(static_cast<std::int64_t>(briefing.team().size())),
          most_m_(std::min(1e6, (1 << 27) * briefing.lattice.cell_m)) {}
    RobotId robot(ByteReader& in) const { return static_cast<RobotId>(in.within(0, size_ - 1)); }
    FrameId frame(ByteReader& in) const {
        const RobotId of = robot(in);
        return {of, static_cast<std::int32_t>(in.within(0, INT32_MAX))};
    }
    void expect_robot(RobotId robot, RobotId least) const {
        if (robot < least || robot >= size_) fail("a message names robot {} of a team of {}", robot, size_);
    }
    void expect(const FrameId& frame) const {
        expect_robot(frame.robot, 0);
        if (frame.epoch < 0) fail("a message names epoch {} of a frame", frame.epoch);
    }
    void expect(const Point& p) const {
        if (!(std::abs(p.x) <= most_m_ && std::abs(p.y) <= most_m_))
            fail("a message holds a place off all maps, ({}, {})", p.x, p.y);
    }
    void expect(const Pose& pose) const {
        expect(pose.position());
        if (!is_angle(pose.yaw)) fail("a message holds a heading of {} radians", pose.yaw);
    }
    void expect(const TeamRecord& record, std::size_t place) const {
        if (record.robot != static_cast<RobotId>(place))
            fail("a message holds the record of robot {} in the place of {}", record.robot, place);
        if (record.step < 0) fail("a message holds a record of step {}", record.step);
        expect(record.frame);
        expect(record.pose);
        if (record.goal) expect(*record.goal);
        for (const Word& word : record.words) expect_robot(word.to, to_all);
    }
    std::size_t size() const { return static_cast<std::size_t>(size_); }

  private:
    std::int64_t size_;
    double most_m_;  // twice the largest map, and cells that are whole numbers
};

void write_news(ByteWriter& out, const FrameNews& news) {
    write_pose(out, news.own);
    out.integer(static_cast<std::int64_t>(news.bytes));
    out.integer(static_cast<std::int64_t>(news.relations.size()));
    for (const FrameRelation& r : news.relations) {
        out.integer(r.from);
        out.integer(r.to);
        write_pose(out, r.measured);
        for (const double v : r.covariance) out.number(v);
        out.integer(r.stands);
        out.integer(r.version);
    }
}

std::shared_ptr<const FrameNews> read_news(ByteReader& in, const Team& team) {
    constexpr std::size_t least_bytes = 4 + 12 * 8;  // of a relation
    constexpr double most_covariance = 1e12;
    auto news = std::make_shared<FrameNews>();
    news->own = read_pose(in);
    team.expect(news->own);
    news->bytes = static_cast<std::size_t>(in.within(0, INT32_MAX));
    news->relations.resize(in.size(least_bytes));
    for (FrameRelation& r : news->relations) {
        r.from = team.robot(in);
        r.to = team.robot(in);
        if (r.from == r.to) fail("a message relates the frame of robot {} to itself", r.from);
        r.measured = read_pose(in);
        team.expect(r.measured);
        for (double& v : r.covariance)
            if (v = in.number(); !(std::abs(v) <= most_covariance)) fail("a message holds a covariance of {}", v);
        r.stands = in.within(0, 1) != 0;
        r.version = static_cast<std::uint32_t>(in.within(0, UINT32_MAX));
    }
    return news;
}

}  // namespace

void write_head(ByteWriter& out, const Message& message) {
    for (const std::int64_t v : {message.from, message.to, message.frame.robot, message.frame.epoch,
                                 static_cast<std::int32_t>(message.share), message.summary_tiles})
        out.integer(v);
    for (const TeamRecord* record : message.records) write_record(out, *record);
    out.integer(message.frames != nullptr);
    if (message.frames) write_news(out, *message.frames);
}

std::shared_ptr<Message> read_head(ByteReader& in, const Briefing& receiver) {
    const Team team(receiver);
    auto message = std::make_shared<Message>();
    message->from = team.robot(in);
    if (message->from == receiver.self) fail("a message of robot {} came to itself", receiver.self);
    message->to = in.whole();
    if (message->to != to_all && message->to != receiver.self)
        fail("a message to robot {} came to {}", message->to, receiver.self);
    message->frame = team.frame(in);
    message->share = in.choice<Share>(shares);
    message->summary_tiles = in.whole();
    for (std::size_t i = 0; i < team.size(); ++i) {
        TeamRecord record = read_record(in);
        team.expect(record, i);
        message->records.push_back(std::move(record));
    }
    if (message->self().seq == 0) fail("a message has no number");
    if (in.within(0, 1)) message->frames = read_news(in, team);
    return message;
}

}  // namespace outrider
