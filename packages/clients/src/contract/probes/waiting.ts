import { agent, breaking, completing, endless, reporting, word } from "../agents.ts";
import type { Probe } from "../lab.ts";
import { namesState } from "../reading.ts";

const polled = { streaming: false } as const;

/** TASK_POLL_001 */
const polls: Probe = async (lab) => {
  const scene = await lab.scene(
    agent(completing, {
      ...polled,
      layers: reporting(["TASK_STATE_WORKING", "TASK_STATE_WORKING", "TASK_STATE_WORKING"]),
    }),
  );
  const { id } = await scene.task();
  const once = await scene.run(["task", "get", id]);
  const waited = await scene.run(["task", "get", id, "--wait"]);
  await scene.close();
  lab.expect(
    once.calls("GetTask").length === 1 && namesState(once.output, "WORKING"),
    "one GetTask without --wait, and the state WORKING",
    `${once.calls("GetTask").length} calls, ${lab.describe(once)}`,
    "Read the task once and print its state.",
    once.command,
  );
  lab.expect(
    waited.exit === 0 && waited.calls("GetTask").length >= 3 && namesState(waited.output, "COMPLETED"),
    "with --wait, GetTask until the task is COMPLETED",
    `${waited.calls("GetTask").length} calls, ${lab.describe(waited)}`,
    "With --wait, poll until the task ends or is interrupted.",
    waited.command,
  );
};

/** TASK_POLL_002 */
const pollsPatiently: Probe = async (lab) => {
  const reads: number[] = [];
  const layers = reporting([], () => reads.push(performance.now()));
  const scene = await lab.scene(agent(endless, { ...polled, layers }));
  const { id } = await scene.task(true);
  const limited = await scene.run(["task", "get", id, "--wait", "--poll-interval", "1s", "--timeout", "3s"]);
  const gaps = reads.slice(1).map((at, index) => at - reads[index]!);
  lab.expect(
    /A2ACLI_ERR_TIMEOUT/.test(`${limited.output}${limited.errors}`) && [1, 5].includes(limited.exit ?? -1),
    "A2ACLI_ERR_TIMEOUT with exit code 5 or 1 when --timeout expires",
    lab.describe(limited),
    "Stop waiting after --timeout and report A2ACLI_ERR_TIMEOUT.",
    limited.command,
  );
  // The interval may grow (backoff), so only a shorter one is a fault. A busy machine shortens single gaps a little.
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / Math.max(1, gaps.length);
  lab.expect(
    reads.length >= 2 && mean >= 500,
    "GetTask about every second",
    reads.length < 2 ? `${reads.length} reads` : `a read every ${Math.round(mean)} ms`,
    "Wait for --poll-interval between two reads.",
    limited.command,
  );
  const before = reads.length;
  let isPolling = (): void => {};
  const interrupt = new Promise<void>((resolve) => {
    isPolling = resolve;
  });
  const watch = setInterval(() => reads.length > before && isPolling(), 20);
  const interrupted = await scene.run(["task", "get", id, "--wait", "--poll-interval", "1s"], { interrupt });
  clearInterval(watch);
  lab.expect(
    reads.length > before && (interrupted.ended === "exit" || interrupted.ended === "signal"),
    "an end after SIGINT",
    lab.describe(interrupted),
    "End the wait on SIGINT.",
    interrupted.command,
  );
};

/** TASK_POLL_003 */
const stopsAtInterruption: Probe = async (lab) => {
  for (const state of ["INPUT_REQUIRED", "AUTH_REQUIRED"] as const) {
    const states = [
      "TASK_STATE_WORKING",
      ...Array<`TASK_STATE_${typeof state}`>(500).fill(`TASK_STATE_${state}`),
    ] as const;
    const scene = await lab.scene(agent(completing, { ...polled, layers: reporting(states) }));
    const { id } = await scene.task();
    const run = await scene.run(["task", "get", id, "--wait"]);
    lab.expect(
      run.exit === 0 && namesState(run.output, state),
      `an end of the wait at ${state} with exit code 0`,
      lab.describe(run),
      `Stop waiting at ${state} and report the state.`,
      run.command,
    );
  }
  const scene = await lab.scene(
    agent(completing, { ...polled, layers: reporting(["TASK_STATE_UNSPECIFIED", "TASK_STATE_UNSPECIFIED"]) }),
  );
  const { id } = await scene.task();
  const run = await scene.run(["task", "get", id, "--wait"]);
  lab.expect(
    run.exit === 0 && namesState(run.output, "COMPLETED"),
    "further polling at TASK_STATE_UNSPECIFIED",
    lab.describe(run),
    "Treat TASK_STATE_UNSPECIFIED as neither terminal nor interrupted.",
    run.command,
  );
};

/** TASK_POLL_004 */
const fallsBack: Probe = async (lab) => {
  const scene = await lab.scene(agent(completing, { layers: breaking() }));
  const sent = await scene.run(lab.send("go"));
  const { id } = await scene.task(true);
  const waited = await scene.run(["task", "get", id, "--wait"]);
  await scene.close();
  // TASK_POLL_001 judges a tool that does not have --wait.
  for (const run of waited.calls().length ? [sent, waited] : [sent])
    lab.expect(
      run.exit === 0 && namesState(run.output, "COMPLETED") && run.output.includes(word),
      "the completed task, although every stream breaks",
      lab.describe(run),
      "When the stream fails, poll with GetTask until the task ends.",
      run.command,
    );
  const streamed = [sent, waited].some((run) => run.calls("SendStreamingMessage", "SubscribeToTask").length);
  if (!streamed) lab.remark("its waits use no stream");
};

export const waitProbes = {
  A2ACLI_TASK_POLL_001: polls,
  A2ACLI_TASK_POLL_002: pollsPatiently,
  A2ACLI_TASK_POLL_003: stopsAtInterruption,
  A2ACLI_TASK_POLL_004: fallsBack,
};
