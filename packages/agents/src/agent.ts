import type { Extension, Skill } from "./define.ts";

/** An agent of the test bed, declared: what its card says and how its engine behaves follow from this. */
export interface AgentDefinition {
  /** its first path segment, and its name as a gRPC tenant */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  /** on its card */
  readonly skills: readonly Skill[];
  /** answered to without being listed */
  readonly unlisted?: readonly Skill[];
  /** answers whatever no keyword claims, in place of the list of keywords */
  readonly only?: Skill;
  readonly streaming: boolean;
  readonly push: boolean;
  readonly extensions?: readonly Extension[];
  readonly tenants?: readonly string[];
  readonly signed?: boolean;
  readonly extended?: ExtendedCard;
}

/** What the card shows to those who authenticate. */
export interface ExtendedCard {
  readonly token: string;
  readonly skills: readonly Skill[];
}

/** Every media type the test bed's skills can make something of. */
export const inputModes = ["text/plain", "application/json", "application/octet-stream", "image/*"];
export const outputModes = ["text/plain", "application/json", "image/svg+xml", "application/pdf"];
