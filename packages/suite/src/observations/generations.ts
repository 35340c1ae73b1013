import { generationOf } from "../answers/generation.ts";
import { describeReply, isAnswered, isAtRest, type LooseTask, messageIn, taskIn } from "../answers/reading.ts";
import { skippedFor } from "../answers/trouble.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { doesNotApply, skipped } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { noTask } from "./no-task.ts";
import { sendParams } from "./sending.ts";
import { type SentCalls, sentCalls } from "./sent-calls.ts";
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
  /** messages for generations above and below that of the task */
  readonly stale: SentCalls<Call>;
  /** the task after them */
  readonly after: LooseTask | undefined;
  /** the message for the right generation; absent if the task no longer waits */
  readonly fresh: Call | undefined;
  /** the task after it, if the agent rejected it */
  readonly rejected: LooseTask | undefined;
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
    // 0 means that there is no generation.
    const others = [generation + 1_000n, ...(generation > 1n ? [generation - 1n] : [])];
    const stale = await sentCalls(
      others.map((other) => target.call("SendMessage", guarded(target, task, other), { refusable: true })),
    );
    const read = async () => taskIn(await target.call("GetTask", { id: task.id }));
    const after = await read();
    const fresh = isSame(after, task) ? await answered(target, task, generation) : undefined;
    const rejected = fresh && !isAnswered(fresh) ? await read() : undefined;
    return { opening, task, generation, stale, after, fresh, rejected };
  },
});

/** Returns true if nothing has changed in a task. */
export const isSame = (now: LooseTask | undefined, before: LooseTask): boolean =>
  now?.state === before.state && generationOf(now?.json) === generationOf(before.json);

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

/** Reads of a working task over HTTP+JSON with both spellings of the query parameter, between two plain ones. */
export interface SpelledReads {
  readonly generation: bigint;
  readonly plain: Call;
  readonly camel: Call;
  readonly snake: Call;
  readonly after: Call;
}

/** Long enough to see that the agent waits, and short enough for a task that works for seconds. */
const glanceMs = 1_000;

/** Returns true if the agent read its task much faster than Assay waits for a change. */
export const isQuick = (call: Call): boolean => taskIn(call) !== undefined && call.exchange.timing.end < glanceMs / 4;

export const spelledReads = observation<readonly SpelledReads[]>("GetTask with two spellings of currentGeneration", {
  messages: 1,
  again: 1,
  prompts: ["slow"],
  rank: 10,
  async make(target) {
    const first = await spelled(target);
    const took = ({ exchange }: Call): number => exchange.timing.end;
    if (took(first.snake) <= 2 * took(first.plain) + 100) return [first];
    // An agent that is slow once does not wait, so a second task confirms it. It gets one more read before, because
    // some agents are slow in a regular way.
    return [first, await spelled(target, { isShifted: true })];
  },
});

async function spelled(target: Target, { isShifted = false } = {}): Promise<SpelledReads> {
  const { id } = await workingTask(target);
  const read = (): Promise<Call> => target.call("GetTask", { id }, { unrepeated: true });
  /** A busy agent may be slow once. */
  const readQuickly = async (): Promise<Call> => {
    let call = await read();
    for (let attempt = 0; attempt < 2 && !isQuick(call); attempt++) call = await read();
    return call;
  };
  if (isShifted) await read();
  const plain = await readQuickly();
  const generation = generationOf(taskIn(plain)?.json);
  if (generation === undefined) throw skippedFor(plain, `GetTask did not return the task: ${describeReply(plain)}`);
  const camel = await readAt(target, id, generation, glanceMs);
  const now = generationOf(taskIn(camel)?.json) ?? generation;
  const snake = await target.http(
    "GetTask",
    { id },
    (request) => ({ ...request, url: `${request.url}?current_generation=${now}` }),
    { timeout: glanceMs, unrepeated: true, mayHangUp: true },
  );
  return { generation, plain, camel, snake, after: await readQuickly() };
}
