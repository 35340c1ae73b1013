import { randomBytes } from "node:crypto";
import type { Lab } from "../lab.ts";
import { observation } from "../observation.ts";
import { type Obstacle, skipped } from "../obstacle.ts";
import { describeReply, isAtRest, taskIn } from "../reading.ts";
import type { Talk } from "../talk.ts";
import type { Delivery, Mailbox } from "../webhook/receiver.ts";
import { unreachable } from "./notifications.ts";
import { addressRefused, refusesAddress, somewhere } from "./push-configs.ts";
import { follow } from "./settled.ts";
import { beginSlow } from "./watched.ts";

/** The one push configuration that a task of 0.1 has, set while the task is at work. */
export interface PushSet {
  readonly taskId: string;
  readonly url: string;
  readonly token: string;
  readonly box: Mailbox | undefined;
  readonly set: Talk;
  readonly got: Talk;
}

export const pushSet = observation<PushSet>({
  name: "a push configuration of a task at work",
  messages: 1,
  prompts: ["slow"],
  rank: 3,
  async make(lab) {
    const taskId = await begin(lab);
    const { url, box } = somewhere(lab);
    const token = randomBytes(18).toString("base64url");
    const set = await lab.call("CreateTaskPushNotificationConfig", { taskId, url, token });
    if (refusesAddress(set)) throw addressRefused(set);
    const got = await lab.call("GetTaskPushNotificationConfig", { taskId, id: taskId });
    return { taskId, url, token, box, set, got };
  },
});

/** A stream begins a task and leaves it to itself; without streams, tasks/send returns when it likes. */
async function begin(lab: Lab): Promise<string> {
  if (lab.facts.streaming) {
    const { live, id, state } = await beginSlow(lab);
    await live.hangUp();
    if (isAtRest(state)) throw tooFast();
    return id;
  }
  const talk = await lab.send("slow");
  const task = taskIn(talk);
  if (!task) throw skipped("unstable", `the slow message was not taken: ${describeReply(talk)}`);
  return task.id;
}

const tooFast = (): Obstacle =>
  skipped("prompt", "the slow task was over before a webhook could be set", "prompts.slow in assay.yaml");

/** What came to that webhook until the end of the task. */
export const pushHeard = observation<PushSet & { readonly deliveries: readonly Delivery[] }>({
  name: "what comes to the webhook of a task",
  messages: 0,
  uses: [pushSet],
  async make(lab) {
    const seen = await lab.observe(pushSet);
    if (!lab.webhook || !seen.box) throw unreachable();
    await follow(lab, { id: seen.taskId });
    const deliveries = await seen.box.wait(({ length }) => length > 0, lab.grace);
    if (deliveries.length === 0 && !lab.webhook.reachable) throw unreachable();
    return { ...seen, deliveries };
  },
});

/** A configuration that came with the message itself. */
export const pushInline = observation<{ readonly talk: Talk; readonly deliveries: readonly Delivery[] }>({
  name: "a message with a webhook of its own",
  messages: 1,
  prompts: ["task"],
  rank: 6,
  async make(lab) {
    const box = lab.webhook?.mailbox();
    if (!lab.webhook || !box) throw unreachable();
    const talk = await lab.send("task", { configuration: { taskPushNotificationConfig: { url: box.url } } });
    if (refusesAddress(talk)) throw addressRefused(talk);
    const task = taskIn(talk);
    if (!task) throw skipped("unstable", `the message was not taken: ${describeReply(talk)}`);
    await follow(lab, task);
    const deliveries = await box.wait(({ length }) => length > 0, lab.grace);
    if (deliveries.length === 0 && !lab.webhook.reachable) throw unreachable();
    return { talk, deliveries };
  },
});
