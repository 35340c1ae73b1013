import { describe, expect, test } from "vitest";
// @ts-expect-error: the scripts are plain JavaScript
import { exceptionsIn, withoutExceptions } from "./exceptions.mjs";
// @ts-expect-error: the scripts are plain JavaScript
import { problemsIn } from "./lint.mjs";
// @ts-expect-error: the scripts are plain JavaScript
import { isChecked } from "./scope.mjs";

async function found(file: string, source: string): Promise<string[]> {
  const problems: { line: number; message: string }[] = await problemsIn(file, source);
  return problems.map(({ line, message }) => `${line}: ${message}`);
}

const long = `Assay ${"sends one message and ".repeat(9)}stops.`;

describe("a planted phrase is found", () => {
  test.each([
    ["a page", "docs/page.md", "# Title\n\nThe default is 8 unless given.\n", 3],
    ["a table", "docs/page.md", "| a | b |\n|---|---|\n| `x` | at most so many messages |\n", 3],
    ["a help text", "packages/x/src/a.ts", 'const depth = {\n  means: "how much to send (8 unless given)",\n};\n', 2],
    ["a template", "packages/x/src/a.ts", "export const text = (at: string) => `Nobody answers at $" + "{at}.`;\n", 1],
    ["a joined message", "packages/x/src/a.ts", 'fail("The agent is " +\n  "told by its environment");\n', 1],
    [
      "a page of the viewer",
      "packages/x/src/a.tsx",
      "export const A = () => (\n  <p>this is our own fault</p>\n);\n",
      2,
    ],
    ["a rule", "packages/x/src/rules/1.0.yaml", "- id: A-1\n  text: >-\n    The value is\n    no event of a run.\n", 2],
    ["a comment", "packages/x/src/a.ts", "// One file for\n// whoever reads it.\nexport {};\n", 2],
    [
      "a doc comment",
      "packages/x/src/a.ts",
      "/**\n * Reads a file,\n * a folder and the like.\n */\nexport const a = 1;\n",
      3,
    ],
  ])("in %s", async (_, file, source, line) => {
    const problems = await found(file, source);
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) expect(problem).toMatch(new RegExp(`^${line}: "`));
  });

  test("across the end of a line", async () => {
    expect(await found("docs/page.md", "The default is 8 unless\ngiven.\n")).toEqual([
      '1: "unless given": name the default: (default: …)',
    ]);
  });
});

describe("a sentence over 30 words is found", () => {
  test.each([
    ["a page", "docs/page.md", `${long}\n`],
    ["a table", "docs/page.md", `| ${long} | b |\n`],
    ["a message", "packages/x/src/a.ts", `fail("${long}");\n`],
    ["a rule", "packages/x/src/rules/1.0.yaml", `- text: ${long}\n`],
    ["a comment", "packages/x/src/a.ts", `// ${long}\n`],
  ])("in %s", async (_, file, source) => {
    expect(await found(file, source)).toEqual([
      '1: a sentence of 38 words (at most 30): "Assay sends one message and sends one message …"',
    ]);
  });

  test("and two short ones are not", async () => {
    const short = `Assay ${"sends one message and ".repeat(4)}stops.`;
    expect(await found("docs/page.md", `${short} ${short}\n`)).toEqual([]);
    expect(await found("packages/x/src/a.ts", `fail("${short} ${short}");\n`)).toEqual([]);
  });

  test("and a command in it counts as one word", async () => {
    const command = `\`assay ${"a ".repeat(40)}\``;
    expect(await found("docs/page.md", `Run ${command} to test the agent.\n`)).toEqual([]);
  });
});

describe("doc comments", () => {
  test("start with a verb or a noun", async () => {
    expect(await found("packages/x/src/a.ts", "/** What a run costs. */\nexport const a = 1;\n")).toEqual([
      '1: a doc comment starts with "What": start with a verb or a noun',
    ]);
  });

  test("belong to the declaration on the next line", async () => {
    const detached = ["2: a doc comment without a declaration on the next line"];
    const source = (between: string) => `const b = 1;\n/** Counts runs. */\n${between}export const a = 1;\n`;
    expect(await found("packages/x/src/a.ts", source("\n"))).toEqual(detached);
    expect(await found("packages/x/src/a.ts", source("/** Counts tasks. */\n"))).toEqual(detached);
    expect(await found("packages/x/src/a.ts", source(""))).toEqual([]);
  });

  test("may describe the file at its top or behind its imports", async () => {
    expect(await found("packages/x/src/a.ts", "/** Counts runs. */\n\nexport const a = 1;\n")).toEqual([]);
    const behind = 'import { b } from "b";\n\n/** Counts runs. */\n\nexport const a = b;\n';
    expect(await found("packages/x/src/a.ts", behind)).toEqual([]);
  });
});

test("a word that is there twice is found", async () => {
  expect(await found("docs/page.md", "Start the the agent.\n")).toEqual(['1: "the" is repeated']);
});

test("columns of a message are not one sentence", async () => {
  expect(await found("packages/x/src/a.ts", 'line("  assay serve    serve the built-in agents");\n')).toEqual([]);
});

test("good sentences, code and statements are spared", async () => {
  const page = [
    "# What Assay sends",
    "There is no default. The agent is no longer reachable. This stands for a host.",
    "`unless given` and [a page](unless-given.md).",
    "```\nunless given\n```",
  ];
  expect(await found("docs/page.md", page.join("\n\n"))).toEqual([]);
  const code = [
    '/** Returns the tasks of one context, newest first. */\nexport const a = "Cannot reach the agent: connection refused";',
    "const b = 'SELECT id FROM tasks WHERE nobody = 1';",
    'import { c } from "so many words";',
  ];
  expect(await found("packages/x/src/a.ts", code.join("\n"))).toEqual([]);
});

test("tests, generated files and old releases are spared", async () => {
  expect(isChecked("packages/wire/src/body.ts")).toBe(true);
  expect(isChecked("docs/adr/0001-one-canonical-model.md")).toBe(true);
  expect(isChecked("packages/wire/src/body.test.ts")).toBe(false);
  expect(isChecked("packages/protocol/src/generated/a2a.ts")).toBe(false);
  expect(isChecked("docs/cli.md")).toBe(false);
  const changelog = "# Changelog\n\n## Unreleased\n\nFine.\n\n## 0.1.0\n\nNobody answers.\n";
  expect(await found("CHANGELOG.md", changelog)).toEqual([]);
});

test("a page that names a test quotes its title", async () => {
  const row = '| a threat | a guard | `e2e/a.test.ts`: "nobody is told"<br>`e2e/b.fixture.ts`: "so many of theirs" |\n';
  expect(await found("SECURITY.md", row)).toEqual([]);
});

test("an exception spares the words it names in its file, and needs a reason", () => {
  const [exception] = exceptionsIn("- { file: a.md, text: so many, reason: a quotation }");
  const problems = [{ line: 2, message: "found" }];
  expect(withoutExceptions("b.md", "\nso many\n", problems, [exception])).toEqual(problems);
  expect(withoutExceptions("a.md", "\nso few\n", problems, [exception])).toEqual(problems);
  expect(exception.used).toBe(false);
  expect(withoutExceptions("a.md", "\nso many\n", problems, [exception])).toEqual([]);
  expect(exception.used).toBe(true);
  expect(() => exceptionsIn("- { file: a.md, text: so many }")).toThrow("An exception needs reason");
});
