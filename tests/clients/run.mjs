// Clients that others wrote, against this program. Called by tools/test_clients:
//   node run.mjs PROGRAM ROOT
import { rmSync } from "node:fs";

import { cases as foxglove } from "./foxglove.mjs";
import { cases as mcap } from "./mcap.mjs";
import { folder } from "./programs.mjs";
import { cases as roslib } from "./roslib.mjs";

const longest_ms = 120_000; // of a case

function limited(work) {
  let timer;
  const late = new Promise((_, refuse) => {
    timer = setTimeout(() => refuse(new Error("it took too long")), longest_ms);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

let passed = 0;
let failed = 0;
for (const [name, test] of Object.entries({ ...mcap, ...foxglove, ...roslib })) {
  try {
    await limited(test());
    passed += 1;
  } catch (error) {
    failed += 1;
    console.log(`FAILED: ${name}\n${error.stack}`);
  }
}
rmSync(folder, { recursive: true, force: true });
console.log(`[clients] test cases: ${passed + failed} | ${passed} passed | ${failed} failed | 0 skipped`);
process.exit(failed > 0 ? 1 : 0);
