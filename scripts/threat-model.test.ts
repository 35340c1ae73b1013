import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const model = readFileSync(`${root}docs/threat-model.md`, "utf8");
/** The rows of its tables; what each of them is shown by is its last column. */
const rows = model
  .split("\n")
  // The line above the rule of a table is its head.
  .filter((line, index, all) => line.startsWith("| ") && !all[index + 1]?.startsWith("|---"))
  .map((line) => ({ line, shownBy: line.split(" | ").at(-1)!.replace(/ \|$/, "") }));
const named = rows.flatMap(({ shownBy }) =>
  [...shownBy.matchAll(/`([^`]+\.(?:test|fixture)\.ts)`: "([^"]+)"/g)].map(([, file, title]) => ({
    file: file!,
    title: title!,
  })),
);

test("every threat names the tests that show what stops it, or says that there is none", () => {
  expect(rows.length).toBeGreaterThan(30);
  const silent = rows.filter(({ shownBy }) => shownBy !== "no test" && !/\.(test|fixture)\.ts`: "/.test(shownBy));
  expect(silent.map(({ line }) => line)).toEqual([]);
});

test("every test that is named exists", () => {
  expect(named.length).toBeGreaterThan(60);
  const missing = named.filter(({ file, title }) => {
    if (!existsSync(root + file)) return true;
    return !readFileSync(root + file, "utf8").includes(`"${title}"`);
  });
  expect(missing).toEqual([]);
});
