import type { JsonObject } from "@assay/protocol";
import { asObject } from "../answers/loose-json.ts";
import { describeReply, errorOf, type LooseTask, looseTask, messageIn, resultOf, taskIn } from "../answers/reading.ts";
import { isUnknown } from "../answers/served.ts";
import { skippedFor } from "../answers/trouble.ts";
import type { Call } from "../define/call.ts";
import { type Observation, observation } from "../define/observation.ts";
import { doesNotApply, heldUp, skipped } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { noTask, unanswered } from "./no-task.ts";
import { wantsOtherTag } from "./part-tag.ts";
import { readsSchemaOnly } from "./schema-spelling.ts";
import { ifMade, ifSent } from "./sent-calls.ts";
import { taskStream } from "./task-stream.ts";

/** A message and its response, and its task followed until it is at rest. */
export interface SentMessage {
  /** the SendMessage call */
  readonly call: Call;
  /** the direct message */
  readonly message: JsonObject | undefined;
  /** the task in the response */
  readonly task: LooseTask | undefined;
  /** the task at the end */
  readonly last: LooseTask | undefined;
  /** GetTask at the end, if there is a task */
  readonly got: Call | undefined;
}

/** The basis of nearly everything: one plain message and its result. */
export const sentMessage = observation<SentMessage>("a message and its task", {
  messages: 1,
  prompts: ["task"],
  rank: 1,
  make: plainMessage,
});

async function plainMessage(target: Target): Promise<SentMessage> {
  const call = await target.send("task");
  const message = messageIn(call);
  const task = taskIn(call);
  if (!message && !task) {
    const other = (await wantsOtherTag(target, call)) ?? (await readsSchemaOnly(target, call));
    if (other) throw other;
    const because = `SendMessage returns neither a task nor a message: ${describeReply(call)}`;
    throw unanswered("SEND-001", call, because, "a result with either task or message");
  }
  const { last, got } = task ? await follow(target, task) : { last: undefined, got: undefined };
  return { call, message, task, last, got };
}

/** Repeats it, from the reserve, if the agent returned a message and is known to create tasks. */
async function onceMore(target: Target, seen: SentMessage): Promise<SentMessage> {
  if (seen.task || !target.knownTask(() => true)) return seen;
  return (await ifSent(plainMessage(target))) ?? seen;
}

/** A task, and GetTask at its end. */
interface TaskAtRest {
  /** the message, or the stream if the agent creates tasks only in streams */
  readonly call: Call;
  /** as first shown */
  readonly task: LooseTask;
  readonly last: LooseTask;
  readonly got: Call;
}

/** The task of the plain message, or of a stream if that returns a message. */
export const taskAtRest: Observation<TaskAtRest> = observation<TaskAtRest>("a task at rest", {
  uses: [sentMessage],
  async make(target) {
    const sent = await onceMore(target, await target.observe(sentMessage));
    const seen = sent.task ? { ...sent, task: sent.task } : await ifMade(taskOfStream(target));
    if (!seen) throw noTask();
    const { call, task, last, got } = seen;
    if (got && isWrapped(got)) {
      throw heldUp("GET-005", "GetTask wraps the task in another member", got, {
        saw: describeReply(got),
        want: "id and status at the top of the result",
      });
    }
    if (!last || !got) {
      // Throws if the agent has purged the task.
      await target.call("GetTask", { id: task.id });
      throw heldUp(
        "GET-001",
        `GetTask does not return the task that ${call.streamed ? "a stream showed" : "SendMessage created"}: ${got ? describeReply(got) : "no answer"}`,
        got ?? call,
        got && isUnknown({ operation: "GetTask", call: got }) ? { code: "operation-not-served" } : {},
      );
    }
    return { call, task, last, got };
  },
});

/** Returns the first task of a stream, followed as above; undefined without a stream or a task. */
async function taskOfStream(
  target: Target,
): Promise<{ call: Call; task: LooseTask; last: LooseTask | undefined; got: Call } | undefined> {
  if (!target.facts.streaming || !target.hasPrompt("stream")) return undefined;
  const { call, events } = await target.observe(taskStream);
  const first = events.find(({ taskId }) => taskId !== undefined);
  if (!first || first.is === "message") return undefined;
  const { taskId: id, contextId } = first;
  const task = looseTask(first.is === "task" ? first.content : { id, ...(contextId && { contextId }) })!;
  return { call, task, ...(await follow(target, task)) };
}

/** A task may come from memory first, and later from a store that keeps whole seconds. */
export const roundedToMs = 1_000;

/** The same task read twice more without changes, far enough apart to show another timestamp. */
export const readAgain = observation<readonly Call[]>("a task read again", {
  uses: [taskAtRest],
  lasts: true,
  async make(target) {
    const { last } = await target.observe(taskAtRest);
    const again = await target.call("GetTask", { id: last.id });
    await target.sleep(roundedToMs + 100);
    return [again, await target.call("GetTask", { id: last.id })];
  },
});

/** The task is wrapped as in SendMessage. */
const isWrapped = (got: Call): boolean => !taskIn(got) && looseTask(asObject(resultOf(got))?.["task"]) !== undefined;

/** Returns true if the state will change by itself. An unknown state has nothing to wait for. */
const isAtWork = (state: string | undefined): boolean =>
  state === "TASK_STATE_SUBMITTED" || state === "TASK_STATE_WORKING";

/** Milliseconds between two reads of a task: a quarter of the time that it has taken so far. */
const pauseAfter = (ms: number): number => Math.min(Math.max(50, ms / 4), 2_000);

/**
 * Reads a task until it is at rest, less and less often. `last` is undefined if GetTask never returned it. `aliveAt`
 * is when it was last seen working, by the clock of `Target.now`. `pause` waits between two reads, and returns true if
 * the caller has seen enough.
 */
export async function follow(
  target: Target,
  task: Pick<LooseTask, "id">,
  pause: (ms: number) => Promise<boolean> = async (ms) => {
    await target.sleep(ms);
    return false;
  },
): Promise<{ last: LooseTask | undefined; got: Call; aliveAt: number | undefined }> {
  const startedAt = target.now();
  let aliveAt: number | undefined;
  for (let askedAt = startedAt; ; ) {
    const got = await target.call("GetTask", { id: task.id }, { mayBeGone: true });
    const last = taskIn(got);
    if (!last || !isAtWork(last.state)) return { last, got, aliveAt };
    aliveAt = askedAt;
    const elapsed = target.now() - startedAt;
    const ms = pauseAfter(elapsed);
    if (elapsed + ms > target.taskTimeout || (await pause(ms))) return { last, got, aliveAt };
    askedAt = startedAt + elapsed + ms;
  }
}

/** A direct message, although the request had returnImmediately. */
export const directMessage = observation<Call>("a direct message", {
  messages: 1,
  rank: 5,
  uses: [sentMessage],
  async make(target) {
    const { message: plain } = await target.observe(sentMessage);
    const kind = target.hasPrompt("message") ? "message" : "task";
    if (kind === "task" && !plain) {
      throw skipped(
        "prompt",
        "no known message makes the agent answer without a task",
        "prompts.message in assay.yaml",
      );
    }
    const call = await target.send(kind, { configuration: { returnImmediately: true } });
    if (messageIn(call)) return call;
    if (taskIn(call)) throw doesNotApply("the agent returned a task");
    if (errorOf(call)) throw skippedFor(call, `the agent rejected the message: ${describeReply(call)}`);
    throw heldUp("SEND-014", "a message with returnImmediately gets an empty response", call, {
      saw: describeReply(call),
      want: "a complete message, the same as without returnImmediately",
    });
  },
});
