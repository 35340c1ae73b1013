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

/** A message of 0.1 for each kind of part besides text, all in one session. */
export interface EveryKindOfPart {
  readonly sessionId: string;
  readonly bytes: Call;
  readonly uri: Call;
  readonly data: Call;
}

export const everyKindOfPart = observation<EveryKindOfPart>("a file, a file by reference, and data", {
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

/** The schema of the JSON that a 0.1 client asks for, in the metadata of a part, as guides of that time describe. */
const wishedSchema = {
  type: "array",
  items: { type: "object", properties: { word: { type: "string" } } },
} as const;

/** A message that asks for JSON of this form. */
export const structuredWish = observation<Call>("a message that asks for structured output", {
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

/** A slow task of 0.1 whose client closed the stream in the middle, and came back. */
interface AbandonedStream {
  readonly id: string;
  /** the closed stream */
  readonly call: Call;
  /** tasks/get right after it */
  readonly got: Call;
  /** tasks/resubscribe while the task was working; absent if it had ended */
  readonly back: Returned | undefined;
  /** the task at the end */
  readonly last: LooseTask | undefined;
}

/** The response to a client that came back. */
type Returned =
  | { readonly refused: Call; readonly stream?: never }
  | {
      readonly refused?: never;
      /** the stream, to its end or to the fair time limit */
      readonly stream: Call;
      /** it showed the end of the task */
      readonly complete: boolean;
    };

const noticeMs = 100;

export const abandonedStream = observation<AbandonedStream>("a stream that its client closes", {
  messages: 1,
  prompts: ["slow"],
  rank: 3,
  async make(target) {
    const { live, id, state } = await beginSlow(target);
    if (isAtRest(state) || live.frames.some(tellsEnd))
      throw skipped("prompt", "the slow task ended before Assay could close its stream", "prompts.slow in assay.yaml");
    const call = await live.hangUp();
    const first = await target.call("GetTask", { id }, { mayBeGone: true });
    // A server notices a closed stream with some delay.
    await target.sleep(noticeMs);
    const got = taskIn(first) ? await target.call("GetTask", { id }, { mayBeGone: true }) : first;
    const back = isAtRest(taskIn(got)?.state) ? undefined : await comeBack();
    const { last } = await follow(target, { id });
    return { id, call, got, back, last };

    async function comeBack(): Promise<Returned | undefined> {
      const { live: again, refused } = await openSubscription(target, id);
      if (refused) {
        // A rejection is right if the task has ended meanwhile.
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

/** The only push configuration of a 0.1 task, set while the task is working. */
interface PushSet {
  readonly taskId: string;
  readonly url: string;
  readonly token: string;
  readonly box: Mailbox | undefined;
  readonly set: Call;
  readonly got: Call;
}

export const pushSet = observation<PushSet>("a push configuration of a working task", {
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

/** Starts a task with a stream and closes it. Without streams, tasks/send returns at any time. */
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

/** The notifications of that webhook until the end of the task. */
export const pushDelivered = observation<PushSet & { readonly deliveries: readonly WebhookDelivery[] }>(
  "notifications at the webhook of a task",
  {
    uses: [pushSet],
    async make(target) {
      const seen = await target.observe(pushSet);
      if (!target.webhook || !seen.box) throw unreachable();
      // A task that had ended may not have known its webhook in time, so no notification was due.
      const wasOver = isAtRest(taskIn(await target.call("GetTask", { id: seen.taskId }, { mayBeGone: true }))?.state);
      if (!wasOver) await follow(target, { id: seen.taskId });
      const deliveries = await seen.box.wait(({ length }) => length > 0, target.grace);
      if (deliveries.length === 0 && !target.webhook.reachable) throw unreachable();
      if (deliveries.length === 0 && wasOver) throw tooFast();
      return { ...seen, deliveries };
    },
  },
);

/** A configuration in the message itself. */
export const pushInline = observation<{ readonly call: Call; readonly deliveries: readonly WebhookDelivery[] }>(
  "a message with its own webhook",
  {
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
  },
);

/** A message to an ended task of 0.1, with its own task, because the message may restart it. */
export const messageToEndedTask = observation<Call>("a message to a task that has ended", {
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
