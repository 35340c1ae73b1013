import { isAtRest, isEnded, type LooseTask, taskIn } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { skipped } from "../define/obstacle.ts";
import { patienceMs, type Target } from "../define/target.ts";
import type { Mailbox, WebhookAnswer, WebhookDelivery } from "../webhook/receiver.ts";
import { noTask } from "./no-task.ts";
import { unreachable } from "./notifications.ts";
import { addressRefused, create, refusesAddress } from "./push-configs.ts";
import { ifMade } from "./sent-calls.ts";
import { follow } from "./sent-message.ts";
import { isAlive, startSlowTask, tooFast } from "./start-task.ts";

/** Maximum wait for retries that nothing depends on. */
const retryMs = 5_000;

/** Milliseconds between two reads of the task meanwhile. */
const readEachMs = 500;

/** A flooding sender does so at once. */
const floodMs = 500;

/** A task that only waited for its webhook continues at once when it answers. */
const resumeMs = 5_000;

/** A webhook that answers every notification with 503. */
interface FailingWebhook {
  readonly call: Call;
  /** the notification that arrived most often, with all its deliveries */
  readonly attempts: readonly WebhookDelivery[];
}

export const failingWebhook = observation<FailingWebhook>("a webhook that returns errors", {
  messages: 1,
  prompts: [["slow", "task"]],
  rank: 9,
  lasts: true,
  async make(target) {
    const { call, box, taskId } = await registered(target, () => 503);
    let isWaiting = true;
    const read = ifMade(readWhile(target, taskId, () => isWaiting));
    const isAgain = (deliveries: readonly WebhookDelivery[]): boolean => mostFrequent(deliveries).length > 1;
    await box.wait(isAgain, target.strict ? target.grace : Math.min(target.grace, retryMs));
    if (isAgain(box.deliveries)) await target.sleep(Math.min(target.quiet, floodMs));
    isWaiting = false;
    await read;
    return { call, attempts: mostFrequent(box.deliveries) };
  },
});

/** Reads a task until it is at rest: then the place of this observation is free for others. */
async function readWhile(target: Target, id: string, isWanted: () => boolean): Promise<void> {
  while (isWanted()) {
    const task = taskIn(await target.call("GetTask", { id }, { mayBeGone: true }));
    if (!task || isAtRest(task.state)) return;
    await target.sleep(readEachMs);
  }
}

/** A webhook that accepts notifications and never answers, watched for a minute. */
interface MuteWebhook {
  readonly call: Call;
  /** the agent closed the connection by itself */
  readonly gaveUp: boolean;
  /** the task did not continue until the webhook answered */
  readonly heldUp: boolean;
  /** milliseconds from the first notification to the end of the task, if it ended before the webhook answered */
  readonly endedAfter: number | undefined;
}

export const muteWebhook = observation<MuteWebhook>("a webhook that never answers", {
  messages: 1,
  prompts: [["slow", "task"]],
  rank: 9,
  lasts: true,
  make: (target) =>
    heldWebhook(target, { holdMs: patienceMs, resumesWithin: 0, watch: (gone, until) => until(() => gone.aborted) }),
});

/** Waits until something is true, at most as long as the webhook holds its response. */
type Until = (isTrue: () => boolean | Promise<boolean>) => Promise<boolean>;

interface HeldWebhook {
  /** the longest time without a response */
  readonly holdMs: number;
  /** the time that the rest of the task may take, in milliseconds */
  readonly resumesWithin: number;
  /** watches the connection while the response is held back */
  readonly watch?: (gone: AbortSignal, until: Until) => Promise<unknown>;
}

/** Holds back the response of a webhook until its task ends, at most for a time. */
export async function heldWebhook(target: Target, { holdMs, resumesWithin, watch }: HeldWebhook): Promise<MuteWebhook> {
  let release = (_status: number): void => {};
  const held = new Promise<number>((resolve) => {
    release = resolve;
  });
  try {
    const { call, box, taskId } = await registered(target, () => held);
    const { at, gone } = box.deliveries[0]!;
    const isOver = (): Promise<boolean> => hasEnded(target, taskId);
    const isHeld: Until = (isTrue) => until(target, at + holdMs, isTrue);
    await watch?.(gone, isHeld);
    const ended = await isHeld(isOver);
    const endedAfter = ended ? target.now() - at : undefined;
    const gaveUp = gone.aborted;
    release(200);
    const heldUp = !ended && (await until(target, target.now() + resumesWithin + resumeMs, isOver));
    return { call, gaveUp, heldUp, endedAfter };
  } finally {
    release(200);
  }
}

/** Returns the time from the first notification to the end of a task whose webhook responds at once. */
export async function promptWebhook(target: Target): Promise<number | undefined> {
  const { box, taskId } = await registered(target, () => 200);
  const { at } = box.deliveries[0]!;
  const ended = await until(target, at + target.taskTimeout, () => hasEnded(target, taskId));
  return ended ? target.now() - at : undefined;
}

const hasEnded = async (target: Target, id: string): Promise<boolean> =>
  isEnded(taskIn(await target.call("GetTask", { id }, { mayBeGone: true }))?.state);

async function until(target: Target, deadline: number, isTrue: () => boolean | Promise<boolean>): Promise<boolean> {
  while (!(await isTrue())) {
    if (target.now() > deadline) return false;
    await target.sleep(250);
  }
  return true;
}

/** A working task with such a webhook, after its first notification. */
async function registered(
  target: Target,
  answer: WebhookAnswer,
): Promise<{ readonly call: Call; readonly box: Mailbox; readonly taskId: string }> {
  const { webhook } = target;
  if (!webhook) throw unreachable();
  const box = webhook.mailbox(answer);
  const { call, task } = target.hasPrompt("slow") ? await whileAtWork(target, box) : await withMessage(target, box);
  const isSome = ({ length }: readonly WebhookDelivery[]): boolean => length > 0;
  if (!isSome(await box.wait(isSome, target.quiet))) {
    await follow(target, task, async (ms) => isSome(await box.wait(isSome, ms)));
    // Checks that wait longer decide if silence is a fault.
    await box.wait(isSome, Math.min(target.grace, retryMs));
  }
  if (isSome(box.deliveries)) return { call, box, taskId: task.id };
  throw webhook.reachable ? skipped("not-triggered", "no notification arrived at the webhook") : unreachable();
}

async function whileAtWork(target: Target, box: Mailbox): Promise<{ readonly call: Call; readonly task: LooseTask }> {
  const { task } = await startSlowTask(target);
  const { call } = await create(target, task.id, {}, { url: box.url, box });
  if (refusesAddress(call)) throw addressRefused(call);
  if (call.reply.is === "result") return { call, task };
  throw (await isAlive(target, task.id)) ? skipped("not-triggered", "Assay could not register a webhook") : tooFast();
}

/** A short task gets its webhook with the message. */
async function withMessage(target: Target, box: Mailbox): Promise<{ readonly call: Call; readonly task: LooseTask }> {
  const configuration = { returnImmediately: true, taskPushNotificationConfig: { url: box.url } };
  const call = await target.send("task", { configuration });
  if (refusesAddress(call)) throw addressRefused(call);
  const task = taskIn(call);
  if (!task) throw noTask();
  return { call, task };
}

/** Returns all deliveries of the notification that arrived most often. */
function mostFrequent(deliveries: readonly WebhookDelivery[]): readonly WebhookDelivery[] {
  const byBody = new Map<string, WebhookDelivery[]>();
  for (const delivery of deliveries.filter(({ cut }) => !cut)) {
    const body = Buffer.from(delivery.body).toString("latin1");
    byBody.set(body, [...(byBody.get(body) ?? []), delivery]);
  }
  return [...byBody.values()].reduce((most, each) => (each.length > most.length ? each : most), []);
}
