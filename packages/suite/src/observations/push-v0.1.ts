import { randomBytes } from "node:crypto";
import { describeReply, isAtRest, taskIn } from "../answers/reading.ts";
import { skippedFor } from "../answers/trouble.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { type Obstacle, skipped } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import type { Mailbox, WebhookDelivery } from "../webhook/receiver.ts";
import { unreachable } from "./notifications.ts";
import { addressRefused, refusesAddress, somewhere } from "./push-configs.ts";
import { follow } from "./sent-message.ts";
import { beginSlow } from "./several-subscribers.ts";

/** The one push configuration that a task of 0.1 has, set while the task is at work. */
export interface PushSet {
  readonly taskId: string;
  readonly url: string;
  readonly token: string;
  readonly box: Mailbox | undefined;
  readonly set: Call;
  readonly got: Call;
}

export const pushSet = observation<PushSet>({
  name: "a push configuration of a task at work",
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
  if (!task) throw skippedFor(call, `the slow message was not taken: ${describeReply(call)}`);
  return task.id;
}

const tooFast = (): Obstacle =>
  skipped("prompt", "the slow task was over before a webhook could be set", "prompts.slow in assay.yaml");

/** What came to that webhook until the end of the task. */
export const pushDelivered = observation<PushSet & { readonly deliveries: readonly WebhookDelivery[] }>({
  name: "what comes to the webhook of a task",
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
  name: "a message with a webhook of its own",
  messages: 1,
  prompts: ["task"],
  rank: 6,
  async make(target) {
    const box = target.webhook?.mailbox();
    if (!target.webhook || !box) throw unreachable();
    const call = await target.send("task", { configuration: { taskPushNotificationConfig: { url: box.url } } });
    if (refusesAddress(call)) throw addressRefused(call);
    const task = taskIn(call);
    if (!task) throw skippedFor(call, `the message was not taken: ${describeReply(call)}`);
    await follow(target, task);
    const deliveries = await box.wait(({ length }) => length > 0, target.grace);
    if (deliveries.length === 0 && !target.webhook.reachable) throw unreachable();
    return { call, deliveries };
  },
});
