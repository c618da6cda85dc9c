// `outrider serve`, by roslibjs.
import assert from "node:assert/strict";
import { join } from "node:path";

import { parse } from "@foxglove/rosmsg";
import { MessageReader } from "@foxglove/rosmsg2-serialization";
import * as ROSLIB from "roslib";

import { during, root, Running } from "./programs.mjs";

const scenario = join(root, "environments/live_office.toml");

/** A served world in lock-step, and one connection to it, or so many. */
async function served(args, test, connections = 1) {
  const flags = ["--rosbridge", "0", "--lockstep", "--served", "r1", "--log", "none", ...args];
  await during(new Running("serve", scenario, ...flags), async (running) => {
    const url = await running.saw(/(ws:\/\/[0-9.]+:[0-9]+) \(rosbridge\)/);
    const all = Array.from({ length: connections }, () => new ROSLIB.Ros({ url }));
    const connected = (ros) =>
      new Promise((done, refuse) => {
        ros.on("connection", done);
        ros.on("error", refuse);
      });
    await Promise.all(all.map(connected));
    try {
      await test(...all, running);
    } finally {
      for (const ros of all) ros.close();
    }
  });
}

/** A call of roslibjs that answers by one of two functions, the last arguments. */
const ask = (ros, call, ...args) => new Promise((done, refuse) => ros[call](...args, done, refuse));

const topic_of = (ros, name, messageType, more = {}) => new ROSLIB.Topic({ ros, name, messageType, ...more });

/** The first message of a topic that `fits`. */
const first = (topic, fits = () => true) =>
  new Promise((done) => {
    const look = (message) => {
      if (!fits(message)) return;
      topic.unsubscribe(look);
      done(message);
    };
    topic.subscribe(look);
  });

/** Drives a robot with one command for each message of the clock, so that the world goes on. */
function keep_driving(ros, robot, velocity) {
  const command = topic_of(ros, `/${robot}/cmd_vel`, "geometry_msgs/Twist");
  const twist = { linear: { x: velocity, y: 0, z: 0 }, angular: { x: 0, y: 0, z: 0 } };
  topic_of(ros, "/clock", "rosgraph_msgs/Clock").subscribe(() => command.publish(twist));
  command.advertise();
}

/** A message has the fields that a decoded type has. */
function assert_fields(message, type, where) {
  if (typeof type === "string" || Array.isArray(type)) {
    assert.equal(Array.isArray(message), Array.isArray(type), where);
    if (Array.isArray(type) && message.length > 0) assert_fields(message[0], type[0], `${where}[]`);
    return;
  }
  assert.deepEqual(Object.keys(message), Object.keys(type), where);
  for (const key of Object.keys(type)) assert_fields(message[key], type[key], `${where}.${key}`);
}

export const cases = {
  "every service of rosapi answers roslibjs's own calls": () =>
    served([], async (ros) => {
      const { topics, types } = await ask(ros, "getTopics");
      assert.equal(topics.length, types.length);
      const type_of = (topic) => types[topics.indexOf(topic)];
      assert.equal(type_of("/r1/scan"), "sensor_msgs/LaserScan");
      assert.equal(type_of("/r3/odom"), "nav_msgs/Odometry");
      assert.equal(await ask(ros, "getTopicType", "/r1/cmd_vel"), "geometry_msgs/Twist");
      assert.deepEqual(await ask(ros, "getNodes"), ["/outrider"]);
      assert.deepEqual(await ask(ros, "getParams"), []);
      const services = await ask(ros, "getServices");
      assert.ok(services.includes("/rosapi/topics_and_raw_types"));
      const raw = await ask(ros, "getTopicsAndRawTypes");
      assert.deepEqual(raw.topics, topics);
      assert.match(raw.typedefs_full_text[topics.indexOf("/r1/scan")], /float32\[\] ranges\n[^]*MSG: std_msgs\/Header/);
      const time = new ROSLIB.Service({ ros, name: "/rosapi/get_time", serviceType: "rosapi/GetTime" });
      assert.deepEqual(await new Promise((done, refuse) => time.callService({}, done, refuse)), {
        time: { secs: 0, nsecs: 0 },
      });
      for (const type of new Set(types)) assert.ok((await ask(ros, "getMessageDetails", type)).length > 0);
      await assert.rejects(ask(ros, "getMessageDetails", "none/Such"), /none\/Such/);
    }),

  "what roslibjs hears of a robot that it drives has the types that rosapi says": () =>
    served([], async (ros) => {
      const heard = ["/r1/scan", "/r1/odom", "/tf", "/tf_static", "/clock"].map(async (name) => {
        const type = await ask(ros, "getTopicType", name);
        const message = await first(topic_of(ros, name, type));
        const typedefs = await ask(ros, "getMessageDetails", type);
        assert_fields(message, ros.decodeTypeDefs(typedefs), name);
      });
      keep_driving(ros, "r1", 0.3);
      await Promise.all(heard);
      const moved = (odometry) => Math.hypot(odometry.pose.pose.position.x, odometry.pose.pose.position.y) > 0.2;
      await first(topic_of(ros, "/r1/odom", "nav_msgs/Odometry"), moved);
    }),

  "a controller that says nothing before a scan comes drives, and is told how it would drive at once": () =>
    served(["--patience", "0.5"], async (ros, running) => {
      const command = topic_of(ros, "/r1/cmd_vel", "geometry_msgs/Twist");
      const ahead = { linear: { x: 0.3, y: 0, z: 0 }, angular: { x: 0, y: 0, z: 0 } };
      topic_of(ros, "/r1/scan", "sensor_msgs/LaserScan").subscribe(() => command.publish(ahead));
      const moved = (odometry) => odometry.pose.pose.position.x > 0.2;
      const there = await first(topic_of(ros, "/r1/odom", "nav_msgs/Odometry"), moved);
      assert.ok(there.header.stamp.secs < 3); // from the first step on
      assert.match(running.said, /listens to r1, [^]*advertises \/r1\/cmd_vel, or publishes to it/);
    }),

  "maps, paths and markers of robots are what they drew, and grow": () =>
    served([], async (ros, other) => {
      const grids = [];
      topic_of(ros, "/r1/map", "nav_msgs/OccupancyGrid").subscribe((grid) => grids.push(grid));
      const base = first(topic_of(ros, "/map", "nav_msgs/OccupancyGrid"));
      const path = first(topic_of(ros, "/r2/path", "nav_msgs/Path"), (p) => p.poses.length > 1);
      const drawn = (m) => m.markers.some((marker) => marker.ns === "frontiers" && marker.points.length > 0);
      const markers = first(topic_of(ros, "/r1/markers", "visualization_msgs/MarkerArray"), drawn);
      const late = first(topic_of(ros, "/clock", "rosgraph_msgs/Clock"), ({ clock }) => clock.secs >= 30);
      keep_driving(ros, "r1", 0.3);
      await late;
      const known = (grid) => grid.data.filter((cell) => cell >= 0).length;
      for (const grid of [...grids, await base]) {
        assert.equal(grid.header.frame_id, "map");
        assert.equal(grid.data.length, grid.info.width * grid.info.height);
        assert.ok(grid.data.includes(0) && grid.data.includes(100));
        assert.ok(grid.data.every((cell) => [-1, 0, 100].includes(cell)));
      }
      assert.ok(grids.length > 1);
      assert.ok(known(grids.at(-1)) > known(grids[0]));
      const size = (await path).poses.map(({ pose }) => pose.position);
      assert.ok(size.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)));
      assert.equal((await markers).markers[0].action, 3); // what was there before goes
      // Who drives a robot shows its path itself; others get it in their dialect.
      const shown = first(topic_of(other, "/r1/path", "nav_msgs/msg/Path"));
      const header = { seq: 0, stamp: { secs: 7, nsecs: 8 }, frame_id: "map" };
      const mine = topic_of(ros, "/r1/path", "nav_msgs/Path");
      topic_of(ros, "/clock", "rosgraph_msgs/Clock").subscribe(() => mine.publish({ header, poses: [{ header }] }));
      const passed = await shown;
      assert.deepEqual(passed.header, { stamp: { sec: 7, nanosec: 8 }, frame_id: "map" });
      assert.equal(passed.poses[0].pose.position.x, 0);
    }, 2),

  "cbor, cbor-raw and parts hold the same messages as JSON": () =>
    served([], async (plain, packed, raw, parts) => {
      const kinds = { "/r1/scan": "sensor_msgs/msg/LaserScan", "/tf": "tf2_msgs/msg/TFMessage" };
      kinds["/r1/map"] = "nav_msgs/msg/OccupancyGrid";
      kinds["/r1/markers"] = "visualization_msgs/msg/MarkerArray";
      const heard = [plain, packed, raw, parts].map(() => new Map());
      const subscribe = (ros, to, name, more) => {
        const keep = (message) => to.set(name, [...(to.get(name) ?? []), message]);
        topic_of(ros, name, kinds[name], more).subscribe(keep);
      };
      for (const name of Object.keys(kinds)) {
        subscribe(plain, heard[0], name, {});
        subscribe(packed, heard[1], name, { compression: "cbor" });
        subscribe(raw, heard[2], name, { compression: "cbor-raw" });
        parts.on(name, (message) => heard[3].set(name, [...(heard[3].get(name) ?? []), message.msg]));
        parts.callOnConnection({ op: "subscribe", topic: name, type: kinds[name], fragment_size: 500 });
      }
      const types = await ask(raw, "getTopicsAndRawTypes");
      for (const ros of [plain, packed, parts]) await ask(ros, "getNodes"); // all have subscribed
      const late = first(topic_of(plain, "/clock", "rosgraph_msgs/msg/Clock"), ({ clock }) => clock.sec >= 5);
      keep_driving(plain, "r1", 0.3);
      await late;
      const plainly = (value) => {
        if (ArrayBuffer.isView(value)) return Array.from(value);
        if (Array.isArray(value)) return value.map(plainly);
        if (typeof value !== "object") return value;
        return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plainly(part)]));
      };
      const single = (value) => {
        if (typeof value === "number") return Math.fround(value);
        if (typeof value !== "object") return value;
        return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, single(part)]));
      };
      const nanoseconds = (text) => text.replaceAll('"nsec"', '"nanosec"');
      for (const [name, type] of Object.entries(kinds)) {
        const i = types.topics.indexOf(name);
        assert.equal(types.types[i], type);
        const reader = new MessageReader(parse(types.typedefs_full_text[i], { ros2: true }));
        const count = Math.min(...heard.map((of) => of.get(name).length));
        assert.ok(count > 0, name);
        for (let k = 0; k < count; k += 1) {
          const [json, cbor, sent, whole] = heard.map((of) => of.get(name)[k]);
          assert.deepEqual(single(plainly(cbor)), single(json), name);
          assert.deepEqual(whole, json, name);
          assert.equal(typeof sent.secs, "number");
          const read = JSON.parse(nanoseconds(JSON.stringify(plainly(reader.readMessage(sent.bytes)))));
          assert.deepEqual(single(read), single(json), name);
        }
      }
    }, 4),

  "a throttled topic comes seldom, and the newest message waits where there is a queue": () =>
    served([], async (ros, lossy, keeping) => {
      const count = { lossy: 0, keeping: 0 };
      const slow = { throttle_rate: 3_600_000 };
      topic_of(lossy, "/clock", "rosgraph_msgs/Clock", slow).subscribe(() => (count.lossy += 1));
      let last = 0;
      topic_of(keeping, "/clock", "rosgraph_msgs/Clock", { throttle_rate: 300, queue_length: 1 }).subscribe((m) => {
        count.keeping += 1;
        last = m.clock.secs + m.clock.nsecs / 1e9;
      });
      for (const other of [lossy, keeping]) await ask(other, "getNodes");
      let now = 0;
      let stop = false;
      const command = topic_of(ros, "/r1/cmd_vel", "geometry_msgs/Twist");
      topic_of(ros, "/clock", "rosgraph_msgs/Clock").subscribe(({ clock }) => {
        now = clock.secs + clock.nsecs / 1e9;
        if (!stop) command.publish({});
        stop = now >= 10;
      });
      command.advertise();
      while (now < 10 || last < now) await new Promise((done) => setTimeout(done, 20));
      assert.equal(count.lossy, 1);
      assert.ok(count.keeping < 51, `${count.keeping} of 51`);
    }, 3),

  "what cannot be sent so is refused with a word, and named": () =>
    served([], async (ros, running) => {
      const told = [];
      ros.on("status", (status) => told.push(status.msg));
      const subscribe = (more) => ros.callOnConnection({ op: "subscribe", topic: "/r1/scan", ...more });
      subscribe({ compression: "png" });
      subscribe({ type: "sensor_msgs/PointCloud2" });
      ros.callOnConnection({ op: "advertise", topic: "/r1/cmd_vel", type: "geometry_msgs/Pose" });
      await ask(ros, "getNodes");
      await running.saw(/compression png: expected none, cbor or cbor-raw/);
      await running.saw(/type sensor_msgs\/PointCloud2, expected sensor_msgs\/LaserScan/);
      await running.saw(/type geometry_msgs\/Pose, expected geometry_msgs\/Twist/);
    }),

  "at the end of a run the connection is closed with a reason": () =>
    served(["--set", "run.steps=20"], async (ros) => {
      const closed = new Promise((done) => ros.on("close", done));
      keep_driving(ros, "r1", 0.3);
      const { code, reason } = await closed;
      assert.equal(code, 1001);
      assert.equal(reason, "the server ends");
    }),
};
