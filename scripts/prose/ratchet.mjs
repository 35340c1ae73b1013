// Counts problems by folder and rule, and compares them with the counts that may remain.
import { parse } from "yaml";

/** Returns the folder in which a file is counted: a package, or the first part of its path. */
const folderOf = (file) => (file.startsWith("packages/") ? file.split("/").slice(0, 2).join("/") : file.split("/")[0]);

/** Returns the number of problems for each folder and rule, as a map of objects. */
export function countsOf(problems) {
  const counts = new Map();
  for (const { file, rule } of problems) {
    const folder = folderOf(file);
    const rules = counts.get(folder) ?? {};
    counts.set(folder, { ...rules, [rule]: (rules[rule] ?? 0) + 1 });
  }
  return counts;
}

/** Returns the folders and rules with more problems than may remain. */
export function worseThan(source, counts) {
  const remaining = parse(source) ?? {};
  return [...counts].flatMap(([folder, rules]) =>
    Object.entries(rules)
      .filter(([rule, count]) => count > (remaining[folder]?.[rule] ?? 0))
      .map(([rule, count]) => ({
        text: `${folder}: ${count} of "${rule}", at most ${remaining[folder]?.[rule] ?? 0} may remain`,
        has: (problem) => folderOf(problem.file) === folder && problem.rule === rule,
      })),
  );
}

/** Returns the list with every count lowered to what is left. No count is raised, and no row is added. */
export function lowered(source, counts) {
  const head = source.split("\n").filter((line) => line.startsWith("#"));
  const rows = Object.entries(parse(source) ?? {}).flatMap(([folder, rules]) => {
    const left = Object.entries(rules)
      .map(([rule, most]) => [rule, Math.min(most, counts.get(folder)?.[rule] ?? 0)])
      .filter(([, count]) => count > 0);
    return left.length === 0 ? [] : [`${folder}: { ${left.map(([rule, count]) => `${rule}: ${count}`).join(", ")} }`];
  });
  return `${[...head, ...(rows.length === 0 ? ["{}"] : rows)].join("\n")}\n`;
}
