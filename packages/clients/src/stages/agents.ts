import {
  type AgentDefinition,
  artifact,
  reply,
  type Skill,
  type SkillEvent,
  skill,
  status,
} from "@assay/agents/making";
import { type SituationId, type SpokenInterface, situationOf } from "@assay/suite";
import { agentPath, type Stage } from "../stage.ts";

/** Creates a skill that ignores its input. */
export const doing = (run: Skill["run"]): Skill =>
  skill("situation", {
    name: "Situation",
    description: "Behaves as the situation requires, whatever the message says.",
    tags: ["test"],
    examples: [],
    run,
  });

/** One mistake of a client must not hide all others, so omissions are judged, not rejected. */
export const habits = { missingVersion: true, missingMessageId: true, missingRpcId: true, plainJsonLabel: false };

/** Creates an agent that answers every message with one skill, offered over one interface. */
export const agentOf = (
  { dialect, binding }: SpokenInterface,
  only: Skill,
  more: Partial<AgentDefinition> = {},
): AgentDefinition => ({
  path: agentPath,
  name: "Assay situation",
  description: "An agent with known behaviour, for testing a client.",
  skills: [only],
  only,
  streaming: true,
  push: false,
  dialects: [dialect],
  bindings: [binding],
  habits,
  ...more,
});

/** Further settings of an agent; a function if they depend on the interface or are created per client. */
type More = Partial<AgentDefinition> | ((offered: SpokenInterface) => Partial<AgentDefinition>);

/** Creates a stage whose agent has one skill. */
export const by = (only: Skill, more: More = {}): Stage => ({
  agent: (offered) => agentOf(offered, only, typeof more === "function" ? more(offered) : more),
});

/** Creates a stage whose agent answers with the text of the situation in a message. */
export const telling = (id: SituationId, more?: More): Stage => by(saying(answerOf(id)), more);

/** Answers with a message. */
export const saying = (text: string): Skill =>
  doing(async function* () {
    yield reply(text);
  });

/** Completes a task with an artifact. */
export const making = (text: string, ...before: readonly SkillEvent[]): Skill =>
  doing(async function* () {
    yield status("working");
    yield* before;
    yield artifact("word", text, { last: true });
    yield status("completed");
  });

/** Returns the text that a client must print in a situation. */
export const answerOf = (id: SituationId): string => situationOf(id)!.answer![0]!;

/** Returns the text with which the agent of a situation explains why the task is not done. */
export const reasonOf = (id: SituationId): string => situationOf(id)!.reason!;
