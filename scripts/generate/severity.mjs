import { parse } from "yaml";

export const sets = ["1.0.1-r1", "1.0.0-r1", "0.3.0-r1", "0.2.6-r1", "0.1.0-r1"];
const members = ["rule", "code", "bindings", "versions", "sets", "under", "becomes", "strict", "why"];
const severities = ["fail", "warning", "info", "pass"];

/**
 * Returns the rows of `severity.yaml`. Throws for incomplete rows, unknown names, and rows that could match the same
 * breach.
 */
export function severityIn(yaml, catalogues) {
  const { ceilings, disputed, rows } = parse(yaml);
  const versionsOf = (id) =>
    Object.keys(catalogues).filter((version) => catalogues[version].some((rule) => rule.id === id));
  for (const row of rows) {
    const strange = Object.keys(row).find((member) => !members.includes(member));
    if (strange !== undefined) refuse(row, `has the unknown member ${strange}`);
    if (!row.rule || !row.code || !row.why) refuse(row, "needs rule, code and why");
    if (!severities.includes(row.becomes)) refuse(row, `becomes one of ${severities.join(", ")}`);
    if (row.strict !== undefined && ![...severities, "level"].includes(row.strict))
      refuse(row, `has a strict that is none of ${severities.join(", ")}, level`);
    if (row.under !== undefined && !/^AMB-\d\d$/.test(row.under))
      refuse(row, "names an ambiguity as AMB-nn under `under`");
    if (row.rule !== "*" && versionsOf(row.rule).length === 0) refuse(row, "names a rule that no version has");
    const foreign = (row.versions ?? []).find((version) => row.rule !== "*" && !versionsOf(row.rule).includes(version));
    if (foreign !== undefined) refuse(row, `names version ${foreign}, which does not have the rule`);
    const set = (row.sets ?? []).find((each) => !sets.includes(each));
    if (set !== undefined) refuse(row, `names the unknown set ${set}`);
  }
  for (const [index, row] of rows.entries()) {
    const other = rows.slice(index + 1).find((each) => overlap(row, each));
    if (other) refuse(row, `and ${nameOf(other)} could match one breach`);
  }
  return { ceilings, disputed, rows };
}

const nameOf = ({ rule, code, bindings, versions, sets: named }) =>
  [rule, code, ...(bindings ?? []), ...(versions ?? []), ...(named ?? [])].join(" ");

function refuse(row, because) {
  throw new Error(`rules/severity.yaml: the row ${nameOf(row)} ${because}.`);
}

const overlap = (one, other) =>
  one.code === other.code &&
  (one.rule === other.rule || one.rule === "*" || other.rule === "*") &&
  ["bindings", "versions", "sets"].every(
    (member) => !one[member] || !other[member] || one[member].some((each) => other[member].includes(each)),
  );
