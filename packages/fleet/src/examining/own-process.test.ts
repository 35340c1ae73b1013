import { expect, test } from "vitest";
import { jobOf, plannedOf } from "../queue/queue.fixture.ts";
import type { Examination } from "./examination.ts";
import { type ProcessCaps, processExaminer } from "./own-process.ts";

const caps: ProcessCaps = { memory: 160, deadline: 20_000 };

/** A process that does this instead of examining. */
const doing = (program: string, more: Partial<ProcessCaps> = {}) =>
  processExaminer(() => ({ file: process.execPath, flags: [], args: ["-e", program], env: {} }), { ...caps, ...more });

const examined: Examination = {
  class: "working",
  reason: { code: "conformant", message: "m", remedy: "r" },
  duration_ms: 1,
  mayPass: false,
};
const never = new AbortController().signal;
const answer = `process.stdin.once("data", (job) => { process.stdout.write(JSON.stringify(${JSON.stringify(examined)}));
  process.exit(JSON.parse(job).agent.name === "a" ? 0 : 1) })`;

test("a process reads the job, and what it writes is the examination", async () => {
  expect(await doing(answer)(plannedOf(jobOf("a")), never)).toEqual(examined);
});

const besidesHeap = [
  "holds too much besides its heap",
  "const all = []; setInterval(() => all.push(Buffer.alloc(32 << 20, 1)), 5)",
  "process-memory",
] as const;

test.each<readonly [string, string, string]>([
  ["ends without a word", "process.exit(0)", "process-died"],
  ["breaks down", "throw new Error('ours')", "process-died"],
  ["says something else", 'process.stdout.write(\'{"class":"guilty"}\'); process.exit(0)', "process-died"],
  ["runs out of heap", "const all = []; for (;;) all.push(new Array(1e5).fill({}))", "process-memory"],
  // Windows does not tell how much that is.
  ...(process.platform === "win32" ? [] : [besidesHeap]),
])("no agent is accused when the process of its examination %s", { timeout: 30_000 }, async (_title, program, code) => {
  const { class: named, reason } = await doing(program)(plannedOf(jobOf("a")), never);
  expect([named, reason.code]).toEqual(["not-examined", code]);
});

test("a process that does not exit is killed with its child processes", async () => {
  const hangs = `require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1e3)"], { stdio: "inherit" });
    setInterval(() => {}, 1e3)`;
  const { reason } = await doing(hangs, { deadline: -9_500 })(plannedOf(jobOf("a")), never);
  expect(reason.code).toBe("deadline");
});

test("what is interrupted has no examination at all", async () => {
  const stop = new AbortController();
  const examining = doing("setInterval(() => {}, 1e3)")(plannedOf(jobOf("a")), stop.signal);
  stop.abort(new Error("Ctrl-C"));
  await expect(examining).rejects.toThrow("Ctrl-C");
});
