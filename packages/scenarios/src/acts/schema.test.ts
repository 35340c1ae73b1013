import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import schema from "../../schemas/acts.schema.json" with { type: "json" };
import { errorTypes } from "./error-types.ts";
import { abstractOperations, jsonTypes, levels, runnerRequirements, transports } from "./model.ts";
import { readActsFile } from "./reading/read-file.ts";

const isRegularExpression = (text: string): boolean => {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
};

// Not strict about types and required members: the members of a step are described once and
// narrowed elsewhere.
const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  strictTypes: false,
  strictRequired: false,
  formats: { regex: isRegularExpression },
});
const isDocument = ajv.compile(schema);

interface Flaw {
  readonly id: string;
  readonly what: string;
}

/** Returns the flaws of a document: the test and the member. */
function flawsOf(document: unknown): Flaw[] {
  if (isDocument(document)) return [];
  return isDocument.errors!.map(({ instancePath, message = "", params }) => {
    const names = instancePath.split("/").slice(1);
    const extra = "additionalProperty" in params ? `${message}: ${String(params["additionalProperty"])}` : message;
    return { id: testAt(document, names), what: `${names.at(-1) ?? "document"} ${extra}` };
  });
}

/** Returns the id of the test at a place. */
function testAt(document: unknown, names: readonly string[]): string {
  let here: unknown = document;
  let id = "";
  for (const name of names) {
    here = (here as Record<string, unknown>)[name.replaceAll("~1", "/")];
    if (typeof here === "object" && here !== null && "steps" in here && "id" in here) id = String(here.id);
  }
  return id;
}

const root = resolve(import.meta.dirname, "../../../..");
const read = (file: string): unknown => parse(readFileSync(file, "utf8"));

test("acceptance.yaml keeps the schema", () => {
  expect(flawsOf(read(resolve(root, "acceptance.yaml")))).toEqual([]);
});

test("editors find the schema from acceptance.yaml", () => {
  const [first] = readFileSync(resolve(root, "acceptance.yaml"), "utf8").split("\n");
  const [, path] = /^# yaml-language-server: \$schema=(\S+)$/.exec(first!)!;
  expect(JSON.parse(readFileSync(resolve(root, path!), "utf8"))).toEqual(schema);
});

const corpus = resolve(root, "../shared/acts");
if (!existsSync(corpus)) process.stderr.write(`skipped: the schema on the public corpus; there is none at ${corpus}\n`);

/** Known deviations of the public corpus from its own grammar: how often, or in which tests. */
const knownDefects: readonly (readonly [pattern: RegExp, tests: readonly string[] | number])[] = [
  [/^operation must be equal to one of the allowed values$/, 18],
  [/^expect_error must NOT have additional properties: code$/, 13],
  [/^expect_error must NOT have additional properties: data$/, ["CORE-ERR-007"]],
  [/^expect must NOT have additional properties: task$/, ["STREAM-SUB-001", "STREAM-SUB-003"]],
  [/^expect must NOT have additional properties: error$/, ["CORE-MULTI-006", "STREAM-SUB-003"]],
  // A member named like an operator: the grammar cannot express it.
  [/^type must be equal to one of the allowed values$/, ["REST-PD-001"]],
];

/** They expect any error, which the grammar does not allow. */
const anyError = ["CORE-CTX-001", "CORE-ERR-009", "CORE-MULTI-003", "SEC-AUTH-003", "SEC-AUTH-003"];

describe.runIf(existsSync(corpus))("the public corpus", () => {
  const flaws = existsSync(corpus)
    ? readdirSync(corpus)
        .filter((file) => file.endsWith(".yaml"))
        .flatMap((file) => flawsOf(read(resolve(corpus, file))))
    : [];

  test.each(knownDefects)("has the known defect %s", (pattern, tests) => {
    const found = flaws.filter(({ what }) => pattern.test(what)).map(({ id }) => id);
    expect(typeof tests === "number" ? found.length : found.toSorted()).toEqual(tests);
  });

  test("names no error in five places, besides those where it calls it `code`", () => {
    const codes = flaws.filter(({ what }) => what.endsWith(": code")).map(({ id }) => id);
    const unnamed = flaws
      .filter(({ what }) => what === "expect_error must have required property 'error_type'")
      .map(({ id }) => id);
    for (const id of codes) unnamed.splice(unnamed.indexOf(id), 1);
    expect(unnamed.toSorted()).toEqual(anyError);
  });

  test("keeps the schema everywhere else", () => {
    const known = [...knownDefects.map(([pattern]) => pattern), /^expect_error must have required property/];
    expect(flaws.filter(({ what }) => !known.some((pattern) => pattern.test(what)))).toEqual([]);
  });
});

const step = { id: "send", operation: "send_message", params: {} };
const documentWith = (change: { document?: object; test?: object; step?: object }): object => {
  const scenario = { id: "T-1", name: "a test", level: "must", steps: [{ ...step, ...change.step }], ...change.test };
  const suite = { id: "s", name: "a suite", tests: [scenario] };
  return { acts_version: "1.0", spec_version: "1.0", suites: [suite], ...change.document };
};

test("a small document is one", () => {
  expect(flawsOf(documentWith({}))).toEqual([]);
});

const refused: readonly (readonly [what: string, document: object, problem: string])[] = [
  ["a version that is a number", documentWith({ document: { acts_version: 1 } }), "acts_version must be string"],
  ["neither suites nor includes", { acts_version: "1.0", spec_version: "1.0" }, "document must have required property"],
  ["a member nobody knows", documentWith({ document: { suits: [] } }), "must NOT have additional properties: suits"],
  ["an unknown level", documentWith({ test: { level: "MUST" } }), "level must be equal to one of"],
  ["an unknown transport", documentWith({ test: { transport: ["http"] } }), "0 must be equal to one of"],
  ["a test without steps", documentWith({ test: { steps: [] } }), "steps must NOT have fewer than 1 items"],
  ["an unknown operation", documentWith({ step: { operation: "send" } }), "operation must be equal to one of"],
  [
    "a step that does two things",
    documentWith({ step: { raw: { method: "GET", path: "/" } } }),
    "0 must match exactly",
  ],
  [
    "no parameters",
    documentWith({ step: { params: undefined } }),
    "0 must have property params when property operation",
  ],
  [
    "an answer and an error at once",
    documentWith({ step: { expect: {}, expect_error: { error_type: "TaskNotFoundError" } } }),
    "0 must NOT be valid",
  ],
  [
    "an error without its name",
    documentWith({ step: { expect_error: {} } }),
    "must have required property 'error_type'",
  ],
  [
    "an unknown error",
    documentWith({ step: { expect_error: { error_type: "NotFound" } } }),
    "error_type must be equal",
  ],
  ["members beside the body", documentWith({ step: { expect: { task: {} } } }), "must NOT have additional properties"],
  ["a type nobody knows", documentWith({ step: { expect: { body: { id: { type: "text" } } } } }), "type must be equal"],
  ["a broken expression", documentWith({ step: { expect: { body: { id: { matches: "(" } } } } }), "matches must match"],
  ["a condition that is none", documentWith({ step: { repeat: { until: "done" } } }), "until must match pattern"],
  ["an agent with a slash", documentWith({ test: { "x-assay": { agent: "/spec" } } }), "agent must match pattern"],
  ["an extension nobody knows", documentWith({ test: { "x-assay": { agnt: "spec" } } }), "additional properties: agnt"],
  [
    "an assertion that asserts nothing",
    documentWith({ test: { assertions: [{ source: "{{send.response}}" }] } }),
    "0 must match a schema in anyOf",
  ],
];

/** The public corpus does this, and the runner interprets it (quirks/rules.ts): new files need not. */
const tolerated = ["an error without its name", "members beside the body"];

test.each(refused)("%s is refused", (_, document, problem) => {
  expect(flawsOf(document).map(({ what }) => what)).toContainEqual(expect.stringContaining(problem));
});

test.each(refused.filter(([what]) => !tolerated.includes(what)))("%s is a mistake to the runner too", (_, document) => {
  expect(readActsFile("scenario.acts.yaml", stringify(document)).page.mistakes).not.toEqual([]);
});

test("the schema and the runner know the same words", () => {
  const { operation, test: scenario, transport, members, expectError } = schema.$defs;
  expect(expectError.properties.error_type.enum).toEqual(Object.keys(errorTypes));
  expect(operation.enum).toEqual([...abstractOperations]);
  expect(scenario.properties.level.enum).toEqual([...levels]);
  expect(scenario.properties.runner_requirements.items.enum).toEqual([...runnerRequirements]);
  expect(transport.items.enum.toSorted()).toEqual(transports.toSorted());
  expect(members.properties.type.enum).toEqual([...jsonTypes]);
});

test("every member is described, for editors to show", () => {
  const silent: string[] = [];
  const walk = (node: unknown, path: string): void => {
    if (typeof node !== "object" || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === "properties")
        for (const [name, member] of Object.entries(value as Record<string, object>))
          if (!("description" in member) && !("$ref" in member) && !("title" in member)) silent.push(`${path}/${name}`);
      walk(value, `${path}/${key}`);
    }
  };
  walk(schema, "");
  expect(silent).toEqual([]);
});
