import { createHash } from "node:crypto";

const versionOf = { "1.0.1-r1": "1.0", "1.0.0-r1": "1.0", "0.3.0-r1": "0.3", "0.2.6-r1": "0.2", "0.1.0-r1": "0.1" };

/**
 * What pins a set of rules: a digest over its rules and the rows of severity that can apply to them. It changes with every
 * change of either, so that a diff shows which sets judge otherwise than before.
 */
export function digestsOf(catalogues, { ceilings, disputed, rows }) {
  const digests = Object.entries(versionOf).map(([set, version]) => {
    const ids = new Set(catalogues[version].map(({ id }) => id));
    const own = rows.filter(
      ({ rule, versions, sets }) =>
        (rule === "*" || ids.has(rule)) &&
        (versions === undefined || versions.includes(version)) &&
        (sets === undefined || sets.includes(set)),
    );
    const pinned = JSON.stringify([catalogues[version], own, ceilings, disputed.filter(({ rule }) => ids.has(rule))]);
    return [set, `sha256:${createHash("sha256").update(pinned).digest("hex")}`];
  });
  return `
import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, string>> = ${JSON.stringify(Object.fromEntries(digests), null, 2)};
`;
}
