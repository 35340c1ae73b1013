import { randomUUID } from "node:crypto";
import type { Message } from "@assay/protocol";
import { asText } from "../answers/loose-json.ts";
import { describeReply, type LooseTask, messageIn, taskIn } from "../answers/reading.ts";
import { skippedFor } from "../answers/trouble.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { skipped } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { tasksInOneContext } from "./contexts.ts";
import { follow, sentMessage, taskAtRest } from "./sent-message.ts";

/** The operator's text, sent in an existing context, and the response. */
export interface Expected {
  readonly call: Call;
  /** the task at the end, if there is one */
  readonly last: LooseTask | undefined;
}

/** After the requirements of the specification, because these rules are advice. */
const rank = 8;

async function say(
  target: Target,
  text: string,
  where: Pick<Message, "contextId" | "referenceTaskIds">,
): Promise<Expected> {
  const call = await target.send("task", { message: { messageId: randomUUID(), ...where }, parts: target.say(text) });
  const task = taskIn(call);
  if (!task && !messageIn(call)) throw skippedFor(call, `the agent rejected the message: ${describeReply(call)}`);
  const { last = task } = task ? await follow(target, task) : {};
  return { call, last };
}

/** The plan excludes the check without the operator's setting. */
const unsaid = (): never => {
  throw skipped("prompt", "only the operator knows what to expect here", "expectations in assay.yaml");
};

/** A question about earlier messages of the same context. */
export const recalled = observation<Expected>("a question about earlier messages", {
  messages: 1,
  rank,
  uses: [sentMessage],
  async make(target) {
    const { task, last, message } = await target.observe(sentMessage);
    const contextId = last?.contextId ?? task?.contextId ?? asText(message?.["contextId"]);
    if (!contextId) throw skipped("not-triggered", "the agent's responses have no context");
    return say(target, target.expectations.recall?.ask ?? unsaid(), { contextId });
  },
});

/** Asks for another version of a task's result. */
export const refined = observation<Expected & { readonly first: LooseTask }>("another version of an artifact", {
  messages: 1,
  rank,
  uses: [taskAtRest],
  async make(target) {
    const { last: first } = await target.observe(taskAtRest);
    const { contextId, id } = first;
    const where = { ...(contextId && { contextId }), referenceTaskIds: [id] };
    return { first, ...(await say(target, target.expectations.refinement ?? unsaid(), where)) };
  },
});

/** A request that could mean any of several results in its context. */
export const unclear = observation<Expected & { readonly artifacts: number }>(
  "a message that could mean several artifacts",
  {
    messages: 1,
    rank,
    uses: [tasksInOneContext],
    async make(target) {
      const { first, contextId, referring } = await target.observe(tasksInOneContext);
      const other = taskIn(referring);
      const together = other?.contextId === contextId && other.id !== first.id ? other.artifacts.length : 0;
      const artifacts = first.artifacts.length + together;
      if (artifacts < 2) throw skipped("not-triggered", "the agent created fewer than two artifacts in the context");
      return { artifacts, ...(await say(target, target.expectations.ambiguous ?? unsaid(), { contextId })) };
    },
  },
);
