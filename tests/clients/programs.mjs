// Starts the program as a user does, and ends it with the test.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const program = process.argv[2];
export const root = process.argv[3];
export const folder = mkdtempSync(join(tmpdir(), "outrider-clients-"));

/** Runs a command to its end; returns what it printed. */
export function outrider(...args) {
  return execFileSync(program, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

/** A command that goes on beside the test. */
export class Running {
  constructor(...args) {
    this.said = "";
    this.child = spawn(program, args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
    this.child.stderr.setEncoding("utf8").on("data", (text) => {
      this.said += text;
    });
    this.over = once(this.child, "close").then(([code]) => (this.code = code));
  }

  /** The first group of the pattern, once the program has said it. */
  async saw(pattern) {
    for (;;) {
      const match = pattern.exec(this.said);
      if (match) return match[1];
      if (this.code !== undefined) throw new Error(`it ended without ${pattern}: ${this.said}`);
      await Promise.race([once(this.child.stderr, "data"), this.over]);
    }
  }

  async end() {
    this.child.kill("SIGINT");
    await this.over;
  }
}

/** Its code and output do not matter: what a test asks of it, it asks while it runs. */
export async function during(running, test) {
  try {
    return await test(running);
  } finally {
    await running.end();
  }
}
