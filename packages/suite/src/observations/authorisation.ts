import type { JsonObject } from "@assay/protocol";
import { describeReply, eventsOf, type LooseTask, looseEvent, messageIn, taskIn } from "../answers/reading.ts";
import { skippedFor } from "../answers/trouble.ts";
import { assertReadable } from "../answers/unreadable-events.ts";
import { tellsRest } from "../answers/whole-stream.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { skipped } from "../define/obstacle.ts";
import { triedSubscription } from "./several-subscribers.ts";

/** The result of a message that needs authorisation by the user. */
export interface Authorisation {
  readonly call: Call;
  /** a direct message, if the agent sent one instead of a task */
  readonly message: JsonObject | undefined;
  /** as GetTask shows it */
  readonly task: LooseTask | undefined;
  readonly got: Call | undefined;
  /** true if the stream was still open some time after the request for authorisation; absent without a stream */
  readonly stayedOpen: boolean | undefined;
}

export const authorisation = observation<Authorisation>("a task that needs an authorisation", {
  messages: 1,
  prompts: ["authRequired"],
  rank: 6,
  async make(target) {
    if (!target.facts.streaming) {
      const call = await target.send("authRequired");
      const made = taskIn(call);
      const got = made && (await target.call("GetTask", { id: made.id }));
      const message = messageIn(call);
      if (!made && !message) throw skippedFor(call, `the agent rejected the message: ${describeReply(call)}`);
      return { call, message, task: got && taskIn(got), got, stayedOpen: undefined };
    }
    const live = await target.stream("authRequired");
    const rest = await live.until(tellsRest, target.taskTimeout);
    const asked = rest && looseEvent(rest)?.state === "TASK_STATE_AUTH_REQUIRED";
    if (asked) await live.next(target.quiet);
    const stayedOpen = asked ? !live.ended : undefined;
    const call = await live.hangUp();
    const events = eventsOf(call);
    const id = events.find(({ taskId }) => taskId !== undefined)?.taskId;
    const message = events.find(({ is }) => is === "message")?.content;
    if (id === undefined && !message) assertReadable(call);
    if (id === undefined && !message) throw skippedFor(call, `the agent opened no stream: ${describeReply(call)}`);
    const got = id === undefined ? undefined : await target.call("GetTask", { id });
    return { call, message, task: got && taskIn(got), got, stayedOpen };
  },
});

/** The task while it waits for authorisation. */
interface AuthRequired {
  readonly task: LooseTask;
  readonly got: Call;
  readonly call: Call;
  /** SubscribeToTask while it waits, if the agent streams */
  readonly subscription: Call | undefined;
}

export const authRequired = observation<AuthRequired>("a task in AUTH_REQUIRED", {
  uses: [authorisation],
  async make(target) {
    const { task, got, call } = await target.observe(authorisation);
    if (!task || !got || task.state !== "TASK_STATE_AUTH_REQUIRED") {
      throw skipped("prompt", "the agent did not ask for authorisation", "prompts.authRequired in assay.yaml");
    }
    const subscription = target.facts.streaming ? await triedSubscription(target, task.id) : undefined;
    return { task, got, call, subscription };
  },
});

/** A text that no definition can read as approval. */
export const refusal = "No, I do not authorise this. Please stop.";

/** The user declines. */
export const declined = observation<Call>("an authorisation declined", {
  messages: 1,
  rank: 7,
  prompts: ["followUp"],
  uses: [authRequired],
  async make(target) {
    const { task } = await target.observe(authRequired);
    return target.send("followUp", { message: { taskId: task.id }, parts: target.say(refusal) });
  },
});
