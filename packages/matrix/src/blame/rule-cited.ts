import type { DialectVersion } from "@assay/protocol";
import { ruleIn, specUrl } from "@assay/suite";
import type { BrokenRule } from "../document/blame.ts";

/** Returns a rule with its citation; undefined if the version does not have it. */
export function ruleCited(id: string, version: DialectVersion): BrokenRule | undefined {
  const rule = ruleIn(version, id);
  if (!rule) return undefined;
  const { level, text, section } = rule;
  return { id, level: level.replace("_", " "), text, section, url: specUrl(section, version) };
}

/** Returns the ambiguities of the specification that a rule depends on. */
export const ambiguitiesOf = (id: string, version: DialectVersion): readonly string[] =>
  ruleIn(version, id)?.ambiguity ?? [];

/**
 * Returns true if the specification says MUST: then a breach with only a warning is allowed by another
 * reading.
 */
export const isMust = (id: string, version: DialectVersion): boolean => /^MUST/.test(ruleIn(version, id)?.level ?? "");
