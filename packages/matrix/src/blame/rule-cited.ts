import type { DialectVersion } from "@assay/protocol";
import { ruleIn, specUrl } from "@assay/suite";
import type { BrokenRule } from "../document/blame.ts";

/** A rule of the catalogue with what is needed to cite it; undefined for one that the version does not have. */
export function ruleCited(id: string, version: DialectVersion): BrokenRule | undefined {
  const rule = ruleIn(version, id);
  if (!rule) return undefined;
  const { level, text, section } = rule;
  return { id, level: level.replace("_", " "), text, section, url: specUrl(section, version) };
}

/** The unclear places of the specification that a rule rests on. */
export const ambiguitiesOf = (id: string, version: DialectVersion): readonly string[] =>
  ruleIn(version, id)?.ambiguity ?? [];

/** Whether the specification says MUST: a breach that is only a warning then is one that another reading allows. */
export const isMust = (id: string, version: DialectVersion): boolean => /^MUST/.test(ruleIn(version, id)?.level ?? "");
