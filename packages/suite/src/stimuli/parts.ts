import { isObject, type Part } from "@assay/protocol";

/** The input modes of a card. */
interface Modes {
  readonly inputModes: readonly string[];
  readonly skills: readonly { readonly id: string; readonly inputModes?: readonly string[] }[];
}

/** 0.1 writes "text". An agent whose card lists no modes reads text, as nearly all agents do. */
const isText = (mode: string): boolean => /^(text(\/|;|$)|\*(\/\*)?$)/i.test(mode.trim());

/** Returns true if the agent, or the chosen skill, reads text. Modes of a skill override those of the card. */
export function readsText({ inputModes, skills }: Modes, chosen?: readonly string[]): boolean {
  const spokenTo = chosenSkills(skills, chosen);
  const ofSkills = spokenTo.flatMap((each) => each.inputModes ?? []);
  const isOverridden = spokenTo.length > 0 && spokenTo.every((each) => each.inputModes?.length);
  const modes = isOverridden ? ofSkills : [...inputModes, ...ofSkills];
  return modes.length === 0 || modes.some(isText);
}

/** Selects every skill of the card. */
export const everySkill = "all";

/** Returns the skills that the operator chose; without a choice, every skill of the card. */
export const chosenSkills = <T extends { readonly id: string }>(
  skills: readonly T[],
  chosen: readonly string[] = [everySkill],
): readonly T[] => skills.filter(({ id }) => chosen.includes(everySkill) || chosen.includes(id));

/** Turns a text into message parts; into data for an agent that does not read text. */
export const partsSaying = (text: string, isRead: boolean): Part[] =>
  isRead ? [{ text }] : [{ data: { text }, mediaType: "application/json" }];

/** Turns data that stands for a text back into that text. */
export const asText = (parts: readonly Part[]): Part[] =>
  parts.map((part) => {
    const text = isObject(part.data) ? part.data["text"] : undefined;
    return typeof text === "string" ? { text } : part;
  });

export const saysText = ({ parts }: { readonly parts: readonly Part[] }): boolean =>
  parts.some(({ text }) => text !== undefined);

/** Appends text to the first text part; adds a part if there is none. */
export function partsWithMore(parts: readonly Part[], more: string, isRead: boolean): Part[] {
  const first = parts.findIndex(({ text }) => text !== undefined);
  if (first < 0) return [...parts, ...partsSaying(more, isRead)];
  return parts.map((part, index) => (index === first ? { ...part, text: `${part.text} ${more}` } : part));
}
