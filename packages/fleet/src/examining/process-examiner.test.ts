import { expect, test } from "vitest";
import { jobOf, plannedOf } from "../queue/queue.fixture.ts";
import type { Examination } from "./examination.ts";
import { type ProcessCaps, processExaminer, type SecretsOf } from "./process-examiner.ts";

const caps: ProcessCaps = { memory: 160, deadline: 20_000, agents: 3 };
const never = new AbortController().signal;
const jobFor = (agent: string) => plannedOf(jobOf(agent));

/** Processes that do this instead of examining. */
const doing = (program: string, more: Partial<ProcessCaps> = {}, secretsOf: SecretsOf = () => undefined) =>
  processExaminer({ file: process.execPath, flags: [], args: ["-e", program], env: {} }, secretsOf, {
    ...caps,
    ...more,
  });

const examined: Examination = {
  class: "working",
  reason: { code: "conformant", message: "m", remedy: "r" },
  duration_ms: 1,
  mayPass: false,
};

/** Answers each job with its process id and its secret as the message, after doing something that depends on the agent. */
const telling = (act = "") => `
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  require("readline").createInterface({ input: process.stdin }).on("line", async (line) => {
    const { name } = JSON.parse(line).agent;
    let reusable = true;
    ${act}
    const reason = { code: "conformant", message: [process.pid, process.env.SECRET].join(" "), remedy: "r" };
    const examination = { ...${JSON.stringify(examined)}, reason };
    process.stdout.write(JSON.stringify({ examination, reusable }) + "\\n");
  }).on("close", () => process.exit(0));`;

/** Examines one agent after the other; returns the number of each one's process, in the order in which they appear. */
async function processesOf(examine: ReturnType<typeof doing>, agents: readonly string[]): Promise<string[]> {
  const seen: string[] = [];
  const numbers: string[] = [];
  for (const agent of agents) {
    const { reason } = await examine(jobFor(agent), never);
    const [pid = "", ...secret] = reason.message.split(" ").filter(Boolean);
    if (reason.code === "conformant" && !seen.includes(pid)) seen.push(pid);
    numbers.push(reason.code === "conformant" ? [seen.indexOf(pid), ...secret].join(" ") : reason.code);
  }
  return numbers;
}

test("a process reads the job, and what it writes is the examination", async () => {
  const line = JSON.stringify({ examination: examined, reusable: false });
  const answer = `process.stdin.once("data", (job) => {
    if (JSON.parse(job).agent.name === "a") console.log(${JSON.stringify(line)}); process.exit(0) })`;
  expect(await doing(answer)(jobFor("a"), never)).toEqual(examined);
});

const besidesHeap = [
  "holds too much besides its heap",
  "const all = []; setInterval(() => all.push(Buffer.alloc(32 << 20, 1)), 5)",
  "process-memory",
] as const;

test.each<readonly [string, string, string]>([
  ["ends without a word", "process.exit(0)", "process-died"],
  ["breaks down", "throw new Error('ours')", "process-died"],
  ["says something else", 'console.log(\'{"examination":{"class":"guilty"}}\')', "process-died"],
  ["says more than one line", telling('process.stdout.write("{}\\n{}\\n")'), "process-died"],
  ["runs out of heap", "const all = []; for (;;) all.push(new Array(1e5).fill({}))", "process-memory"],
  // Windows does not tell how much that is.
  ...(process.platform === "win32" ? [] : [besidesHeap]),
])("no agent is accused when the process of its examination %s", async (_title, program, code) => {
  const { class: named, reason } = await doing(program)(jobFor("a"), never);
  expect([named, reason.code]).toEqual(["not-examined", code]);
});

test("a process that does not exit is killed with its child processes", async () => {
  const hangs = `require("child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1e3)"], { stdio: "inherit" });
    setInterval(() => {}, 1e3)`;
  const { reason } = await doing(hangs, { deadline: -9_500 })(jobFor("a"), never);
  expect(reason.code).toBe("deadline");
});

test("what is interrupted has no examination at all", async () => {
  const stop = new AbortController();
  const examining = doing("setInterval(() => {}, 1e3)")(jobFor("a"), stop.signal);
  stop.abort(new Error("Ctrl-C"));
  await expect(examining).rejects.toThrow("Ctrl-C");
});

test("a process is replaced after its number of agents", async () => {
  expect(await processesOf(doing(telling()), ["a", "b", "c", "d"])).toEqual(["0", "0", "0", "1"]);
});

test("a process with credentials tests no other agent", async () => {
  const secretsOf: SecretsOf = ({ agent: { name } }) => (name.startsWith("login") ? { SECRET: name } : undefined);
  const agents = ["a", "login1", "b", "login2", "login2"];
  expect(await processesOf(doing(telling(), {}, secretsOf), agents)).toEqual([
    ...["0", "1 login1", "0", "2 login2", "3 login2"],
  ]);
});

test("a process with leftovers of an examination is replaced", async () => {
  const leaves = doing(telling('if (name === "leaves") reusable = false;'));
  expect(await processesOf(leaves, ["a", "leaves", "b"])).toEqual(["0", "0", "1"]);
});

test.skipIf(process.platform === "win32")(
  "a process that holds too much memory after an examination is replaced",
  async () => {
    const grows = doing(telling('if (name === "grows") globalThis.all = Buffer.alloc(100 << 20, 1);'));
    expect(await processesOf(grows, ["a", "grows", "b"])).toEqual(["0", "0", "1"]);
  },
);

test("a process tests one agent at a time", async () => {
  const examine = doing(telling("await wait(20);"));
  const pids = await Promise.all(["a", "b"].map(async (agent) => (await examine(jobFor(agent), never)).reason.message));
  expect(new Set(pids).size).toBe(2);
});

test("a crash caused by one agent costs no other agent its examination", async () => {
  const dies = doing(telling('if (name === "deadly") process.exit(1);'));
  expect(await processesOf(dies, ["a", "deadly", "b"])).toEqual(["0", "process-died", "1"]);
});

test("a crash caused by an earlier agent costs the next one nothing", async () => {
  const infected = doing(telling('if (globalThis.infected) process.exit(1); if (name === "bad") infected = true;'));
  expect(await processesOf(infected, ["bad", "good"])).toEqual(["0", "1"]);
});

test("a process that writes without a job is killed", async () => {
  const lies = doing(telling('if (name === "liar") setTimeout(() => console.log("{}"), 10);'));
  const first = await lies(jobFor("liar"), never);
  const isAlive = () => {
    try {
      return process.kill(Number(first.reason.message), 0);
    } catch {
      return false;
    }
  };
  await expect.poll(isAlive).toBe(false);
  const next = await lies(jobFor("a"), never);
  expect([next.class, next.reason.message === first.reason.message]).toEqual(["working", false]);
});
