import { isInternal } from "../answers/expect-error.ts";
import { describeReply, isAtRest, isEnded, type LooseTask, messageIn, taskIn } from "../answers/reading.ts";
import { skippedFor } from "../answers/trouble.ts";
import type { Call } from "../define/call.ts";
import { firstKnown, observation } from "../define/observation.ts";
import type { Target } from "../define/target.ts";
import { noTask } from "./no-task.ts";
import { sendParams } from "./sending.ts";
import { follow } from "./sent-message.ts";
import { isAlive } from "./start-task.ts";

/** A task, slow where we know how, begun by a client that neither waits for it nor wants its history. */
interface SlowTask {
  /** the send */
  readonly call: Call;
  /** as the send was answered */
  readonly task: LooseTask;
  /** milliseconds until the send was answered */
  readonly answeredIn: number;
  /** GetTask, asked at once */
  readonly first: Call;
  /** the same once a replica can have heard of the task */
  readonly found: Call;
  /** milliseconds between the two */
  readonly missedFor: number;
  /** when it was begun, by the clock of `Target.now` */
  readonly begunAt: number;
}

export const slowTask = observation<SlowTask>({
  name: "a task of a message with returnImmediately",
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

/** A client that is not content with one message. */
interface RepeatedMessage {
  /** the task of the slow message */
  readonly first: LooseTask;
  /** the very same request once more, its messageId included */
  readonly again: Call;
  /** a message to the task that this began or led back to; absent where there is none at work */
  readonly interjection: Interjection | undefined;
}

interface Interjection {
  readonly call: Call;
  /** milliseconds that it was unanswered after the task had ended; absent where that is not known */
  readonly overdue: number | undefined;
}

export const repeatedMessage = observation<RepeatedMessage>({
  name: "a message sent twice, and another to its task",
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
  // Both at a time, and awaited together: where one of them cannot be had, the other is not left without a reader.
  const [endedAt, { call, answeredAt }] = await Promise.all([
    follow(target, { id }).then(({ last }) => (isEnded(last?.state) ? target.now() : undefined)),
    untilTwice(ask, target, () => isAlive(target, id)).then((answer) => ({ call: answer, answeredAt: target.now() })),
  ]);
  return { call, overdue: endedAt === undefined ? undefined : answeredAt - endedAt };
}

/** A breakdown must happen twice to count; the second try is one that was kept back for that. */
async function untilTwice(ask: () => Promise<Call>, target: Target, isWorthIt = async () => true): Promise<Call> {
  const call = await ask();
  if (!isInternal(call)) return call;
  await target.sleep(100);
  return (await isWorthIt()) ? ask() : call;
}
