import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { shellTree, visibleCommands } from "../packages/cli/src/completion/shell-tree.ts";
import { createProgram } from "../packages/cli/src/main.ts";
import { defaultRuleSet } from "../packages/suite/src/rules/rule-sets.ts";
// @ts-expect-error: the scripts are plain JavaScript
import { interfaceChanges, interfaceOf } from "./generate/interface.mjs";
// @ts-expect-error: the scripts are plain JavaScript
import { ruleSetsOfToday, schemasOfToday } from "./generate/release.mjs";
import { type Direction, type Schema, schemaChanges } from "./schema-changes.fixture.ts";

// A released version keeps its promises: docs/versioning.md. Before 1.0.0 is tagged, `npm run generate -- release` freezes anew.

const readJson = (file: string) => JSON.parse(readFileSync(file, "utf8"));
const { version, ruleSet } = readJson("packages/cli/package.json") as { version: string; ruleSet: string };
const [major] = version.split(".");
/** A new major version may break the promises of the last. */
const releases = readdirSync("releases").filter((name) => name.startsWith(`${major}.`));
const frozen = releases.flatMap((release) =>
  readdirSync(`releases/${release}`).map((file) => ({
    release,
    file,
    content: readJson(`releases/${release}/${file}`),
  })),
);
const schemas = frozen.filter(({ file }) => !["rule-sets.json", "interface.json"].includes(file));
const interfaces = frozen.filter(({ file }) => file === "interface.json");
const sets = frozen
  .filter(({ file }) => file === "rule-sets.json")
  .flatMap(({ release, content }) => Object.entries(content).map(([set, pinned]) => ({ release, set, pinned })));

/** Files that users write. All others are written by Assay. */
const isRead = /^(assay-yaml|assay-serve|gate-yaml|acts\.schema)/;

test("this version has frozen its schemas, rule sets, commands and exports", () => {
  expect(releases).toContain(version.split(".").slice(0, 2).join("."));
  expect(schemas.map(({ file }) => file)).toEqual(
    expect.arrayContaining(["assay-yaml.json", "event.json", "gate-yaml.json", "matrix.schema.json", "report.json"]),
  );
  expect(interfaces.length).toBeGreaterThan(0);
  expect(sets.length).toBeGreaterThan(4);
});

test.each(schemas)("$file keeps the promises of $release", ({ file, content }) => {
  const today = (schemasOfToday() as Record<string, Schema>)[file] ?? {};
  // A change that breaks users needs a new major version (docs/versioning.md).
  expect(schemaChanges(content, today, isRead.test(file) ? "read" : "written")).toEqual([]);
});

const interfaceToday = interfaceOf({ createProgram, shellTree, visibleCommands });

test.each(interfaces)("commands, options, exit codes and exports keep the promises of $release", ({ content }) => {
  expect(interfaceChanges(content, interfaceToday)).toEqual([]);
});

describe("changes of the commands and exports", () => {
  const { commands, exports } = interfaceToday;
  const { "assay test": ofTest, ...withoutTest } = commands;
  const { options, exitCodes } = ofTest;
  const withTest = (more: object) => ({
    exports,
    commands: { ...commands, "assay test": { options, exitCodes, ...more } },
  });
  const { "--depth": depth, ...others } = options;

  test.each<[string, object, object]>([
    ["assay test is removed", interfaceToday, { exports, commands: withoutTest }],
    ["assay test --depth is removed", interfaceToday, withTest({ options: others })],
    [
      "assay test --depth: its value was required",
      interfaceToday,
      withTest({ options: { ...others, "--depth": { value: "none" } } }),
    ],
    [
      "assay test --depth: the value free is removed",
      interfaceToday,
      withTest({ options: { ...others, "--depth": { ...depth, choices: ["card", "quick", "full"] } } }),
    ],
    ["assay test: the exit code 2 is removed", interfaceToday, withTest({ exitCodes: [0, 1, 3, 130] })],
    [
      "the export testAgent of . is removed",
      interfaceToday,
      { commands, exports: { ...exports, ".": exports["."].filter((name: string) => name !== "testAgent") } },
    ],
  ])("%s", (change, before, after) => {
    expect(interfaceChanges(before, after)).toEqual([change]);
    // The other way around it is an addition.
    if (change.endsWith("is removed")) expect(interfaceChanges(after, before)).toEqual([]);
  });
});

test.each(sets)(
  "rule set $set is the one of $release; a change needs a new set (docs/versioning.md)",
  ({ set, pinned }) => {
    const today = (ruleSetsOfToday() as Record<string, unknown>)[set];
    expect(today).toEqual(pinned);
  },
);

test("every package and our own driver of the matrix have the version", () => {
  const packages = readdirSync("packages").map(
    (name) => readJson(`packages/${name}/package.json`) as { version: string },
  );
  expect([...new Set(packages.map((each) => each.version))]).toEqual([version]);
  expect(readFileSync("sdks/assay/driver.yaml", "utf8")).toMatch(new RegExp(`^version: ${version}$`, "m"));
});

test("assay --version and the rules name the same set", () => {
  expect(ruleSet).toBe(defaultRuleSet);
});

describe("changes of a schema", () => {
  const object = (properties: object, more: object = {}): Schema => ({ type: "object", properties, ...more });
  const text = { type: "string" };
  const node = { $ref: "#/$defs/node" };
  const chain = (next: object): Schema => ({ ...node, $defs: { node: object({ next: node, ...next }) } });

  const breaking: [string, Schema, Schema, string, Direction?][] = [
    ["a removed member", object({ a: text }), object({}), "/a is removed"],
    ["a new required member", object({ a: text }), object({ a: text }, { required: ["a"] }), "/a is newly required"],
    ["a narrower type", object({ a: { type: ["string", "null"] } }), object({ a: text }), "/a: the type is narrower"],
    ["a type where there was none", object({ a: {} }), object({ a: text }), "/a: the type is narrower"],
    ["a removed value", { enum: ["a", "b"] }, { enum: ["a"] }, "the document: the value b is removed"],
    ["a list of values", text, { ...text, enum: ["a"] }, "the document: only some values are accepted now"],
    ["a narrower limit", { type: "integer" }, { type: "integer", minimum: 1 }, "the document: the limits are narrower"],
    [
      "a closed object",
      object({}),
      object({}, { additionalProperties: false }),
      "the document no longer accepts other members",
    ],
    ["a change in a list", { items: text }, { items: { type: "number" } }, "/*: the type is narrower"],
    ["a removed alternative", { oneOf: [object({ a: text }), text] }, { oneOf: [text] }, "/a is removed"],
    ["a change behind a reference", chain({ a: text }), chain({}), "/a is removed"],
    [
      "a wider type of what Assay writes",
      text,
      { type: ["string", "null"] },
      "the document: the type is wider",
      "written",
    ],
    [
      "a member that may be missing",
      object({ a: text }, { required: ["a"] }),
      object({ a: text }),
      "/a is no longer required",
      "written",
    ],
  ];
  test.each(breaking)("%s is reported", (_, before, after, change, direction = "read") => {
    expect(schemaChanges(before, after, direction)).toContain(change);
    expect(schemaChanges(before, before, direction)).toEqual([]);
  });

  const compatible: [string, Schema, Schema, Direction][] = [
    ["a new optional member", object({ a: text }), object({ a: text, b: text }), "written"],
    ["a new value", { enum: ["a"] }, { enum: ["a", "b"] }, "written"],
    ["a wider type of what Assay reads", text, { type: ["string", "number"] }, "read"],
    [
      "a member that may be missing in what Assay reads",
      object({ a: text }, { required: ["a"] }),
      object({ a: text }),
      "read",
    ],
    ["another description", { ...text, description: "a" }, { ...text, description: "b" }, "written"],
    ["a new alternative", { oneOf: [text] }, { oneOf: [text, { type: "number" }] }, "read"],
  ];
  test.each(compatible)("%s is compatible", (_, before, after, direction) => {
    expect(schemaChanges(before, after, direction)).toEqual([]);
  });
});
