import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type OlderWire, validateDialect } from "../dialects/check.ts";
import { validate } from "./validate.ts";
import type { Violation } from "./violation.ts";
import { violationsOf } from "./violations.ts";

const v10 = (name: Parameters<typeof validate>[0], json: unknown) => validate(name, json);
const older = (wire: OlderWire, name: string, json: unknown) => validateDialect(wire, name, json);

describe("every code, with what a decision needs", () => {
  const file = { kind: "file", file: { bytes: "", uri: "" } };
  const message = { kind: "message", messageId: "m", role: "user" };
  const skill = { id: "s", name: "n", description: "d", tags: [] };

  test.each<[Violation["code"], readonly Violation[], Partial<Violation>]>([
    ["missing", v10("Task", { id: "t" }), { path: "$.status", demand: "is required and missing" }],
    ["null", v10("Part", { text: null }), { path: "$.text", expected: ["string"], got: null }],
    ["null", v10("Message", { messageId: "m", role: null, parts: [{ text: "" }] }), { path: "$.role", got: null }],
    ["null", older("0.3", "Part", { kind: null }), { path: "$.kind", got: null }],
    ["wrong-type", v10("Part", { text: 7 }), { path: "$.text", expected: ["string"], got: 7 }],
    ["wrong-type", older("0.1", "Task", { id: 7, status: { state: "working" } }), { path: "$.id", got: 7 }],
    ["unknown-value", v10("TaskStatus", { state: "working" }), { path: "$.state", got: "working" }],
    [
      "unknown-value",
      older("0.3", "Task", { kind: "tsk", id: "", contextId: "", status: { state: "working" } }),
      { path: "$.kind", expected: ['"task"'], got: "tsk" },
    ],
    ["unknown-value", older("0.2.6", "SecurityScheme", { type: "mutualTLS" }), { path: "$.type", got: "mutualTLS" }],
    ["format", v10("Part", { raw: "a_-" }), { path: "$.raw", demand: "expected base64", expected: ["base64"] }],
    ["out-of-range", v10("GetTaskRequest", { id: "t", historyLength: 2 ** 31 }), { path: "$.historyLength" }],
    ["empty", v10("GetTaskRequest", { id: "" }), { path: "$.id", got: "" }],
    ["too-few", v10("Message", { messageId: "m", role: "ROLE_USER", parts: [] }), { path: "$.parts", got: [] }],
    ["none-of", v10("Part", {}), { path: "$", expected: ["text", "raw", "url", "data"], got: {} }],
    [
      "several-of",
      older("0.3", "Message", { ...message, parts: [file] }),
      { path: "$.parts[0].file", expected: ["bytes", "uri"], got: file.file },
    ],
    ["unknown-member", v10("Part", { text: "", colour: "blue" }), { path: "$.colour", got: "blue" }],
    ["not-in-release", older("0.2.4", "GetAuthenticatedExtendedCardRequest", {}), { path: "$", got: {} }],
  ])("%s", (code, violations, data) => {
    expect(violations).toMatchObject([{ code, ...data }]);
  });

  test("the message is the demand and, where there is something to quote, what stood there", () => {
    const [wrong, missing] = v10("AgentSkill", { ...skill, name: undefined, id: 7 });
    expect([wrong, missing].map((each) => each && [each.demand, each.message])).toEqual([
      ["is required and missing", "is required and missing"],
      ["expected a string", "expected a string, got 7"],
    ]);
  });
});

test("every keyword of the schemas has a code, or only joins those that have", () => {
  const joining = ["$ref", "properties", "items", "discriminator", "propertyName", "oneOf", "if", "then", "else"];
  const saying = ["$schema", "$id", "title", "$comment", "$defs"];
  const folder = new URL("../../schemas/", import.meta.url);
  const used = readdirSync(folder).flatMap((file) => [
    ...keywordsIn(JSON.parse(readFileSync(new URL(file, folder), "utf8"))),
  ]);
  const judging = [...new Set(used)].filter((keyword) => ![...joining, ...saying].includes(keyword));
  expect(judging).toContain("required");
  for (const keyword of judging) {
    expect(() =>
      violationsOf([{ keyword, instancePath: "", params: { choices: [], allowedValues: [] } }], {}),
    ).not.toThrow();
  }
  expect(() => violationsOf([{ keyword: "pattern", instancePath: "", params: {} }], {})).toThrow(/pattern/);
});

/** The keywords of a schema; the names inside `properties` and `$defs` are none. */
function* keywordsIn(schema: unknown): Generator<string> {
  if (Array.isArray(schema)) for (const each of schema) yield* keywordsIn(each);
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return;
  for (const [keyword, value] of Object.entries(schema)) {
    yield keyword;
    const named = keyword === "properties" || keyword === "$defs";
    for (const each of named ? Object.values(value) : [value]) yield* keywordsIn(each);
  }
}
