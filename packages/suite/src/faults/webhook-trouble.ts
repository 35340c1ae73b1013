import { randomUUID } from "node:crypto";
import type { LooseTask } from "../answers/reading.ts";
import { observation } from "../define/observation.ts";
import { skipped } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { heldWebhook, promptWebhook } from "../observations/failing-webhooks.ts";
import { unreachable } from "../observations/notifications.ts";
import { addressRefused, create, refusesAddress } from "../observations/push-configs.ts";
import { follow } from "../observations/sent-message.ts";
import { isAlive, startSlowTask, tooFast } from "../observations/start-task.ts";
import type { WebhookAnswer } from "../webhook/receiver.ts";
import type { Advice } from "./advice.ts";

/** A task with one good webhook, and the notifications that arrived. */
interface Notified {
  readonly good: number;
  readonly others: number;
  readonly last: LooseTask | undefined;
}

/**
 * One webhook returns errors, one closes every connection, and the third one works. A second task, whose webhooks all
 * work, shows if the failing ones are the cause.
 */
export const failingWebhooks = observation<readonly Advice[]>("webhooks that fail beside one that works", {
  messages: 2,
  prompts: ["slow"],
  async make(target) {
    const failing = await notified(target, [() => 500, () => "close"]);
    const isFailed = failing.last?.state === "TASK_STATE_FAILED";
    if (failing.good > 0 && !isFailed) return [];
    if (failing.good + failing.others === 0)
      throw target.webhook?.reachable
        ? skipped("not-triggered", "no notification arrived at any webhook")
        : unreachable();
    const working = await notified(target, [() => 200, () => 200]);
    const { good, last } = working;
    if (good === 0) throw skipped("not-triggered", "the agent does not notify all webhooks of a task");
    if (isFailed && last?.state === "TASK_STATE_FAILED")
      throw skipped("unstable", "the task fails, even while all webhooks work");
    const advice: Advice[] = [];
    if (failing.good === 0)
      advice.push({ id: "FAULT-004", saw: `${good} notifications while the other webhooks work, otherwise none` });
    if (isFailed) advice.push({ id: "FAULT-005", saw: `${last?.state} while the webhooks work, otherwise FAILED` });
    return advice;
  },
});

async function notified(target: Target, answers: readonly WebhookAnswer[]): Promise<Notified> {
  const { webhook } = target;
  if (!webhook) throw unreachable();
  const { task } = await startSlowTask(target);
  const others = answers.map((answer) => webhook.mailbox(answer));
  const good = webhook.mailbox();
  const ids = new Set<string>();
  for (const box of [...others, good]) {
    // Without an id of its own, a configuration may replace the one before.
    const { call, id } = await create(target, task.id, { id: randomUUID() }, { url: box.url, box });
    if (refusesAddress(call)) throw addressRefused(call);
    if (id === undefined)
      throw (await isAlive(target, task.id))
        ? skipped("not-triggered", "Assay could not register three webhooks for one task")
        : tooFast();
    ids.add(id);
  }
  if (ids.size <= others.length)
    throw skipped("not-triggered", "the agent keeps fewer than three webhooks for one task");
  const { last } = await follow(target, task);
  const got = await target.due(
    "notify",
    (withinMs) => good.wait(({ length }) => length > 0, withinMs),
    ({ length }) => length > 0,
  );
  return { good: got.length, others: others.reduce((sum, { deliveries }) => sum + deliveries.length, 0), last };
}

/** The longest task that can be compared with a task whose webhook is slow. */
const longestMs = 5_000;
/** The shortest response time of the slow webhook. A busy machine must not look like a slow webhook. */
const slowestMs = 8_000;

/** The shortest delay that counts. */
const delayMs = 3_000;

/** The task of a webhook that responds at once shows how long the work takes. */
export const slowWebhook = observation<readonly Advice[]>("a webhook that responds slowly", {
  messages: 2,
  prompts: [["slow", "task"]],
  async make(target) {
    const took = await promptWebhook(target);
    if (took === undefined || took > longestMs)
      throw skipped("prompt", `the task takes more than ${longestMs / 1_000} s, too long to notice a slow webhook`);
    const holdMs = Math.max(4 * took, slowestMs);
    const { heldUp, gaveUp, endedAfter } = await heldWebhook(target, { holdMs, resumesWithin: took });
    // With a timeout of its own, the agent continues before the webhook responds.
    const isDelayed = gaveUp && endedAfter !== undefined && endedAfter > 2 * took + delayMs;
    if (!heldUp && !isDelayed) return [];
    const inSeconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;
    const saw = isDelayed
      ? `the task ended ${inSeconds(endedAfter)} after the first notification, when the agent stopped waiting; ${inSeconds(took)} with a fast webhook`
      : `the task ended when the webhook responded after ${inSeconds(holdMs)}; ${inSeconds(took)} with a fast webhook`;
    return [{ id: "FAULT-006", saw } as const];
  },
});
