import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { checks } from "../checks/index.ts";
import { catalogue, categoryOf, ruleOf, specUrl } from "./catalogue.ts";

test("the module is what the YAML says", () => {
  expect(catalogue).toEqual(parse(readFileSync(new URL("1.0.yaml", import.meta.url), "utf8")));
});

test("ids are given once, and every area has its place in the report", () => {
  expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length);
  const astray = catalogue.filter(({ id }) => categoryOf(id) === "interop" && !/^(BIND|META)-/.test(id));
  expect(astray.map(({ id }) => id)).toEqual([]);
});

test("every check is about a rule of the catalogue that agents have to keep, and no rule has two", () => {
  expect(checks.filter(({ id }) => !ruleOf(id)).map(({ id }) => id)).toEqual([]);
  expect(checks.filter(({ id }) => ruleOf(id)?.actor === "client").map(({ id }) => id)).toEqual([]);
  const ids = checks.map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test("every check says what is promised and what to change", () => {
  const wordless = checks.filter(({ title, remedy }) => title.length < 10 || remedy.length < 10 || /[.!]$/.test(title));
  expect(wordless.map(({ id }) => id)).toEqual([]);
});

test("sections and guides can be opened", () => {
  expect(specUrl("3.1.4")).toBe("https://a2a-protocol.org/latest/specification/#314-list-tasks");
  expect(specUrl("extensions.md")).toBe("https://a2a-protocol.org/latest/topics/extensions/");
  expect(specUrl("whats-new-v1.md")).toBe("https://a2a-protocol.org/latest/whats-new-v1/");
});
