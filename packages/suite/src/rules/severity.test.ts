import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { causes, digests as computed, rows } from "#rules";
// @ts-expect-error: the scripts are plain JavaScript
import { severityIn } from "../../../../scripts/generate/severity.mjs";
import { checks, clientChecks } from "../checks/index.ts";
import { broken } from "../define/finding.ts";
import { digests } from "../generated/digests.ts";
import { type BreachCode, breachCodes } from "./breach-codes.ts";
import { catalogues, drafts, ruleOf } from "./catalogue.ts";
import { judgementOf } from "./policy.ts";
import type { Rule } from "./rule.ts";

/** The generator's reading of another `severity.yaml`: "fine", or why it is refused. */
function read(yaml: string): string {
  try {
    severityIn(yaml, { "1.0": [{ id: "LIST-003" }], "0.3": [] });
    return "fine";
  } catch (error) {
    return (error as Error).message;
  }
}

const list = (...lines: string[]): string =>
  `ceilings: []\ndisputed: []\nrows:\n${lines.map((each) => `  - ${each}\n`).join("")}`;

describe("a table of severity", () => {
  const row = '{ rule: LIST-003, code: broken, becomes: warning, why: "because" }';

  test("is read", () => expect(read(list(row))).toBe("fine"));

  test("may not have two rows for one breach", () => {
    expect(read(list(row, row))).toMatch(/could match one breach/);
    expect(read(list(row, '{ rule: "*", code: broken, bindings: [grpc], becomes: pass, why: "because" }'))).toMatch(
      /could match/,
    );
  });

  test("may have two rows for two bindings", () => {
    const over = (binding: string): string =>
      `{ rule: LIST-003, code: broken, bindings: [${binding}], becomes: info, why: "because" }`;
    expect(read(list(over("grpc"), over("rest")))).toBe("fine");
  });

  test.each([
    ['{ rule: LIST-999, code: broken, becomes: warning, why: "because" }', /no version has/],
    ['{ rule: LIST-003, code: broken, versions: ["0.3"], becomes: warning, why: "because" }', /does not have the rule/],
    ['{ rule: LIST-003, code: broken, becomes: worse, why: "because" }', /becomes one of/],
    ["{ rule: LIST-003, code: broken, becomes: warning }", /needs rule, code and why/],
    ['{ rule: LIST-003, code: broken, level: MUST, becomes: warning, why: "because" }', /unknown member level/],
  ])("may not say %s", (wrong, because) => expect(read(list(wrong))).toMatch(because));
});

describe("the rows", () => {
  test("are those of the YAML", () => {
    const yaml = parse(readFileSync(new URL("severity.yaml", import.meta.url), "utf8")) as { rows: unknown };
    expect(rows).toEqual(yaml.rows);
  });

  test("name rules that have a check, and say why", () => {
    const known = new Set([...checks, ...clientChecks].map(({ id }) => id));
    expect(rows.filter(({ rule }) => rule !== "*" && !known.has(rule)).map(({ rule }) => rule)).toEqual([]);
    expect(rows.filter(({ why }) => why.length < 20).map(({ rule, code }) => `${rule} ${code}`)).toEqual([]);
  });

  test("leave no code without one, but the plain breach and the causes that another rule owns", () => {
    const codes = Object.keys(breachCodes) as BreachCode[];
    const isTold = (code: BreachCode): boolean =>
      rows.some((row) => row.code === code) || causes.some((row) => row.codes.includes(code));
    expect(codes.filter((code) => code !== "broken" && !isTold(code))).toEqual([]);
  });

  test("that a lenient reading allows name an ambiguity of their rule", () => {
    const stray = rows.filter(
      ({ rule, under }) => under !== undefined && rule !== "*" && !(ruleOf(rule)?.ambiguity ?? []).includes(under),
    );
    expect(stray.map(({ rule, under }) => `${rule} ${under}`)).toEqual([]);
  });
});

describe("a checked MUST of 1.0 that can only warn", () => {
  const checked = new Set([...checks, ...clientChecks].map(({ id }) => id));
  const musts = catalogues["1.0"].filter(({ id, level }) => checked.has(id) && level.startsWith("MUST"));
  const fails = (rule: Rule): boolean =>
    judgementOf(broken("seen"), { rule, dialect: "1.0", set: "1.0.1-r1", strict: true, declared: true }).verdict ===
    "fail";

  // Where the basis is firm, and every row is mild all the same, e2e/proof/mutants.test.ts asks for the reason.
  test("says why", () => {
    expect(musts.filter((rule) => !fails(rule) && !rule.onlyWarns).map(({ id }) => id)).toEqual([]);
  });

  test("is the only kind of rule that gives such a reason", () => {
    const others = Object.values(catalogues).flat();
    expect(others.filter((rule) => rule.onlyWarns && !musts.includes(rule)).map(({ id }) => id)).toEqual([]);
  });
});

test("every set of rules is pinned by digests, for agents and for clients", () => {
  // A diff of the file shows which sets judge otherwise than before; `npm run generate -- rules` writes it.
  expect(digests).toEqual(computed);
  expect(Object.keys(digests)).toHaveLength(Object.keys(catalogues).length + 1 + Object.keys(drafts).length);
  const all = Object.values(digests).flatMap(({ agents, clients }) => [agents, clients]);
  for (const digest of all) expect(digest).toMatch(/^sha256:[\da-f]{64}$/);
});
