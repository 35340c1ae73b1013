import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

const subjectsOf = (command: string): string[] => {
  const { stdout } = spawnSync(process.execPath, [`scripts/${command}.mjs`, "--help"], { encoding: "utf8" });
  return [...stdout.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name]) => name!);
};

/** Pages, sources and workflows that name our commands; `npm run agent` and the like stand for commands of a user. */
const named = [".", "docs", "e2e", "bench/src", "scripts", ".github/workflows"]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: folder !== ".", encoding: "utf8" }).map((file) => `${folder}/${file}`),
  )
  .filter(
    (file) =>
      /\.(md|ts|mjs|yml)$/.test(file) && !/CHANGELOG|node_modules|\/dist\/|docs\/(reference|project)\//.test(file),
  )
  .flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/npm run ([a-z][\w:-]*)(?: -- ([a-z][\w-]*))?/g)].map(
      ([, command, subject]) => ({ file, command: command!, subject }),
    ),
  )
  .filter(({ command }) => !["agent", "client", "maps"].includes(command));

test("every npm script that a page, a comment or a workflow names exists", () => {
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter(({ command }) => !(command in scripts))).toEqual([]);
});

test.each(["bench", "generate", "prove"])("every subject of %s that a page or a comment names exists", (command) => {
  const subjects = subjectsOf(command);
  const asked = named.filter((each) => each.command === command && each.subject !== undefined);
  expect(asked.length).toBeGreaterThan(4);
  expect(asked.filter(({ subject }) => !subjects.includes(subject!))).toEqual([]);
});

test("an unknown subject is refused with the list of subjects", () => {
  const { status, stderr } = spawnSync(process.execPath, ["scripts/prove.mjs", "nonsense"], { encoding: "utf8" });
  expect(status).toBe(2);
  expect(stderr).toMatch(/^Unknown subject: nonsense\n\nUsage: npm run prove -- <subject>…/);
  expect(stderr).toMatch(/^ {2}crash +15 min \(short: 5 min\) +servers killed 50 times/m);
});
