import { randomUUID } from "node:crypto";
import type { Divergence } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { artifact, type Skill, type SkillEvent, skill, status, type Turn } from "../definition/skill.ts";
import { intercept } from "../mutation/operations.ts";

/**
 * Agents that do one thing for every message, as most agents do. A test learns about them only from their
 * responses.
 */

/** A skill that no suite or test bed has, so that its name reveals nothing. */
const conversation = (run: Skill["run"]): Skill =>
  skill("conversation", {
    name: "Conversation",
    description: "Talks about anything.",
    tags: ["chat"],
    examples: ["What is the weather like in Oslo?"],
    run,
  });

function nature(id: string, does: string, push: boolean, run: Skill["run"], layers?: Layers): Divergence {
  const only = conversation(run);
  return {
    id,
    base: "minimal",
    does,
    differs: () => ({
      name: "Conversation Agent",
      description: "Talks about anything.",
      skills: [only],
      only,
      streaming: true,
      push,
      ...(layers && { layers }),
    }),
  };
}

async function* atOnce({ text }: Turn): AsyncGenerator<SkillEvent, void, undefined> {
  yield status("working");
  yield artifact("answer", `You said: ${text}`);
  yield status("completed");
}

/** Three seconds in six steps: long enough to be read while working, subscribed to, and canceled. */
async function* slowly({ text, clock, signal }: Turn): AsyncGenerator<SkillEvent, void, undefined> {
  for (let step = 0; step < 6; step++) {
    yield status("working", `Step ${step + 1} of 6`);
    await clock.sleep(500, signal);
  }
  yield artifact("answer", "You said: ", { last: false });
  yield artifact("answer", text, { append: true, last: true });
  yield status("completed");
}

async function* askingBack({ text, task }: Turn): AsyncGenerator<SkillEvent, void, undefined> {
  yield status("working");
  if (!task) return yield status("input-required", "For which day?");
  yield artifact("answer", `You said: ${text}`);
  yield status("completed", "Here you are.");
}

/** Answers a first message directly. A message that continues a task stays part of it. */
const answersDirectly = intercept(["SendMessage"], async ({ request: { message }, proceed }) => {
  if (message.taskId) return proceed();
  const contextId = message.contextId || randomUUID();
  const parts = [{ text: "Stream the message to see a task." }];
  return { answer: { message: { messageId: randomUUID(), contextId, role: "ROLE_AGENT", parts } } };
});

export const natureVariants: readonly Divergence[] = [
  nature("short-tasks", "Every message becomes a task that completes at once.", false, atOnce),
  nature("long-tasks", "Every message becomes a task that takes seconds.", false, slowly),
  nature("asks-back", "Asks a question before it does anything.", false, askingBack),
  nature(
    "streams-tasks",
    "Creates tasks only for streaming calls and answers other messages directly.",
    false,
    atOnce,
    {
      operations: answersDirectly,
    },
  ),
  nature("notifies", "Every message becomes a task that takes seconds and notifies webhooks.", true, slowly),
];
