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

/** A skill that does the same whatever it is told. */
export const doing = (run: Skill["run"]): Skill =>
  skill({
    id: "situation",
    name: "Situation",
    description: "Does what the situation is about, whatever it is told.",
    tags: ["test"],
    examples: [],
    run,
  });

/** An agent that answers every message by one skill, offered over one interface. */
export const agentOf = (
  { dialect, binding }: SpokenInterface,
  only: Skill,
  more: Partial<AgentDefinition> = {},
): AgentDefinition => ({
  path: agentPath,
  name: "Assay situation",
  description: "An agent of known behaviour, for the test of a client.",
  skills: [only],
  only,
  streaming: true,
  push: false,
  dialects: [dialect],
  bindings: [binding],
  // One fault of a client must not hide all others: what it leaves out is judged, and not refused.
  habits: { missingVersion: true, missingMessageId: true, missingRpcId: true, plainJsonLabel: false },
  ...more,
});

/** What else an agent has; a function where it depends on the interface, or is made anew for each client. */
type More = Partial<AgentDefinition> | ((offered: SpokenInterface) => Partial<AgentDefinition>);

/** A stage whose agent has one skill. */
export const by = (only: Skill, more: More = {}): Stage => ({
  agent: (offered) => agentOf(offered, only, typeof more === "function" ? more(offered) : more),
});

/** A stage whose agent says the text of the situation in a message. */
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

/** The text that a client is to print, as its situation has it. */
export const answerOf = (id: SituationId): string => situationOf(id)!.answer![0]!;
