import type { AgentFacts } from "../card/agent-facts.ts";
import type { PromptKind } from "../define/prompt-kind.ts";

/** The text that triggers a skill with a keyword. */
interface Keyword {
  readonly skill: string;
  readonly text: string;
  /**
   * A keyword that Assay's test bed knows without listing it. Another agent with that skill may be like agentbin, which
   * does not know it, so it is tried there first.
   */
  readonly ours?: true;
}

const says = (skill: string, text = `${skill} hello`): Keyword => ({ skill, text });
const ours = (text: string): Keyword => ({ skill: "long-running", text, ours: true });

/** Keywords by behaviour; the first listed skill is used. */
const keywords: Readonly<Partial<Record<PromptKind, readonly Keyword[]>>> = {
  task: [says("task-lifecycle")],
  message: [says("message-only")],
  stream: [says("streaming"), says("task-lifecycle")],
  slow: [says("slow", "slow 2"), ours("slow 2"), says("long-running"), says("task-cancel")],
  inputRequired: [says("multi-turn")],
  authRequired: [says("auth-required"), ours("auth-required hello")],
  failure: [says("task-failure")],
  rejected: [says("rejected"), ours("rejected hello")],
  file: [says("data-types")],
  data: [says("data-types")],
  followUp: [says("multi-turn", "done")],
};

type Skills = Pick<AgentFacts, "skills">;

/**
 * Recognises agents with the keyword skills of agentbin: the test bed, agentbin, and servers built for the same
 * messages. This decides what to send. `isTestbed` decides how much.
 */
export const hasKeywordSkills = ({ skills }: { readonly skills: readonly { readonly id: string }[] }): boolean =>
  ["task-lifecycle", "message-only"].every((id) => skills.some((skill) => skill.id === id));

const listed = (facts: Skills, kind: PromptKind): readonly Keyword[] =>
  hasKeywordSkills(facts)
    ? (keywords[kind] ?? []).filter(({ skill }) => facts.skills.some(({ id }) => id === skill))
    : [];

/** Returns the message that triggers a behaviour on such an agent. */
export const keywordFor = (facts: Skills, kind: PromptKind, isTestbed: boolean): string | undefined =>
  listed(facts, kind).find((keyword) => isTestbed || !keyword.ours)?.text;

/** Returns keywords that such an agent may know without listing them, if no listed keyword fits. */
export const unlistedKeywordsFor = (facts: Skills, kind: PromptKind): readonly string[] => {
  const known = listed(facts, kind);
  return known.every(({ ours: isOurs }) => isOurs) ? known.map(({ text }) => text) : [];
};
