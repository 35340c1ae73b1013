import type { AgentFacts } from "../card/agent-facts.ts";
import type { PromptKind } from "../define/prompt-kind.ts";

/** What to say to a skill that answers to a keyword. */
interface Keyword {
  readonly skill: string;
  readonly text: string;
  /**
   * A word that our own test bed knows without listing it. Another agent with that skill may be one of agentbin's kind, which
   * does not: there it is tried before it is believed.
   */
  readonly ours?: true;
}

const says = (skill: string, text = `${skill} hello`): Keyword => ({ skill, text });
const ours = (text: string): Keyword => ({ skill: "long-running", text, ours: true });

/** By the behaviour they show; of several the first that is listed. */
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
 * Whether an agent lists the skills of agentbin, which answer to keywords: the test bed, agentbin, and servers written to be
 * tested by the same messages. It says what to send, and nothing about how much: that is for `isTestbed`.
 */
export const hasKeywordSkills = ({ skills }: { readonly skills: readonly { readonly id: string }[] }): boolean =>
  ["task-lifecycle", "message-only"].every((id) => skills.some((skill) => skill.id === id));

const listed = (facts: Skills, kind: PromptKind): readonly Keyword[] =>
  hasKeywordSkills(facts)
    ? (keywords[kind] ?? []).filter(({ skill }) => facts.skills.some(({ id }) => id === skill))
    : [];

/** The message that is known to bring a behaviour about on such an agent. */
export const keywordFor = (facts: Skills, kind: PromptKind, isTestbed: boolean): string | undefined =>
  listed(facts, kind).find((keyword) => isTestbed || !keyword.ours)?.text;

/** What such an agent may answer to though it does not list it, where nothing that it lists would do. */
export const unlistedKeywordsFor = (facts: Skills, kind: PromptKind): readonly string[] => {
  const known = listed(facts, kind);
  return known.every(({ ours: isOurs }) => isOurs) ? known.map(({ text }) => text) : [];
};
