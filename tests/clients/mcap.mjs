// MCAP files, by MCAP's own reader and Foxglove's readers of messages.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { parse } from "@foxglove/rosmsg";
import { MessageReader } from "@foxglove/rosmsg2-serialization";
import { McapIndexedReader } from "@mcap/core";
import { loadDecompressHandlers } from "@mcap/support";

import { folder, outrider, root } from "./programs.mjs";

const sample = join(root, "logs/sample/small_office.sqlite");

class Bytes {
  constructor(bytes) {
    this.bytes = bytes;
  }
  async size() {
    return BigInt(this.bytes.length);
  }
  async read(offset, size) {
    return this.bytes.subarray(Number(offset), Number(offset + size));
  }
}

/** Messages by topic, as `decoder(schema)` makes a function that reads them. */
export async function messages_of(file, decoder) {
  const reader = await McapIndexedReader.Initialize({
    readable: new Bytes(new Uint8Array(readFileSync(file))),
    decompressHandlers: await loadDecompressHandlers(),
  });
  const decoders = new Map();
  const topics = new Map();
  let last = 0n;
  for await (const message of reader.readMessages()) {
    const channel = reader.channelsById.get(message.channelId);
    const schema = reader.schemasById.get(channel.schemaId);
    if (!decoders.has(channel.id)) decoders.set(channel.id, decoder(schema, channel));
    assert.ok(message.logTime >= last);
    last = message.logTime;
    if (!topics.has(channel.topic)) topics.set(channel.topic, { schema: schema.name, list: [] });
    topics.get(channel.topic).list.push(decoders.get(channel.id)(message.data));
  }
  assert.equal(reader.statistics.messageCount, BigInt([...topics.values()].reduce((n, t) => n + t.list.length, 0)));
  return topics;
}

const text = (bytes) => new TextDecoder().decode(bytes);

/** JSON, with the fields that its schema asks for. */
export function json_decoder(schema, channel) {
  assert.equal(channel.messageEncoding, "json");
  const required = JSON.parse(text(schema.data)).required ?? [];
  return (data) => {
    const message = JSON.parse(text(data));
    for (const key of required) assert.ok(key in message, `${schema.name}: ${key}`);
    return message;
  };
}

export function cdr_decoder(schema, channel) {
  assert.equal(channel.messageEncoding, "cdr");
  const reader = new MessageReader(parse(text(schema.data), { ros2: true }));
  return (data) => reader.readMessage(data);
}

export const cases = {
  "MCAP in JSON and in CDR hold the same run": async () => {
    outrider("log", "export", sample, "--mcap", "foxglove.mcap");
    outrider("log", "export", sample, "--mcap", "ros2.mcap", "--ros2");
    const json = await messages_of(join(folder, "foxglove.mcap"), json_decoder);
    const cdr = await messages_of(join(folder, "ros2.mcap"), cdr_decoder);
    assert.deepEqual([...json.keys()].sort(), [...cdr.keys()].sort());
    for (const [topic, { list }] of json) assert.equal(cdr.get(topic).list.length, list.length, topic);
    const odometry = cdr.get("/r1/odom").list;
    assert.ok(odometry.length > 100);
    json.get("/r1/odom").list.forEach((message, i) => {
      assert.deepEqual(message.pose.position, odometry[i].pose.pose.position);
      assert.deepEqual(message.pose.orientation, odometry[i].pose.pose.orientation);
      assert.equal(message.timestamp.sec, odometry[i].header.stamp.sec);
    });
    const scans = cdr.get("/r1/scan").list;
    json.get("/r1/scan").list.forEach((message, i) => {
      assert.equal(message.ranges.length, scans[i].ranges.length);
      message.ranges.forEach((range, k) => {
        const seen = Number.isFinite(scans[i].ranges[k]);
        assert.ok(seen ? Math.abs(range - scans[i].ranges[k]) < 1e-5 : message.intensities[k] === 0);
      });
    });
    const map = cdr.get("/r1/map").list.at(-1);
    assert.equal(map.data.length, map.info.width * map.info.height);
  },
};
