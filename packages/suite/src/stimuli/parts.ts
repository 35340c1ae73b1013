import { isObject, type Part } from "@assay/protocol";

/** What the card says about the messages that the agent reads. */
interface Modes {
  readonly inputModes: readonly string[];
  readonly skills: readonly { readonly id: string; readonly inputModes?: readonly string[] }[];
}

/** "text" is how 0.1 writes it; a card that lists nothing is one of an agent that reads text, as nearly all do. */
const isText = (mode: string): boolean => /^(text(\/|;|$)|\*(\/\*)?$)/i.test(mode.trim());

/** Whether a text can be said to the agent, or to the skill that is spoken to: its own modes come before those of the card. */
export function readsText({ inputModes, skills }: Modes, chosen?: readonly string[]): boolean {
  const spokenTo = chosenSkills(skills, chosen);
  const ofSkills = spokenTo.flatMap((each) => each.inputModes ?? []);
  const isOverridden = spokenTo.length > 0 && spokenTo.every((each) => each.inputModes?.length);
  const modes = isOverridden ? ofSkills : [...inputModes, ...ofSkills];
  return modes.length === 0 || modes.some(isText);
}

/** The word that stands for every skill of the card. */
export const everySkill = "all";

/** Returns the skills that the operator chose; without a choice, every skill of the card. */
export const chosenSkills = <T extends { readonly id: string }>(
  skills: readonly T[],
  chosen: readonly string[] = [everySkill],
): readonly T[] => skills.filter(({ id }) => chosen.includes(everySkill) || chosen.includes(id));

/** A text as a message says it; to an agent that reads no text, as data. */
export const partsSaying = (text: string, isRead: boolean): Part[] =>
  isRead ? [{ text }] : [{ data: { text }, mediaType: "application/json" }];

/** The same with the data that stands for a text as that text. */
export const asText = (parts: readonly Part[]): Part[] =>
  parts.map((part) => {
    const text = isObject(part.data) ? part.data["text"] : undefined;
    return typeof text === "string" ? { text } : part;
  });

export const saysText = ({ parts }: { readonly parts: readonly Part[] }): boolean =>
  parts.some(({ text }) => text !== undefined);

/** The same message with more text behind its first one; where it has none, in a part of its own. */
export function partsWithMore(parts: readonly Part[], more: string, isRead: boolean): Part[] {
  const first = parts.findIndex(({ text }) => text !== undefined);
  if (first < 0) return [...parts, ...partsSaying(more, isRead)];
  return parts.map((part, index) => (index === first ? { ...part, text: `${part.text} ${more}` } : part));
}
