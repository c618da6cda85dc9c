// `outrider run --foxglove`, by Foxglove's own client.
import assert from "node:assert/strict";
import { join } from "node:path";

import protocol from "@foxglove/ws-protocol";
import WebSocket from "ws";

import { json_decoder, messages_of } from "./mcap.mjs";
import { during, folder, outrider, root, Running } from "./programs.mjs";

const { FoxgloveClient } = protocol; // a module of the older kind

/** Subscribes to all channels until the server says good-bye: the last message of each topic. */
async function look_on(url) {
  const client = new FoxgloveClient({ ws: new WebSocket(url, [FoxgloveClient.SUPPORTED_SUBPROTOCOL]) });
  const channels = new Map();
  const last = new Map();
  client.on("advertise", (advertised) => {
    for (const channel of advertised) channels.set(client.subscribe(channel.id), channel);
  });
  client.on("message", ({ subscriptionId, data }) => {
    last.set(channels.get(subscriptionId).topic, JSON.parse(new TextDecoder().decode(data)));
  });
  const close = await new Promise((done, refuse) => {
    client.on("close", done);
    client.on("error", refuse);
  });
  return { close, channels, last };
}

export const cases = {
  "Foxglove's client sees all channels of a run, and in the end what the file of the run holds": async () => {
    const log = ["--log", "full", "--log-file", "run.sqlite"];
    const scenario = join(root, "environments/small_office.toml");
    const speed = ["--foxglove", "0", "--speed", "0"];
    const running = new Running("run", scenario, "--set", "run.steps=150", ...speed, ...log);
    const { close, channels, last } = await during(running, async () => {
      const seen = await look_on(await running.saw(/(ws:\/\/[0-9.]+:[0-9]+)/));
      await running.over;
      return seen;
    });
    assert.equal(close.code, 1001);
    assert.equal(close.reason, "the server ends");
    outrider("log", "export", "run.sqlite", "--mcap", "run.mcap");
    const file = await messages_of(join(folder, "run.mcap"), json_decoder);
    for (const channel of channels.values()) {
      assert.equal(channel.encoding, "json");
      assert.equal(channel.schemaName, file.get(channel.topic).schema);
    }
    assert.deepEqual([...channels.values()].map((c) => c.topic).sort(), [...file.keys()].sort());
    for (const [topic, message] of last) assert.deepEqual(message, file.get(topic).list.at(-1), topic);
    assert.ok(last.size > 20, `${last.size} topics`);
  },
};
