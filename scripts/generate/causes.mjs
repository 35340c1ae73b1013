import { parse } from "yaml";
import { sets } from "./severity.mjs";

const members = [
  ...["owner", "codes", "maybe", "operations", "bindings", "versions", "sets"],
  ...["blocks", "repeats", "says", "why"],
];

/** Returns the rows of `causes.yaml`. Throws for incomplete rows and unknown names. */
export function causesIn(yaml, catalogues) {
  const { rows } = parse(yaml);
  const ids = new Set(Object.values(catalogues).flatMap((rules) => rules.map(({ id }) => id)));
  const isKnown = (entry) =>
    entry === "*" || (entry.endsWith("-*") ? [...ids].some((id) => id.startsWith(entry.slice(0, -1))) : ids.has(entry));
  for (const row of rows) {
    const strange = Object.keys(row).find((member) => !members.includes(member));
    if (strange !== undefined) refuse(row, `has the unknown member ${strange}`);
    if (!row.owner || !row.codes?.length || !row.says || !row.why) refuse(row, "needs owner, codes, says and why");
    const listed = [...(row.blocks ?? []), ...(row.repeats ?? [])];
    if (listed.length === 0) refuse(row, "needs rules that it blocks, or that repeat it");
    const unknown = [row.owner, ...listed].find((entry) => !isKnown(entry));
    if (unknown !== undefined) refuse(row, `names ${unknown}, which no version has`);
    const set = (row.sets ?? []).find((each) => !sets.includes(each));
    if (set !== undefined) refuse(row, `names the unknown set ${set}`);
    const version = (row.versions ?? []).find((each) => !catalogues[each]?.some(({ id }) => id === row.owner));
    if (version !== undefined) refuse(row, `names version ${version}, which does not have the owner`);
  }
  return rows;
}

function refuse({ owner, codes }, because) {
  throw new Error(`rules/causes.yaml: the row ${owner} ${(codes ?? []).join(",")} ${because}.`);
}
