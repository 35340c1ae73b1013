import type { JsonObject } from "@assay/protocol";
import type { Lab } from "../lab.ts";
import { type Observation, observation } from "../observation.ts";
import { concernsNobody, heldUp } from "../obstacle.ts";
import { describeReply, errorOf, eventsOf, isEnded, looseEvent, looseTask, messageIn, taskIn } from "../reading.ts";
import type { Talk } from "../talk.ts";
import { isAlive, noAnswer } from "./at-work.ts";
import { type Notification, readNotification, unreachable } from "./notifications.ts";
import { addressRefused, configsIn, listAll, refusesAddress } from "./push-configs.ts";
import { follow } from "./settled.ts";

/** A message that brought its own push configuration along, and its task followed to the end. */
export interface EmbeddedPush {
  readonly talk: Talk;
  readonly url: string;
  readonly notifications: readonly Notification[];
  /** the configurations of the task, where it was still at work when they were asked for */
  readonly listed: { readonly talk: Talk; readonly configs: readonly JsonObject[] } | undefined;
}

type Sent = { readonly talk: Talk; readonly taskId: string | undefined; readonly isMessage: boolean };

/** One way of sending it: at once, waiting, or as a stream. */
const embedded = (name: string, send: (lab: Lab, configuration: JsonObject) => Promise<Sent>) =>
  observation<EmbeddedPush>({
    name,
    messages: 1,
    prompts: ["slow"],
    rank: 6,
    async make(lab) {
      const box = lab.webhook?.mailbox();
      if (!lab.webhook || !box) throw unreachable();
      const { talk, taskId, isMessage } = await send(lab, { taskPushNotificationConfig: { url: box.url } });
      if (refusesAddress(talk)) throw addressRefused(talk);
      if (isMessage) throw concernsNobody("the agent answered with a message and made no task");
      if (talk.reply.is === "failure") throw noAnswer(talk);
      if (taskId === undefined) {
        const saw = errorOf(talk) || talk.reply.is !== "stream" ? describeReply(talk) : "a stream without a task";
        throw heldUp("PUSH-028", "a message with a push configuration makes no task", talk, {
          saw,
          want: "the task, with the configuration in effect",
        });
      }
      const pages = await listAll(lab, taskId);
      const isListed = pages[0]?.reply.is === "result" && (await isAlive(lab, taskId));
      const listed = isListed ? { talk: pages[0]!, configs: configsIn(pages) } : undefined;
      await follow(lab, looseTask({ id: taskId })!);
      const deliveries = await box.wait(({ length }) => length > 0, lab.grace);
      const notifications = deliveries.map((delivery) => readNotification(delivery, lab.on));
      if (notifications.length === 0 && !lab.webhook.reachable) throw unreachable();
      return { talk, url: box.url, notifications, listed };
    },
  });

const sent =
  (returnImmediately: boolean) =>
  async (lab: Lab, configuration: JsonObject): Promise<Sent> => {
    const talk = await lab.send("slow", { configuration: { returnImmediately, ...configuration } });
    return { talk, taskId: taskIn(talk)?.id, isMessage: messageIn(talk) !== undefined };
  };

export const embeddedAtOnce: Observation<EmbeddedPush> = embedded("a message with a push configuration", sent(true));

export const embeddedWaiting: Observation<EmbeddedPush> = embedded(
  "a message with a push configuration, waited for",
  sent(false),
);

export const embeddedStreaming: Observation<EmbeddedPush> = embedded(
  "a stream with a push configuration",
  async (lab, configuration) => {
    const live = await lab.stream("slow", { configuration });
    await live.until((frame) => frame.is !== "result" || isEnded(looseEvent(frame)?.state), lab.taskTimeout);
    const talk = await live.rest(Math.min(lab.grace, 5_000));
    const events = eventsOf(talk);
    return {
      talk,
      taskId: events.find(({ taskId }) => taskId !== undefined)?.taskId,
      isMessage: events[0]?.is === "message",
    };
  },
);

/** The same to an agent that offers no notifications: what it makes of it is all there is to see. */
export const embeddedWithoutPush: Observation<Talk> = observation({
  name: "a message with a push configuration, to an agent without push",
  messages: 1,
  prompts: ["task"],
  rank: 7,
  make: (lab) =>
    lab.send("task", { configuration: { taskPushNotificationConfig: { url: "https://example.com/webhook" } } }),
});
