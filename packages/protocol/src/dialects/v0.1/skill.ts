import { defined } from "../../defined.ts";
import type { AgentSkill } from "../../model.ts";

/** A skill of 0.1 may omit its description and tags. Lost on output: security requirements. */
export type SkillShape = Pick<AgentSkill, "id" | "name" | "examples" | "inputModes" | "outputModes"> &
  Partial<Pick<AgentSkill, "description" | "tags">>;

export const readSkill = (skill: SkillShape): AgentSkill => ({
  ...defined({
    id: skill.id,
    name: skill.name,
    description: skill.description ?? "",
    examples: skill.examples,
    inputModes: skill.inputModes?.map(readMode),
    outputModes: skill.outputModes?.map(readMode),
  }),
  tags: skill.tags ?? [],
});

export const writeSkill = ({ securityRequirements: _, description, ...skill }: AgentSkill): SkillShape =>
  defined({ ...skill, description: description || undefined });

const shortModes: Readonly<Record<string, string>> = {
  text: "text/plain",
  file: "application/octet-stream",
  data: "application/json",
};

/** Modes are media types, or the short names of the first cards. */
export const readMode = (mode: string): string => (Object.hasOwn(shortModes, mode) ? shortModes[mode]! : mode);
