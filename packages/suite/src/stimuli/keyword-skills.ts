import type { AgentFacts } from "../agent-facts.ts";
import type { PromptKind } from "../prompt-kind.ts";

/** What to say to the skills that answer to keywords, by the behaviour they show; of several the first that is listed. */
const keywords: Readonly<Partial<Record<PromptKind, readonly (readonly [skill: string, text: string])[]>>> = {
  task: [["task-lifecycle", "task-lifecycle hello"]],
  message: [["message-only", "message-only hello"]],
  stream: [
    ["streaming", "streaming hello"],
    ["task-lifecycle", "task-lifecycle hello"],
  ],
  slow: [
    ["slow", "slow 2"],
    // An agent that lists the long one answers to the short one as well.
    ["long-running", "slow 2"],
  ],
  inputRequired: [["multi-turn", "multi-turn hello"]],
  authRequired: [
    ["auth-required", "auth-required hello"],
    ["long-running", "auth-required hello"],
  ],
  failure: [["task-failure", "task-failure hello"]],
  rejected: [
    ["rejected", "rejected hello"],
    ["long-running", "rejected hello"],
  ],
  file: [["data-types", "data-types hello"]],
  data: [["data-types", "data-types hello"]],
  followUp: [["multi-turn", "done"]],
};

type Skills = Pick<AgentFacts, "skills">;

/**
 * Whether an agent lists the skills of agentbin, which answer to keywords: the test bed, agentbin, and servers written to be
 * tested by the same messages. It says what to send, and nothing about how much: that is for `isTestbed`.
 */
export const hasKeywordSkills = ({ skills }: { readonly skills: readonly { readonly id: string }[] }): boolean =>
  ["task-lifecycle", "message-only"].every((id) => skills.some((skill) => skill.id === id));

/** The message that brings a behaviour about on such an agent. */
export function keywordFor(facts: Skills, kind: PromptKind): string | undefined {
  if (!hasKeywordSkills(facts)) return undefined;
  return keywords[kind]?.find(([skill]) => facts.skills.some(({ id }) => id === skill))?.[1];
}
