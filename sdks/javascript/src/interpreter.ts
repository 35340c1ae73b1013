import { setTimeout as sleep } from "node:timers/promises";
import type { DescribedSkill, SkilledAgent, SkillPart, SkillState, SkillStep, SkillsFile } from "./skills-file.ts";

/** Publishes the events of a skill, in the way of each SDK. */
export interface SkillTeller {
  message(text: string): void;
  /** Publishes the task as SUBMITTED, unless it already exists. */
  begin(): void;
  status(state: SkillState, text?: string): void;
  artifact(name: string, parts: readonly SkillPart[], more: { append: boolean; lastChunk: boolean }): void;
}

/** Asks the agent of a card with the SDK's own client, and returns the texts of its answer. */
export type AskAgent = (cardUrl: string, text: string, signal: AbortSignal) => Promise<string>;

/** Performs the skills of skills.json for one agent. */
export class SkillInterpreter {
  readonly #file: SkillsFile;
  readonly #agent: SkilledAgent;
  readonly #ask: AskAgent;
  /** skills of open tasks, by task id */
  readonly #open = new Map<string, DescribedSkill>();

  constructor(file: SkillsFile, agent: SkilledAgent, ask: AskAgent) {
    this.#file = file;
    this.#agent = agent;
    this.#ask = ask;
  }

  /** Performs one turn of a task. Aborting the signal cancels it. */
  async run(taskId: string, text: string, tell: SkillTeller, signal: AbortSignal): Promise<void> {
    const open = this.#open.get(taskId);
    const skill = open ?? this.#skillOf(text);
    const steps = open ? (turnOf(open, text) ?? []) : skill.steps;
    if (skill.next) this.#open.set(taskId, skill);
    for (const step of steps) {
      if (signal.aborted) break;
      if ((await this.#take(step, text, tell, signal)) === "over") return;
    }
    if (signal.aborted) tell.status("canceled");
  }

  #skillOf(text: string): DescribedSkill {
    const { skills, answers, otherwise } = this.#agent;
    const word = text.trim().split(/\s+/, 1)[0]!.toLowerCase();
    const id = [...skills, ...answers].find((each) => each === word) ?? otherwise;
    return this.#file.skills[id]!;
  }

  async #take(step: SkillStep, text: string, tell: SkillTeller, signal: AbortSignal): Promise<"over" | undefined> {
    const fill = (words: string): string => words.replaceAll("{text}", text);
    switch (step.do) {
      case "message":
        tell.message(fill(step.text));
        return;
      case "begin":
        tell.begin();
        return;
      case "status":
        tell.status(step.state, step.text === undefined ? undefined : fill(step.text));
        return;
      case "artifact": {
        const { name, append = false, lastChunk = true } = step;
        const parts = step.parts.map((part) => (part.text === undefined ? part : { ...part, text: fill(part.text) }));
        tell.artifact(name, parts, { append, lastChunk });
        return;
      }
      case "wait":
        await sleep(millisecondsOf(step, text), undefined, { signal }).catch(() => {});
        return;
      case "relay":
        return this.#relay(step.name, text, tell, signal);
    }
  }

  async #relay(name: string, words: string, tell: SkillTeller, signal: AbortSignal): Promise<"over" | undefined> {
    const [, cardUrl = "", text = ""] = /^\s*relay\s+(\S+)\s+(.+)$/is.exec(words) ?? [];
    if (!isOnThisMachine(cardUrl)) {
      tell.status("rejected", "[relay] Say: relay <cardUrl> <text>, with an address of this machine.");
      return "over";
    }
    try {
      const answer = await this.#ask(cardUrl, text, signal);
      tell.artifact(name, [{ text: answer }], { append: false, lastChunk: true });
      return undefined;
    } catch (error) {
      tell.status("failed", `[relay] ${error instanceof Error ? error.message : String(error)}`);
      return "over";
    }
  }
}

const turnOf = ({ next = [] }: DescribedSkill, text: string): readonly SkillStep[] | undefined =>
  next.find(({ contains }) => contains === undefined || text.toLowerCase().includes(contains.toLowerCase()))?.steps;

const timeScale = Number(process.env["ASSAY_TIME_SCALE"] ?? 1);

function millisecondsOf({ seconds, asked, atLeast = 0 }: Extract<SkillStep, { do: "wait" }>, text: string): number {
  const wanted = asked ? Number(/\d+/.exec(text)?.[0] ?? seconds) : seconds;
  return Math.max(wanted * timeScale, Math.min(wanted, atLeast)) * 1000;
}

const isOnThisMachine = (url: string): boolean =>
  URL.canParse(url) && /^(127\.0\.0\.1|\[::1\])$/.test(new URL(url).hostname);
