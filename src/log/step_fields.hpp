// The fields of a robot's step in the columns of a chunk: one description, for writing (C = ColumnWriter) and for
// reading (C = ColumnReader).
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/foreign/index.hpp"
#include "log/step_codec.hpp"
#include "messages/overlay_names.hpp"

namespace outrider {

/// The cell of a point; any cell for a point too far away or not a number.
inline Cell cell_at(const Lattice& lattice, Point p) {
    const double most = 1e9 * lattice.cell_m;
    return std::abs(p.x) < most && std::abs(p.y) < most ? lattice.cell_of(p) : Cell{};
}

template <class C, class P>
void code_numbers(C& c, P& pose) {
    c.number(pose.x);
    c.number(pose.y);
    c.number(pose.yaw);
}

/// A point that is the middle of a cell, as the offset from `near`; any other point as it is.
template <class C, class P>
void code_point(C& c, const Lattice& lattice, P& point, Cell& near) {
    Cell cell = C::reading ? Cell{} : cell_at(lattice, point);
    if (c.when(!C::reading && lattice.centre(cell) == point)) {
        Cell offset = cell - near;
        c.integer(offset.x);
        c.integer(offset.y);
        if constexpr (C::reading) point = lattice.centre(cell = moved(near, offset));
        near = cell;
    } else {
        c.number(point.x);
        c.number(point.y);
    }
}

/// A point in the body's frame: mostly the middle of a cell, seen from the pose.
template <class C, class P>
void code_body_point(C& c, const Lattice& lattice, const Pose& pose, P& point, Cell& near) {
    Cell cell = C::reading ? Cell{} : cell_at(lattice, transform(pose, point));
    if (c.when(!C::reading && into_body(pose, lattice.centre(cell)) == point)) {
        Cell offset = cell - near;
        c.integer(offset.x);
        c.integer(offset.y);
        if constexpr (C::reading) point = into_body(pose, lattice.centre(cell = moved(near, offset)));
        near = cell;
    } else {
        c.number(point.x);
        c.number(point.y);
    }
}

/// Throws Error where a beam of a scan is longer than two such distances.
inline void expect_near(const Scan& scan, double unit_cells, double most_cells) {
    for (const std::uint16_t range : scan.ranges)
        if (range != Scan::no_information && range != Scan::nothing && range * unit_cells > 2 * most_cells)
            fail("a chunk of the log holds a beam of {:.0f} cells", range * unit_cells);
}

template <class C, class S>
void code_scans(C& c, S& scans, const std::vector<Scan>& last, const StepTrack& track, const Lattice& lattice,
                double most_cells) {
    if (c.when(!C::reading && scans == last)) {
        if constexpr (C::reading) scans = last;
        return;
    }
    c.size(scans);
    for (auto& scan : scans) {
        c.integer(scan.sensor);
        if (static_cast<std::size_t>(scan.sensor) >= track.sensors.size())
            fail("a chunk of the log holds an unknown sensor");
        if (c.when(scan.age_s != 0 || scan.now_from_then != Pose{})) {
            c.number(scan.age_s);
            code_numbers(c, scan.now_from_then);
            if constexpr (C::reading) expect_on_map(lattice, scan.now_from_then, most_cells);
        } else if constexpr (C::reading) {
            scan.age_s = 0;
            scan.now_from_then = {};
        }
        c.size(scan.ranges);
        const auto sensor = static_cast<std::size_t>(scan.sensor);
        if constexpr (C::reading)
            if (scan.ranges.size() != track.beams[sensor])
                fail("a chunk of the log holds a scan of {} beams of a sensor that has {}", scan.ranges.size(),
                     track.beams[sensor]);
        c.ranges(track.sensors[sensor], scan.ranges);
        if constexpr (C::reading) expect_near(scan, track.unit_cells[sensor], most_cells);
    }
}

/// The number of a robot of the team. Throws Error on reading where there is none of that number.
template <class C, class R>
void code_robot(C& c, R& robot, std::size_t robots) {
    c.integer(robot);
    if constexpr (C::reading) Index<Robot>::read(robot, robots, "a chunk of the log", "robot");
}

/// The direct neighbours in the radio graph. Both ends of a link report the same signal: only the lower number's is
/// stored.
template <class C, class L>
void code_links(C& c, L& links, const std::vector<LinkReport>& last, std::size_t me, const auto& others,
                std::size_t robots) {
    const auto same_robots = [&] {
        return std::equal(links.begin(), links.end(), last.begin(), last.end(),
                          [](const LinkReport& a, const LinkReport& b) { return a.robot == b.robot; });
    };
    if (c.when(!C::reading && same_robots())) {
        if constexpr (C::reading) links = last;
    } else {
        c.size(links);
        for (auto& link : links) code_robot(c, link.robot, robots);
    }
    for (auto& link : links) {
        const LinkReport* theirs = nullptr;
        if (const auto other = static_cast<std::size_t>(link.robot); other < me)
            for (const LinkReport& l : others[other].percept.links)
                if (l.robot == static_cast<RobotId>(me)) theirs = &l;
        if (c.when(theirs && theirs->signal_dbm == link.signal_dbm)) {
            if constexpr (C::reading) link.signal_dbm = theirs ? theirs->signal_dbm : 0;
        } else {
            c.number(link.signal_dbm);
        }
    }
}

template <class C, class H>
void code_received(C& c, H& received, const std::vector<Reception>& last, std::size_t robots) {
    const auto same_senders = [&] {
        return std::equal(received.begin(), received.end(), last.begin(), last.end(),
                          [](const Reception& a, const Reception& b) { return a.from == b.from; });
    };
    if (c.when(!C::reading && same_senders())) {
        if constexpr (C::reading) received = last;
    } else {
        c.size(received);
        for (auto& h : received) code_robot(c, h.from, robots);
    }
    for (auto& h : received) {
        c.integer(h.bytes);
        if (!c.when(!h.all_tiles)) {
            if constexpr (C::reading) {
                h.all_tiles = true;
                h.tiles.clear();
            }
            continue;
        }
        if constexpr (C::reading) h.all_tiles = false;
        c.size(h.tiles);
        for (auto& t : h.tiles) {
            c.integer(t.x);
            c.integer(t.y);
        }
    }
}

template <class C, class W>
void code_words(C& c, W& words) {
    c.size(words);
    for (auto& word : words) {
        c.integer(word.topic);
        c.integer(word.to);
        c.size(word.values);
        for (auto& value : word.values) c.integer(value);
    }
}

template <class C, class S>
void code_sent(C& c, S& sent, const Transmission& last, const Lattice& lattice, Cell near) {
    if (c.when(sent.role != last.role)) c.integer(sent.role);
    if (c.when(sent.share != last.share || sent.summary_tiles != last.summary_tiles)) {
        c.integer(sent.share);
        c.integer(sent.summary_tiles);
    }
    if (c.when(sent.done != last.done)) {
        int done = sent.done;
        c.integer(done);
        if constexpr (C::reading) sent.done = done != 0;
    }
    if (c.when(sent.goal != last.goal)) {
        if (c.when(sent.goal.has_value())) {
            if constexpr (C::reading) sent.goal.emplace();
            code_point(c, lattice, *sent.goal, near);
        } else if constexpr (C::reading) {
            sent.goal.reset();
        }
    }
    if (c.when(sent.words != last.words)) code_words(c, sent.words);
}

/// What was sent, if anything.
template <class C, class S>
void code_transmission(C& c, S& sent, const std::optional<Transmission>& last, const Lattice& lattice, Cell near) {
    static const Transmission nothing;
    if (c.when(sent.has_value())) {
        if constexpr (C::reading)
            if (!sent) sent.emplace();
        code_sent(c, *sent, last ? *last : nothing, lattice, near);
    } else if constexpr (C::reading) {
        sent.reset();
    }
}

/// An overlay's kind, and its meaning where the name of the layer does not give it.
inline int overlay_code(const Overlay& overlay) {
    const bool named = overlay.meaning == named_meaning(overlay.kind, overlay.layer);
    return static_cast<int>(overlay.kind) + (named ? 0 : 4 * (1 + static_cast<int>(overlay.meaning)));
}
inline void decode_overlay(int code, Overlay& overlay) {
    if (code < 0 || code >= 4 * (1 + static_cast<int>(overlay_meaning_names.size())))
        fail("a chunk of the log holds an unknown kind of overlay, {}", code);
    overlay.kind = static_cast<Overlay::Kind>(code % 4);
    overlay.meaning =
        code < 4 ? named_meaning(overlay.kind, overlay.layer) : static_cast<Overlay::Meaning>(code / 4 - 1);
}

template <class C, class O>
void code_overlays(C& c, O& overlays, const std::vector<Overlay>& last, const Lattice& lattice, Cell near) {
    if (c.when(!C::reading && overlays == last)) {
        if constexpr (C::reading) overlays = last;
        return;
    }
    c.size(overlays);
    for (auto& overlay : overlays) {
        int code = C::reading ? 0 : overlay_code(overlay);
        c.integer(code);
        c.text(overlay.layer);
        if constexpr (C::reading) decode_overlay(code, overlay);
        c.text(overlay.text);
        c.size(overlay.points);
        for (auto& p : overlay.points) code_point(c, lattice, p, near);
        c.size(overlay.values);
        for (auto& v : overlay.values) c.number(v);
    }
}

/// What an operator ordered; an order that a base station passes on has a second line, the number of the robot.
template <class C, class O>
void code_order_name(C& c, O& order, std::size_t robots) {
    if constexpr (C::reading) {
        std::string name;
        c.text(name);
        const std::size_t end = name.find('\n');
        order.to = -1;
        if (end != std::string::npos &&
            std::from_chars(name.data() + end + 1, name.data() + name.size(), order.to).ec != std::errc())
            fail("a chunk of the log holds an order for nobody");
        if (end != std::string::npos) Index<Robot>::read(order.to, robots, "an order in a chunk of the log", "robot");
        order.behaviour = name.substr(0, end);
    } else {
        std::string name = order.behaviour;
        if (order.to >= 0) name += fmt::format("\n{}", order.to);
        c.text(name);
    }
}

template <class C, class P>
void code_rare(C& c, P& p, std::size_t robots) {
    c.number(p.battery);
    c.number(p.pitch);
    c.number(p.roll);
    c.size(p.sightings);
    for (auto& s : p.sightings) {
        c.integer(s.kind);
        c.integer(s.id);
        code_numbers(c, s.body_from_other);
    }
    c.size(p.commands);
    for (auto& o : p.commands) {
        code_order_name(c, o, robots);
        c.number(o.forward);
        c.number(o.turn);
        c.size(o.waypoints);
        for (auto& w : o.waypoints) {
            c.number(w.x);
            c.number(w.y);
        }
    }
}

/// What came over the second channel, whole: it may have been sent some steps before, and not all words fitted.
template <class C, class R>
void code_received_far(C& c, R& records, const StepLayout& layout, const Lattice& lattice, Cell near) {
    c.size(records);
    for (auto& r : records) {
        code_robot(c, r.robot, layout.robots);
        if (layout.past_moves) {  // frames may differ
            code_robot(c, r.frame.robot, layout.robots);
            c.integer(r.frame.epoch);
        }
        c.integer(r.seq);
        c.integer(r.step);
        code_numbers(c, r.pose);
        if constexpr (C::reading) expect_on_map(lattice, r.pose);
        c.integer(r.role);
        const bool done = c.when(r.done);
        if constexpr (C::reading) r.done = done;
        if (c.when(r.goal.has_value())) {
            if constexpr (C::reading) r.goal.emplace();
            code_point(c, lattice, *r.goal, near);
        } else if constexpr (C::reading) {
            r.goal.reset();
        }
        code_words(c, r.words);
    }
}

/// The pose estimate of the robot. The covariance is symmetric: its upper triangle.
template <class C, class L>
void code_localised(C& c, L& pose_estimate, std::size_t scans, const Lattice& lattice, const StepLayout& layout) {
    if (!c.when(pose_estimate.has_value())) {
        if constexpr (C::reading) pose_estimate.reset();
        return;
    }
    if constexpr (C::reading) {
        pose_estimate.emplace();
        pose_estimate->scans.resize(scans);
    }
    code_numbers(c, pose_estimate->pose);
    auto& v = pose_estimate->covariance;
    for (const std::size_t i : {0u, 1u, 2u, 4u, 5u, 8u}) c.number(v[i]);
    if constexpr (C::reading) {
        v[3] = v[1];
        v[6] = v[2];
        v[7] = v[5];
    }
    for (auto& pose : pose_estimate->scans) {
        if (c.when(pose.has_value())) {
            if constexpr (C::reading) pose.emplace();
            code_numbers(c, *pose);
        } else if constexpr (C::reading) {
            pose.reset();
        }
    }
    if (layout.lost) {
        const bool lost = c.when(pose_estimate->lost);
        if constexpr (C::reading) pose_estimate->lost = lost;
    }
    if (!layout.past_moves) return;
    c.size(pose_estimate->moved);
    for (auto& pose : pose_estimate->moved) {
        code_numbers(c, pose);
        if constexpr (C::reading) expect_on_map(lattice, pose, layout.most_cells);
    }
}

/// A step of robot `me`. On reading, `now` begins as a copy of the last step, so what did not change is there.
/// `others`: the same step of the robots with lower numbers.
template <class C, class S>
void code_step(C& c, S& now, StepTrack& track, std::size_t me, const auto& others, const Lattice& lattice,
               const StepLayout& layout) {
    const RobotStep& last = track.last;
    auto& p = now.percept;
    const bool alive = c.when(p.alive);
    if constexpr (C::reading) {
        if (!alive) now = RobotStep{};
        p.alive = alive;
    }
    if (!alive) return;
    if (c.when(p.motion.delta != Pose{}))
        code_numbers(c, p.motion.delta);
    else if constexpr (C::reading)
        p.motion.delta = {};
    if (c.when(p.motion.covariance != last.percept.motion.covariance))
        for (auto& v : p.motion.covariance) c.number(v);
    const bool bumped = c.when(p.bumped);
    if constexpr (C::reading) p.bumped = bumped;
    if (c.when(p.battery != last.percept.battery || p.pitch != last.percept.pitch || p.roll != last.percept.roll ||
               p.sightings != last.percept.sightings || p.commands != last.percept.commands))
        code_rare(c, p, layout.robots);
    code_scans(c, p.scans, last.percept.scans, track, lattice, layout.most_cells);
    code_links(c, p.links, last.percept.links, me, others, layout.robots);
    code_received(c, now.received, last.received, layout.robots);
    if (layout.live) {
        c.size(now.frames);
        for (auto& frame : now.frames) c.text(frame);
    }

    if (layout.pose_estimate) code_localised(c, now.pose_estimate, p.scans.size(), lattice, layout);
    track.reckoned = now.pose_estimate ? now.pose_estimate->pose : compose(track.reckoned, p.motion.delta);
    if constexpr (C::reading) expect_on_map(lattice, track.reckoned, layout.most_cells);
    const Cell here = cell_at(lattice, track.reckoned.position());
    if (layout.second_channel) code_received_far(c, p.received_far, layout, lattice, here);
    const auto code_cells = [&](auto& points) {
        c.size(points);
        Cell near = here;
        for (auto& point : points) {
            code_body_point(c, lattice, track.reckoned, point, near);
            if constexpr (C::reading) expect_on_map(lattice, point, layout.most_cells);
        }
    };
    if (layout.ground) code_cells(p.rough);
    if (layout.steps) code_cells(p.steps);
    auto& command = now.command;
    c.size(command.path_body);
    Cell near = here;
    for (auto& point : command.path_body) code_body_point(c, lattice, track.reckoned, point, near);
    if (c.when(command.final_heading.has_value())) {
        if constexpr (C::reading) command.final_heading.emplace();
        c.number(*command.final_heading);
    } else if constexpr (C::reading) {
        command.final_heading.reset();
    }
    if (c.when(command.speed_mps != last.command.speed_mps || command.valid_s != last.command.valid_s)) {
        c.number(command.speed_mps);
        c.number(command.valid_s);
    }
    code_transmission(c, now.sent, last.sent, lattice, here);
    if (layout.open_loop) code_transmission(c, now.sent_then, last.sent_then, lattice, here);
    code_overlays(c, now.overlays, last.overlays, lattice, here);
}

}  // namespace outrider
