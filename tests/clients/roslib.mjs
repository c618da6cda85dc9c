// `outrider serve`, by roslibjs.
import assert from "node:assert/strict";
import { join } from "node:path";

import * as ROSLIB from "roslib";

import { during, root, Running } from "./programs.mjs";

const scenario = join(root, "environments/live_office.toml");

/** A served world in lock-step, and a connection to it. */
async function served(args, test) {
  const flags = ["--rosbridge", "0", "--lockstep", "--served", "r1", "--log", "none", ...args];
  await during(new Running("serve", scenario, ...flags), async (running) => {
    const ros = new ROSLIB.Ros({ url: await running.saw(/(ws:\/\/[0-9.]+:[0-9]+) \(rosbridge\)/) });
    await new Promise((done, refuse) => {
      ros.on("connection", done);
      ros.on("error", refuse);
    });
    try {
      await test(ros, running);
    } finally {
      ros.close();
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
};
