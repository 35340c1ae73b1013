import type { JsonObject } from "@assay/protocol";
import { observation } from "../observation.ts";
import { skipped } from "../obstacle.ts";
import { describeReply, eventsOf, isAtRest, type LooseTask, looseEvent, messageIn, taskIn } from "../reading.ts";
import type { Talk } from "../talk.ts";
import { triedSubscription } from "./subscribing.ts";

/** What came of a message that needs an authorisation of the user. */
export interface Authorisation {
  readonly talk: Talk;
  /** a direct answer, where there was one instead of a task */
  readonly message: JsonObject | undefined;
  /** as GetTask shows it */
  readonly task: LooseTask | undefined;
  readonly got: Talk | undefined;
  /** whether the stream was still open a while after the agent asked; absent without a stream */
  readonly stayedOpen: boolean | undefined;
}

export const authorisation = observation<Authorisation>({
  name: "a task that needs an authorisation",
  messages: 1,
  prompts: ["authRequired"],
  rank: 6,
  async make(lab) {
    if (!lab.facts.streaming) {
      const talk = await lab.send("authRequired");
      const made = taskIn(talk);
      const got = made && (await lab.call("GetTask", { id: made.id }));
      const message = messageIn(talk);
      if (!made && !message) throw skipped("unstable", `the message was not taken: ${describeReply(talk)}`);
      return { talk, message, task: got && taskIn(got), got, stayedOpen: undefined };
    }
    const live = await lab.stream("authRequired");
    const rest = await live.until((frame) => {
      const event = looseEvent(frame);
      return event?.is === "message" || isAtRest(event?.state);
    }, lab.taskTimeout);
    const asked = rest && looseEvent(rest)?.state === "TASK_STATE_AUTH_REQUIRED";
    if (asked) await live.next(lab.quiet);
    const stayedOpen = asked ? !live.ended : undefined;
    const talk = await live.hangUp();
    const events = eventsOf(talk);
    const id = events.find(({ taskId }) => taskId !== undefined)?.taskId;
    const message = events.find(({ is }) => is === "message")?.content;
    if (id === undefined && !message) throw skipped("unstable", `no stream was opened: ${describeReply(talk)}`);
    const got = id === undefined ? undefined : await lab.call("GetTask", { id });
    return { talk, message, task: got && taskIn(got), got, stayedOpen };
  },
});

/** The task while it waits for the authorisation. */
interface AuthRequired {
  readonly task: LooseTask;
  readonly got: Talk;
  readonly talk: Talk;
  /** SubscribeToTask while it waits, where the agent has streams */
  readonly subscription: Talk | undefined;
}

export const authRequired = observation<AuthRequired>({
  name: "a task in AUTH_REQUIRED",
  messages: 0,
  uses: [authorisation],
  async make(lab) {
    const { task, got, talk } = await lab.observe(authorisation);
    if (!task || !got || task.state !== "TASK_STATE_AUTH_REQUIRED") {
      throw skipped("prompt", "the agent did not ask for an authorisation", "prompts.authRequired in assay.yaml");
    }
    const subscription = lab.facts.streaming ? await triedSubscription(lab, task.id) : undefined;
    return { task, got, talk, subscription };
  },
});

/** By nobody's definition an approval. */
export const refusal = "No, I do not authorise this. Please stop.";

/** The user declines. */
export const declined = observation<Talk>({
  name: "an authorisation declined",
  messages: 1,
  rank: 7,
  prompts: ["followUp"],
  uses: [authRequired],
  async make(lab) {
    const { task } = await lab.observe(authRequired);
    return lab.send("followUp", { message: { taskId: task.id }, parts: [{ text: refusal }] });
  },
});
