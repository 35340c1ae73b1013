import type { JsonObject } from "@assay/protocol";
import { isInternal } from "../answers/expect-error.ts";
import { asObject } from "../answers/loose-json.ts";
import {
  describeReply,
  errorOf,
  eventsOf,
  isAtRest,
  isEnded,
  looseEvent,
  looseTask,
  messageIn,
  resultOf,
  taskIn,
} from "../answers/reading.ts";
import { wholeEvents } from "../answers/whole-stream.ts";
import type { Call } from "../define/call.ts";
import { firstKnown, type Observation, observation } from "../define/observation.ts";
import { heldUp, skipped } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { nowhere } from "../webhook/nowhere.ts";
import type { Mailbox, WebhookDelivery } from "../webhook/receiver.ts";
import { noTask } from "./no-task.ts";
import { type Notification, readNotification, unreachable } from "./notifications.ts";
import { addressRefused, configsIn, listAll, refusesAddress } from "./push-configs.ts";
import { follow, sentMessage } from "./sent-message.ts";
import { isAlive, noAnswer, tooFast } from "./start-task.ts";

/** A message with its own push configuration, and its task followed to the end. */
export interface EmbeddedPush {
  readonly call: Call;
  readonly url: string;
  readonly notifications: readonly Notification[];
  /** the configurations of the task, if it was still working when they were requested */
  readonly listed: { readonly call: Call; readonly configs: readonly JsonObject[] } | undefined;
}

interface Sent {
  readonly call: Call;
  readonly taskId: string | undefined;
  readonly isMessage: boolean;
  /** the task was seen before it was at rest, so that a notification was due */
  readonly wasAtWork: boolean;
}

/** If the task had ended before it was first seen, no notification is due and silence proves nothing. */
const undueMs = 5_000;

/** Returns the notifications at a webhook once the first has arrived. */
const arrivals = (target: Target, box: Mailbox, wasAtWork: boolean): Promise<readonly WebhookDelivery[]> => {
  const isSome = ({ length }: readonly WebhookDelivery[]): boolean => length > 0;
  return wasAtWork
    ? target.due("notify", (withinMs) => box.wait(isSome, withinMs), isSome)
    : box.wait(isSome, Math.min(target.grace, undueMs));
};

/** Declares one way to send the message: with returnImmediately, blocking, or as a stream. */
const embedded = (name: string, send: (target: Target, configuration: JsonObject) => Promise<Sent>) =>
  observation<EmbeddedPush>(name, {
    messages: 1,
    prompts: [["slow", "task"]],
    rank: 6,
    uses: [sentMessage],
    async make(target) {
      const box = target.webhook?.mailbox();
      if (!target.webhook || !box) throw unreachable();
      const { call, taskId, isMessage, wasAtWork } = await send(target, {
        taskPushNotificationConfig: { url: box.url },
      });
      if (refusesAddress(call)) throw addressRefused(call);
      if (isMessage) throw noTask();
      if (call.reply.is === "failure") throw noAnswer(call);
      if (taskId === undefined) {
        // The task may be in the part that was cut off or is unreadable.
        wholeEvents(call);
        // Before 1.0 no text defines the response to a message whose configuration is rejected.
        if (target.on.dialect !== "1.0" && errorOf(call) && !isInternal(call))
          throw skipped("not-triggered", `the agent rejects a push configuration in a message: ${describeReply(call)}`);
        // If a message without a configuration creates no task either, that is the fault.
        await target.observe(sentMessage);
        const saw = errorOf(call) || call.reply.is !== "stream" ? describeReply(call) : "a stream without a task";
        throw heldUp("PUSH-028", "a message with a push configuration creates no task", call, {
          saw,
          want: "the task, with the configuration in effect",
        });
      }
      const pages = await listAll(target, taskId);
      const [first] = pages;
      const isListed = first && asObject(resultOf(first)) !== undefined && (await isAlive(target, taskId));
      const listed = isListed ? { call: first, configs: configsIn(pages) } : undefined;
      const { last } = await follow(target, looseTask({ id: taskId })!);
      const deliveries = await arrivals(target, box, wasAtWork);
      // Only the end must be notified, and a task that waits for the user has none.
      if (deliveries.length === 0 && last && !isEnded(last.state))
        throw skipped("not-triggered", `the task is ${last.state}, and the agent need not notify before the task ends`);
      const notifications = deliveries.map((delivery) => readNotification(delivery, target.on));
      if (notifications.length === 0 && !target.webhook.reachable) throw unreachable();
      // A task that ended before it was first seen may have had no update to notify.
      if (notifications.length === 0 && !wasAtWork) throw tooFast();
      return { call, url: box.url, notifications, listed };
    },
  });

const sent =
  (returnImmediately: boolean) =>
  async (target: Target, configuration: JsonObject): Promise<Sent> => {
    const kind = firstKnown(target, "slow", "task");
    const call = await target.send(kind, { configuration: { returnImmediately, ...configuration } });
    const task = taskIn(call);
    // A blocking message returns an ended task, so only a slow prompt shows that it was working.
    const wasAtWork = returnImmediately ? !isAtRest(task?.state) : kind === "slow";
    return { call, taskId: task?.id, isMessage: messageIn(call) !== undefined, wasAtWork };
  };

export const embeddedAtOnce: Observation<EmbeddedPush> = embedded("a message with a push configuration", sent(true));

export const embeddedWaiting: Observation<EmbeddedPush> = embedded(
  "a blocking message with a push configuration",
  sent(false),
);

export const embeddedStreaming: Observation<EmbeddedPush> = embedded(
  "a stream with a push configuration",
  async (target, configuration) => {
    const live = await target.stream(firstKnown(target, "slow", "task"), { configuration });
    await live.until((frame) => frame.is !== "result" || isEnded(looseEvent(frame)?.state), target.taskTimeout);
    const call = await live.rest(Math.min(target.grace, 5_000));
    const events = eventsOf(call);
    return {
      call,
      taskId: events.find(({ taskId }) => taskId !== undefined)?.taskId,
      isMessage: events[0]?.is === "message",
      wasAtWork: events.some(({ state }) => state !== undefined && !isAtRest(state)),
    };
  },
);

/** The same message to an agent without notifications, to see its response. */
export const embeddedWithoutPush: Observation<Call> = observation(
  "a message with a push configuration, to an agent without push",
  {
    messages: 1,
    prompts: ["task"],
    rank: 7,
    make: (target) => target.send("task", { configuration: { taskPushNotificationConfig: { url: nowhere } } }),
  },
);
