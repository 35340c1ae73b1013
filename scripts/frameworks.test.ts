import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
// @ts-expect-error: the scripts are plain JavaScript
import { filled, frameworks } from "./frameworks/describe.mjs";
// @ts-expect-error: the scripts are plain JavaScript
import { rowOf, withRows } from "./frameworks/table.mjs";

/** `sdks/frameworks/<name>/framework.yaml`: how an agent on a framework is set up, started and found. */
interface Framework {
  readonly name: string;
  /** The package that speaks A2A, and the version that is locked. */
  readonly package: string;
  readonly version: string;
  /** The versions of A2A that its documentation or its card claims. */
  readonly speaks: readonly string[];
  /** Commands, run in the root of the repository; each does only what is not done yet. */
  readonly setup: readonly (readonly string[])[];
  /** The command, with the places `{port}` and `{think}`: the seconds before each answer. */
  readonly start: readonly string[];
  /** The address of its card, with the place `{port}`. */
  readonly card: string;
}

const described: readonly Framework[] = frameworks();

describe.each(described)("the framework $name", ({ name, package: named, version, speaks, setup, start, card }) => {
  const folder = join("sdks/frameworks", name);

  test("is set up and started from its own folder, at an address of this machine", () => {
    expect(speaks.every((dialect) => ["1.0", "0.3", "0.2", "0.1"].includes(dialect))).toBe(true);
    expect(setup.flat()).toContain(folder);
    const program = start.find((word) => word.startsWith(`${folder}/`));
    expect(existsSync(program ?? "no program of its folder")).toBe(true);
    expect(readFileSync(program!, "utf8")).toContain("127.0.0.1");
    expect(start.filter((word) => word.startsWith("{"))).toEqual(["{port}", "{think}"]);
    expect(new URL(filled(card, { port: 8000 })).host).toBe("127.0.0.1:8000");
  });

  test("is locked to the version that its description names", () => {
    const requirements = join(folder, "requirements.txt");
    if (existsSync(requirements)) {
      const lines = readFileSync(requirements, "utf8").split("\n");
      expect(lines).toContain(`${named}==${version}`);
      expect(lines.filter((line) => line !== "" && !line.startsWith("#") && !/^[\w.-]+==[\w.]+$/.test(line))).toEqual(
        [],
      );
    } else {
      const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")) as {
        packages: Record<string, { version?: string; resolved?: string }>;
      };
      expect(packages[`node_modules/${named}`]?.version).toBe(version);
      expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
    }
  });
});

test("a run's row takes the place of the earlier one, and the words around the table stay", () => {
  const page = "before\n<!-- table: npm run frameworks -->\n<!-- end of table -->\nafter\n";
  const framework = { title: "Kit", package: "kit", version: "1.2.3" };
  const report = {
    summary: { failed: 3, warnings: 4, examined: 10, applicable: 20, workingMessages: 5, plannedMessages: 40 },
    dialects: [{ dialect: "1.0", declared: true }, { dialect: "0.3" }],
    outcome: "not-conformant",
    conformanceLevel: "minimal",
    fixFirst: [{}, {}],
    duration_ms: 2600,
  };
  const once = withRows(page, [rowOf(framework, 0, report), rowOf(framework, 2, report)]);
  const again = withRows(once, [rowOf(framework, 0, { ...report, summary: { ...report.summary, failed: 1 } })]);
  expect(again).toMatchInlineSnapshot(`
    "before
    <!-- table: npm run frameworks -->
    | framework | package | model | versions found | outcome | level | failed | to fix | warnings | examined | messages | seconds |
    | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
    | Kit | kit 1.2.3 | at once | 1.0, 0.3 (not on its card) | not conformant | minimal | 1 | 2 | 4 | 10 of 20 | 5 of 40 | 3 |
    | Kit | kit 1.2.3 | 2 s | 1.0, 0.3 (not on its card) | not conformant | minimal | 3 | 2 | 4 | 10 of 20 | 5 of 40 | 3 |
    <!-- end of table -->
    after
    "
  `);
});
