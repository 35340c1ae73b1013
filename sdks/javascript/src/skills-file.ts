import { readFileSync } from "node:fs";

/** The content of sdks/skills.json (docs/drivers.md). */
export interface SkillsFile {
  readonly agents: Readonly<Record<string, SkilledAgent>>;
  readonly skills: Readonly<Record<string, DescribedSkill>>;
}

export interface SkilledAgent {
  readonly name: string;
  readonly description: string;
  readonly streaming: boolean;
  readonly push: boolean;
  readonly inputModes: readonly string[];
  readonly outputModes: readonly string[];
  /** skills on its card */
  readonly skills: readonly string[];
  /** further skills that it answers to */
  readonly answers: readonly string[];
  readonly otherwise: string;
}

export interface DescribedSkill {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly steps: readonly SkillStep[];
  readonly next?: readonly { readonly contains?: string; readonly steps: readonly SkillStep[] }[];
}

export type SkillStep =
  | { readonly do: "message"; readonly text: string }
  | { readonly do: "begin" }
  | { readonly do: "status"; readonly state: SkillState; readonly text?: string }
  | {
      readonly do: "artifact";
      readonly name: string;
      readonly parts: readonly SkillPart[];
      readonly append?: boolean;
      readonly lastChunk?: boolean;
    }
  | { readonly do: "wait"; readonly seconds: number; readonly asked?: boolean; readonly atLeast?: number }
  | { readonly do: "relay"; readonly name: string };

export type SkillState =
  | "working"
  | "completed"
  | "failed"
  | "canceled"
  | "rejected"
  | "input-required"
  | "auth-required";

/** One part, with either text, data or raw. */
export interface SkillPart {
  readonly text?: string;
  readonly data?: unknown;
  /** Base64 */
  readonly raw?: string;
  readonly filename?: string;
  readonly mediaType?: string;
}

export const readSkills = (): SkillsFile =>
  JSON.parse(
    readFileSync(process.env["ASSAY_SKILLS"] ?? new URL("../../skills.json", import.meta.url), "utf8"),
  ) as SkillsFile;
