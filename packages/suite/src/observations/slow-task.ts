import { isInternal } from "../answers/expect-error.ts";
import { describeReply, isAtRest, isEnded, type LooseTask, messageIn, taskIn } from "../answers/reading.ts";
import { skippedFor } from "../answers/trouble.ts";
import type { Call } from "../define/call.ts";
import { firstKnown, observation } from "../define/observation.ts";
import type { Target } from "../define/target.ts";
import { messageWithMetadata } from "./adorned-messages.ts";
import { noTask } from "./no-task.ts";
import { sendParams } from "./sending.ts";
import { follow } from "./sent-message.ts";
import { isAlive } from "./start-task.ts";

/** A task, slow if possible, started with returnImmediately and without history. */
interface SlowTask {
  /** the SendMessage call */
  readonly call: Call;
  /** the task in the response */
  readonly task: LooseTask;
  /** milliseconds until the response */
  readonly answeredIn: number;
  /** GetTask right after it */
  readonly first: Call;
  /** the same after enough time for a replica */
  readonly found: Call;
  /** milliseconds between the two */
  readonly missedFor: number;
  /** when it started, by the clock of `Target.now` */
  readonly begunAt: number;
}

export const slowTask = observation<SlowTask>("a task of a message with returnImmediately", {
  messages: 1,
  prompts: [["slow", "task"]],
  rank: 4,
  async make(target) {
    const kind = firstKnown(target, "slow", "task");
    const begunAt = target.now();
    const call = await target.send(kind, { configuration: { returnImmediately: true, historyLength: 0 } });
    const task = taskIn(call);
    if (!task) {
      throw messageIn(call) ? noTask(kind) : skippedFor(call, `the agent rejected the message: ${describeReply(call)}`);
    }
    const first = await target.call("GetTask", { id: task.id }, { unrepeated: true });
    const askedAt = target.now();
    const found = taskIn(first) ? first : await target.call("GetTask", { id: task.id }, { mayBeGone: true });
    const missedFor = taskIn(first) ? 0 : target.now() - askedAt;
    return { call, task, answeredIn: call.exchange.timing.end, first, found, missedFor, begunAt };
  },
});

/** A faster task does not show whether the agent waited for it. */
export const tellingMs = 400;

/** The message of `slowTask` again, while Assay sends nothing else. */
interface SlowTaskAlone {
  readonly call: Call;
  readonly task: LooseTask | undefined;
  /** milliseconds until the response */
  readonly answeredIn: number;
  /** milliseconds of the slower of two reads, before and after it: the part that is not work */
  readonly readIn: number;
}

/**
 * Repeats the message if its first response came with the end of its task. Other requests of Assay may have delayed
 * that response, so it proves nothing. Undefined if the first response needs no comparison, or allows none.
 */
export const slowTaskAlone = observation<SlowTaskAlone | undefined>("a message with returnImmediately on its own", {
  again: 1,
  prompts: [["slow", "task"]],
  uses: [slowTask, messageWithMetadata],
  async make(target) {
    const { task: first } = await target.observe(slowTask);
    const { call: waited, answeredIn: worked } = await target.observe(messageWithMetadata);
    if (!isAtRest(first.state) || !isEnded(taskIn(waited)?.state) || worked < tellingMs) return undefined;
    const read = async (): Promise<number> => {
      const { exchange } = await target.call("GetTask", { id: first.id }, { unrepeated: true });
      return exchange.timing.end;
    };
    const before = await read();
    const call = await target.send(firstKnown(target, "slow", "task"), {
      configuration: { returnImmediately: true, historyLength: 0 },
    });
    const readIn = Math.max(before, await read());
    return { call, task: taskIn(call), answeredIn: call.exchange.timing.end, readIn };
  },
});

/** A client that repeats its message. */
interface RepeatedMessage {
  /** the task of the slow message */
  readonly first: LooseTask;
  /** the identical request again, including its messageId */
  readonly again: Call;
  /** a message to the task of the repeated request; absent if none is working */
  readonly interjection: Interjection | undefined;
}

interface Interjection {
  readonly call: Call;
  /** milliseconds without a response after the end of the task; absent if unknown */
  readonly overdue: number | undefined;
}

export const repeatedMessage = observation<RepeatedMessage>("a message sent twice, and another to its task", {
  messages: 2,
  prompts: [["slow", "task"], "followUp"],
  rank: 9,
  uses: [slowTask],
  async make(target) {
    const { call, task: first } = await target.observe(slowTask);
    const again = await untilTwice(() => target.call("SendMessage", call.params ?? {}), target);
    const task = taskIn(again);
    const interjection = task && !isAtRest(task.state) ? await interject(target, task) : undefined;
    return { first, again, interjection };
  },
});

async function interject(target: Target, { id }: LooseTask): Promise<Interjection | undefined> {
  const ask = (): Promise<Call> => {
    const params = { ...sendParams(target, { taskId: id }, "followUp"), configuration: { returnImmediately: true } };
    return target.call("SendMessage", params, { timeout: target.taskTimeout + target.grace });
  };
  // Both at once and awaited together: if one fails, the other still has a reader.
  const [endedAt, { call, answeredAt }] = await Promise.all([
    follow(target, { id }).then(({ last }) => (isEnded(last?.state) ? target.now() : undefined)),
    untilTwice(ask, target, () => isAlive(target, id)).then((answer) => ({ call: answer, answeredAt: target.now() })),
  ]);
  return { call, overdue: endedAt === undefined ? undefined : answeredAt - endedAt };
}

/** A crash must happen twice to count. The second attempt uses the reserve. */
async function untilTwice(ask: () => Promise<Call>, target: Target, isWorthIt = async () => true): Promise<Call> {
  const call = await ask();
  if (!isInternal(call)) return call;
  await target.sleep(100);
  return (await isWorthIt()) ? ask() : call;
}
