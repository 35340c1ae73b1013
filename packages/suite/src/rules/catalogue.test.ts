import { readFileSync } from "node:fs";
import { dialects } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { checks, clientChecks } from "../checks/index.ts";
import { catalogues, ruleIn, ruleOf, specUrl, versionsWith } from "./catalogue.ts";
import type { Rule } from "./rule.ts";

const rowsOf = (version: string): Partial<Rule>[] =>
  parse(readFileSync(new URL(`${version}.yaml`, import.meta.url), "utf8"));

describe.each(dialects.toReversed())("the catalogue of %s", (version) => {
  test("is what the YAML says, and as a newer version has it where the YAML is silent", () => {
    const rows = rowsOf(version);
    expect(catalogues[version].map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    for (const row of rows) expect(ruleIn(version, row.id!)).toMatchObject(row);
  });

  test("gives every rule all that a row has to say", () => {
    const lacking = catalogues[version].filter(
      ({ id, section, level, actor, bindings, requires, text, check, breaks, basis, testability, source }) =>
        [id, section, level, actor, bindings, requires, text, check, breaks, basis, testability, source].includes(
          undefined as never,
        ),
    );
    expect(lacking.map(({ id }) => id)).toEqual([]);
  });

  test("gives ids once", () => {
    const rules = catalogues[version];
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  });

  test("has under an id of its own only what no newer version has", () => {
    const own = catalogues[version].filter(({ id }) => /^V\d\d-/.test(id));
    const prefix = (id: string): string => `V${versionsWith(id)[0]!.replace(".", "")}-`;
    expect(own.filter(({ id }) => !id.startsWith(prefix(id))).map(({ id }) => id)).toEqual([]);
  });
});

test("every check is about a rule of a catalogue that agents have to keep, and no rule has two", () => {
  expect(checks.filter(({ id }) => !ruleOf(id)).map(({ id }) => id)).toEqual([]);
  expect(checks.filter(({ id }) => ruleOf(id)?.actor === "client").map(({ id }) => id)).toEqual([]);
  const ids = checks.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test("every check says what is promised and what to change", () => {
  const wordless = [...checks, ...clientChecks].filter(({ id }) => {
    const { title = "", remedy = "" } = ruleOf(id)!;
    return title.length < 10 || remedy.length < 10 || /[.!]$/.test(title);
  });
  expect(wordless.map(({ id }) => id)).toEqual([]);
});

test("sections and guides can be opened", () => {
  expect(specUrl("3.1.4")).toBe("https://a2a-protocol.org/latest/specification/#314-list-tasks");
  expect(specUrl("extensions.md")).toBe("https://a2a-protocol.org/latest/topics/extensions/");
  expect(specUrl("whats-new-v1.md")).toBe("https://a2a-protocol.org/latest/whats-new-v1/");
  expect(specUrl("7.3", "0.3")).toBe("https://github.com/a2aproject/A2A/blob/v0.3.0/docs/specification.md");
});
