import { randomBytes, randomUUID } from "node:crypto";
import type { Part } from "@assay/protocol";
import { describeReply, eventsOf, isAtRest, isEnded, type LooseTask, taskIn } from "../answers/reading.ts";
import { skippedFor } from "../answers/trouble.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { doesNotApply, type Obstacle, skipped } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import type { Mailbox, WebhookDelivery } from "../webhook/receiver.ts";
import { unreachable } from "./notifications.ts";
import { addressRefused, refusesAddress, somewhere } from "./push-configs.ts";
import { follow } from "./sent-message.ts";
import { beginSlow, openSubscription, tellsEnd } from "./several-subscribers.ts";

/** A message of 0.1 for each kind of part besides text, all in one session of ours. */
export interface EveryKindOfPart {
  readonly sessionId: string;
  readonly bytes: Call;
  readonly uri: Call;
  readonly data: Call;
}

export const everyKindOfPart = observation<EveryKindOfPart>({
  name: "a file, a file by reference, and data",
  messages: 3,
  prompts: ["task"],
  rank: 5,
  async make(target) {
    const sessionId = randomUUID();
    const send = (part: Part): Promise<Call> =>
      target.send("task", { message: { contextId: sessionId }, parts: [...target.message("task").parts, part] });
    const file = { filename: "note.txt", mediaType: "text/plain" };
    return {
      sessionId,
      bytes: await send({ raw: Buffer.from("A note.\n").toString("base64"), ...file }),
      uri: await send({ url: "https://example.com/note.txt", ...file }),
      data: await send({ data: { colour: "green", count: 3 } }),
    };
  },
});

/** What a client of 0.1 asks for when it wants JSON: pages of the time put it into the metadata of a part. */
const wishedSchema = {
  type: "array",
  items: { type: "object", properties: { word: { type: "string" } } },
} as const;

/** A message that asks for JSON of this form. */
export const structuredWish = observation<Call>({
  name: "a message that asks for structured output",
  messages: 1,
  prompts: ["task"],
  rank: 6,
  make: (target) =>
    target.send("task", {
      parts: target
        .message("task")
        .parts.map((part) => ({ ...part, metadata: { mimeType: "application/json", schema: wishedSchema } })),
    }),
});

/** A slow task of 0.1 whose client hung up in the middle of its stream, and came back. */
interface AbandonedStream {
  readonly id: string;
  /** the stream that was hung up */
  readonly call: Call;
  /** tasks/get right behind it */
  readonly got: Call;
  /** tasks/resubscribe while the task was at work; absent where it was over by then */
  readonly back: Returned | undefined;
  /** the task at the end */
  readonly last: LooseTask | undefined;
}

/** How a client that came back was answered. */
type Returned =
  | { readonly refused: Call; readonly stream?: never }
  | {
      readonly refused?: never;
      /** to its end, or as long as was fair to wait */
      readonly stream: Call;
      /** it has told how the task ended */
      readonly complete: boolean;
    };

const noticeMs = 100;

export const abandonedStream = observation<AbandonedStream>({
  name: "a stream that its client closes",
  messages: 1,
  prompts: ["slow"],
  rank: 3,
  async make(target) {
    const { live, id, state } = await beginSlow(target);
    if (isAtRest(state) || live.frames.some(tellsEnd))
      throw skipped("prompt", "the slow task ended before Assay could close its stream", "prompts.slow in assay.yaml");
    const call = await live.hangUp();
    const first = await target.call("GetTask", { id }, { mayBeGone: true });
    // A server notices with some delay that a stream has no reader any more.
    await target.sleep(noticeMs);
    const got = taskIn(first) ? await target.call("GetTask", { id }, { mayBeGone: true }) : first;
    const back = isAtRest(taskIn(got)?.state) ? undefined : await comeBack();
    const { last } = await follow(target, { id });
    return { id, call, got, back, last };

    async function comeBack(): Promise<Returned | undefined> {
      const { live: again, refused } = await openSubscription(target, id);
      if (refused) {
        // To refuse a task that is over meanwhile is right.
        return isAtRest(taskIn(await target.call("GetTask", { id }, { mayBeGone: true }))?.state)
          ? undefined
          : { refused };
      }
      await again.until(tellsEnd, target.taskTimeout);
      const stream = await again.rest(target.quiet);
      return { stream, complete: eventsOf(stream).some((event) => isEnded(event.state)) };
    }
  },
});

/** The one push configuration that a task of 0.1 has, set while the task is at work. */
interface PushSet {
  readonly taskId: string;
  readonly url: string;
  readonly token: string;
  readonly box: Mailbox | undefined;
  readonly set: Call;
  readonly got: Call;
}

export const pushSet = observation<PushSet>({
  name: "a push configuration of a working task",
  messages: 1,
  prompts: ["slow"],
  rank: 3,
  async make(target) {
    const taskId = await begin(target);
    const { url, box } = somewhere(target);
    const token = randomBytes(18).toString("base64url");
    const set = await target.call("CreateTaskPushNotificationConfig", { taskId, url, token });
    if (refusesAddress(set)) throw addressRefused(set);
    const got = await target.call("GetTaskPushNotificationConfig", { taskId, id: taskId });
    return { taskId, url, token, box, set, got };
  },
});

/** A stream begins a task and leaves it to itself; without streams, tasks/send returns when it likes. */
async function begin(target: Target): Promise<string> {
  if (target.facts.streaming) {
    const { live, id, state } = await beginSlow(target);
    await live.hangUp();
    if (isAtRest(state)) throw tooFast();
    return id;
  }
  const call = await target.send("slow");
  const task = taskIn(call);
  if (!task) throw skippedFor(call, `the agent rejected the slow message: ${describeReply(call)}`);
  return task.id;
}

const tooFast = (): Obstacle =>
  skipped("prompt", "the slow task ended before Assay could set a webhook", "prompts.slow in assay.yaml");

/** What came to that webhook until the end of the task. */
export const pushDelivered = observation<PushSet & { readonly deliveries: readonly WebhookDelivery[] }>({
  name: "notifications at the webhook of a task",
  messages: 0,
  uses: [pushSet],
  async make(target) {
    const seen = await target.observe(pushSet);
    if (!target.webhook || !seen.box) throw unreachable();
    // A task that was over by then may have ended before its webhook was known: there was nothing left to tell.
    const wasOver = isAtRest(taskIn(await target.call("GetTask", { id: seen.taskId }, { mayBeGone: true }))?.state);
    if (!wasOver) await follow(target, { id: seen.taskId });
    const deliveries = await seen.box.wait(({ length }) => length > 0, target.grace);
    if (deliveries.length === 0 && !target.webhook.reachable) throw unreachable();
    if (deliveries.length === 0 && wasOver) throw tooFast();
    return { ...seen, deliveries };
  },
});

/** A configuration that came with the message itself. */
export const pushInline = observation<{ readonly call: Call; readonly deliveries: readonly WebhookDelivery[] }>({
  name: "a message with its own webhook",
  messages: 1,
  prompts: ["task"],
  rank: 6,
  async make(target) {
    const box = target.webhook?.mailbox();
    if (!target.webhook || !box) throw unreachable();
    const call = await target.send("task", { configuration: { taskPushNotificationConfig: { url: box.url } } });
    if (refusesAddress(call)) throw addressRefused(call);
    const task = taskIn(call);
    if (!task) throw skippedFor(call, `the agent rejected the message: ${describeReply(call)}`);
    await follow(target, task);
    const deliveries = await box.wait(({ length }) => length > 0, target.grace);
    if (deliveries.length === 0 && !target.webhook.reachable) throw unreachable();
    return { call, deliveries };
  },
});

/** A message under the id of a task of 0.1 that has ended: a task of its own, because it may begin anew. */
export const messageToEndedTask = observation<Call>({
  name: "a message to a task that has ended",
  messages: 2,
  prompts: ["task"],
  rank: 6,
  async make(target) {
    const made = taskIn(await target.send("task"));
    const { last } = made ? await follow(target, made) : {};
    if (!last || !isEnded(last.state)) throw doesNotApply("the task did not end by itself");
    return target.send("task", { message: { taskId: last.id } });
  },
});
