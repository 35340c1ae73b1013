import { messageIn, taskIn } from "../../answers/reading.ts";
import type { AgentFacts } from "../../card/agent-facts.ts";
import { type Observation, observation } from "../../define/observation.ts";
import { follow, type SentMessage } from "../../observations/sent-message.ts";
import type { Depth, SkillTried } from "../../report/events.ts";
import { chosenSkills, everySkill, partsSaying, readsText } from "../../stimuli/parts.ts";
import { interfaceName } from "../interface-name.ts";
import type { TestOptions } from "../options.ts";
import type { InterfaceUnderTest } from "../target/interface-under-test.ts";
import { answerMissed, answerSeen } from "./lifecycle-seen.ts";

/** One skill of the card, and its first example as a message. */
export interface SkillTry {
  readonly skill: string;
  /** absent if the card has no example for the skill */
  readonly send?: Observation<SentMessage>;
}

/** Lists the skills to try: those that the operator chose, if more than one. Each costs a message. */
export function skillTries(
  { skills, inputModes }: Pick<AgentFacts, "skills" | "inputModes">,
  { skills: chosen = [] }: Pick<TestOptions, "skills">,
  depth: Depth,
): readonly SkillTry[] {
  if (depth === "card" || depth === "free") return [];
  if (!chosen.includes(everySkill) && chosen.length < 2) return [];
  return chosenSkills(skills, chosen).map(({ id, examples: [example] }) => {
    if (example === undefined) return { skill: id };
    const parts = partsSaying(example, readsText({ inputModes, skills }, [id]));
    const send = observation<SentMessage>(`the skill ${id}`, {
      messages: 1,
      async make(target) {
        const call = await target.send("task", { parts });
        const task = taskIn(call);
        const { last, got } = task ? await follow(target, task) : { last: undefined, got: undefined };
        return { call, message: messageIn(call), task, last, got };
      },
    });
    return { skill: id, send };
  });
}

/** Tries a skill once and returns its response. */
export async function trySkill(target: InterfaceUnderTest, { skill, send }: SkillTry): Promise<SkillTried> {
  const event = { event: "skill-tried", skill, interface: interfaceName(target.on) } as const;
  if (!send) return { ...event, untried: "no-example" };
  try {
    const seen = await target.observe(send);
    return { ...event, answer: seen.message || seen.task ? answerSeen(seen) : "refused" };
  } catch (error) {
    const answer = answerMissed(error);
    return answer === undefined ? { ...event, untried: "budget" } : { ...event, answer };
  }
}

/** Names the skills that did not complete their example; undefined if all did. */
export function skillsNote(tried: readonly SkillTried[]): string | undefined {
  const words = (each: SkillTried): string =>
    each.untried === undefined
      ? outcomes[each.answer]
      : each.untried === "budget"
        ? "not tried: --budget"
        : "no example on the card";
  const open = tried.filter(({ answer }) => answer !== "completed" && answer !== "message");
  if (tried.length === 0) return undefined;
  const done = `${tried.length - open.length} of ${tried.length} skills answered their first example`;
  return open.length ? `${done}; ${open.map((each) => `${each.skill}: ${words(each)}`).join(", ")}` : done;
}

const outcomes: Readonly<Record<Extract<SkillTried, { answer: string }>["answer"], string>> = {
  message: "answered",
  completed: "completed",
  waiting: "asks for input",
  failed: "failed",
  unfinished: "did not end in time",
  refused: "refused",
  silence: "no answer",
};
