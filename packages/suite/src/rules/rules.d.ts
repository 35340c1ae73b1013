import type { DialectVersion } from "@assay/protocol";
import type { RuleSet } from "./catalogue.ts";
import type { CauseRow } from "./causes.ts";
import type { Rule } from "./rule.ts";
import type { Ceiling, SeverityRow } from "./severity.ts";

/** Made by `scripts/rules.mjs` from the YAML files of this folder: `dist/rules.js`. Never committed. */

/** The rules of each version, the newest first. A rule that several versions have carries the id of the newest. */
export const catalogues: Readonly<Record<DialectVersion, readonly Rule[]>>;

export const ceilings: readonly Ceiling[];
export const disputed: readonly { readonly rule: string; readonly why: string }[];
export const rows: readonly SeverityRow[];

export const causes: readonly CauseRow[];

/** What pins each set of rules. */
export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>>;
