import { generationOf } from "../answers/generation.ts";
import { describeReply, isAtRest, type LooseTask, messageIn, taskIn } from "../answers/reading.ts";
import { skippedFor } from "../answers/trouble.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { doesNotApply, skipped } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { noTask } from "./no-task.ts";
import { sendParams } from "./sending.ts";
import { ifSent } from "./sent-calls.ts";
import { follow } from "./sent-message.ts";
import { tooFast } from "./start-task.ts";

/** The reason why most rules about generations do not concern an agent. GEN-001 reports it. */
export const uncounted = "the tasks of this agent have no generation";

/** Messages with `ifGenerationMatch`: one for a new task, one for another generation, one for the right generation. */
interface GuardedMessages {
  /** the message of the new task */
  readonly opening: Call;
  /** the task that waits for input, before the other messages */
  readonly task: LooseTask;
  readonly generation: bigint;
  /** the message for another generation */
  readonly stale: Call | undefined;
  /** the task after it */
  readonly after: LooseTask | undefined;
  /** the message for the right generation; absent if the task no longer waits */
  readonly fresh: Call | undefined;
}

export const guardedMessages = observation<GuardedMessages>("messages with ifGenerationMatch", {
  messages: 2,
  again: 1,
  prompts: ["inputRequired", "followUp"],
  rank: 10,
  async make(target) {
    const opening = await target.send("inputRequired", { configuration: { ifGenerationMatch: "7" } });
    const made = taskIn(opening) ?? taskIn(await plainOpening(target, opening));
    if (!made) throw notAsked("it returned no task");
    const { last: task } = await follow(target, made);
    if (task?.state !== "TASK_STATE_INPUT_REQUIRED") throw notAsked(`its task is ${task?.state ?? "unavailable"}`);
    const generation = generationOf(task.json);
    if (generation === undefined) throw doesNotApply(uncounted);
    const stale = await ifSent(
      target.call("SendMessage", guarded(target, task, generation + 1_000n), { refusable: true }),
    );
    const after = taskIn(await target.call("GetTask", { id: task.id }));
    const isWaiting = after?.state === task.state && generationOf(after.json) === generation;
    const fresh = isWaiting ? await answered(target, task, generation) : undefined;
    return { opening, task, generation, stale, after, fresh };
  },
});

/** An agent that rejects the first message because of its generation may still create a task without it. */
async function plainOpening(target: Target, opening: Call): Promise<Call> {
  if (messageIn(opening)) throw notAsked("it returned a message");
  if (opening.reply.is !== "error")
    throw skippedFor(opening, `the agent rejected the message: ${describeReply(opening)}`);
  return target.send("inputRequired");
}

const guarded = (target: Target, { id }: LooseTask, generation: bigint) => ({
  ...sendParams(target, { taskId: id }, "followUp"),
  configuration: { ifGenerationMatch: String(generation) },
});

const answered = (target: Target, { id }: LooseTask, generation: bigint): Promise<Call> =>
  target.send("followUp", {
    message: { taskId: id },
    configuration: { ifGenerationMatch: String(generation) },
  });

const notAsked = (because: string) =>
  skipped("prompt", `the agent did not ask for input: ${because}`, "prompts.inputRequired in assay.yaml");

/** GetTask with the generation of a working task, while the task is cancelled. */
interface HeldRead {
  readonly generation: bigint;
  readonly call: Call;
  /** milliseconds from the moment when a plain GetTask showed a newer generation to the end of the call */
  readonly lateBy: number;
}

/** The time after which Assay gives up a request that the agent holds. */
export const heldMs = (target: Pick<Target, "grace">): number => Math.max(2_000, Math.min(target.grace, 5_000));

export const heldRead = observation<HeldRead>("GetTask that waits for a change", {
  messages: 1,
  prompts: ["slow"],
  rank: 10,
  async make(target) {
    const { id, generation } = await workingTask(target);
    // Most of the time is for the change, which may take a busy agent a while.
    const read = readAt(target, id, generation, 4 * heldMs(target)).then((call) => ({ call, endedAt: target.now() }));
    const [{ call, endedAt }, changed] = await Promise.all([read, changedAt(target, id, generation)]);
    if (changed === undefined && call.reply.is !== "result")
      throw skipped("not-triggered", "the agent could not cancel the task, and nothing else changed it");
    return { generation, call, lateBy: changed === undefined ? 0 : endedAt - changed };
  },
});

/** Starts a slow task and returns its generation while it works. */
async function workingTask(target: Target): Promise<{ readonly id: string; readonly generation: bigint }> {
  const sent = await target.send("slow", { configuration: { returnImmediately: true } });
  const task = taskIn(sent);
  if (!task)
    throw messageIn(sent) ? noTask("slow") : skippedFor(sent, `the agent rejected the message: ${describeReply(sent)}`);
  if (isAtRest(task.state)) throw tooFast();
  const generation = generationOf(taskIn(await target.call("GetTask", { id: task.id }))?.json);
  if (generation === undefined) throw doesNotApply(uncounted);
  return { id: task.id, generation };
}

/** Calls GetTask with a generation, and gives up after some time: waiting is what the agent should do. */
export const readAt = (target: Target, id: string, generation: bigint, timeout: number): Promise<Call> =>
  target.call("GetTask", { id, currentGeneration: String(generation) }, { timeout, unrepeated: true, mayHangUp: true });

/** Cancels a task. Returns when a plain GetTask showed a newer generation, by the clock of `Target.now`. */
async function changedAt(target: Target, id: string, generation: bigint): Promise<number | undefined> {
  // The request that waits should reach the agent first.
  await target.sleep(100);
  await target.call("CancelTask", { id });
  const now = generationOf(taskIn(await target.call("GetTask", { id }, { unrepeated: true }))?.json);
  return now !== undefined && now > generation ? target.now() : undefined;
}

/** GetTask over HTTP+JSON with both spellings of the query parameter, for a working task. */
interface SpelledRead {
  readonly camel: WaitingRead;
  readonly snake: WaitingRead;
}

/** A GetTask that may wait for a newer generation than this. */
interface WaitingRead {
  readonly call: Call;
  readonly generation: bigint;
}

/** Long enough to see that the agent waits, and short enough for a task that works for seconds. */
const glanceMs = 1_000;

export const spelledRead = observation<SpelledRead>("GetTask with two spellings of currentGeneration", {
  messages: 1,
  prompts: ["slow"],
  rank: 10,
  async make(target) {
    const { id, generation } = await workingTask(target);
    const camel = await readAt(target, id, generation, glanceMs);
    const now = generationOf(taskIn(await target.call("GetTask", { id }))?.json) ?? generation;
    const snake = await target.http(
      "GetTask",
      { id },
      (request) => ({ ...request, url: `${request.url}?current_generation=${now}` }),
      { timeout: glanceMs, unrepeated: true, mayHangUp: true },
    );
    return { camel: { call: camel, generation }, snake: { call: snake, generation: now } };
  },
});
