import { createHash } from "node:crypto";

/** The version whose rules each published set has. */
export const versionOf = {
  "1.0.1-r1": "1.0",
  "1.0.0-r1": "1.0",
  "0.3.0-r1": "0.3",
  "0.2.6-r1": "0.2",
  "0.1.0-r1": "0.1",
};

/**
 * Returns the digests that pin each set of rules: over its rules, and the rows of severity and of shared causes that
 * can apply to them. Any change of these changes the digest, so a diff shows which sets judge differently. Rules for
 * agents and for clients have separate digests, because a rule for clients changes no verdict on an agent.
 */
export function digestsOf(catalogues, drafts, severity, causes) {
  const published = { ...severity, ceilings: severity.ceilings.filter(({ when }) => when !== "draft") };
  const digests = [
    ...Object.entries(versionOf).map(([set, version]) => [set, catalogues[version], { set, version }, published]),
    // A draft judges like the newest set of 1.0, with additional rules.
    ...Object.entries(drafts).map(([set, rules]) => [
      set,
      [...catalogues["1.0"], ...rules],
      { set: "1.0.1-r1", version: "1.0" },
      severity,
    ]),
  ].map(([set, rules, where, judging]) => {
    const pinned = (isPinned) => digestOf(rules.filter(isPinned), where, judging, causes);
    return [
      set,
      { agents: pinned(({ actor }) => actor !== "client"), clients: pinned(({ actor }) => actor === "client") },
    ];
  });
  return Object.fromEntries(digests);
}

export const digestModule = (digests) => `
import type { RuleSet } from "../rules/catalogue.ts";

export const digests: Readonly<Record<RuleSet, { readonly agents: string; readonly clients: string }>> = ${JSON.stringify(digests, null, 2)};
`;

function digestOf(rules, { set, version }, { ceilings, disputed, rows }, causes) {
  const ids = new Set(rules.map(({ id }) => id));
  const isWithin = ({ versions, sets }) =>
    (versions === undefined || versions.includes(version)) && (sets === undefined || sets.includes(set));
  const own = rows.filter((row) => (row.rule === "*" || ids.has(row.rule)) && isWithin(row));
  const shared = causes.filter((row) => ids.has(row.owner) && isWithin(row));
  // A rule's place in the report, its title and its remedy do not affect verdicts.
  const judged = rules.map(({ category, tags, title, remedy, older, ...rule }) => rule);
  const pinned = JSON.stringify([judged, own, ceilings, disputed.filter(({ rule }) => ids.has(rule)), shared]);
  return `sha256:${createHash("sha256").update(pinned).digest("hex")}`;
}
