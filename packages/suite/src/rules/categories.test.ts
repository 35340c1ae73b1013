import { expect, test } from "vitest";
import { categories, subjects } from "../report/result.ts";
import { catalogues, ruleOf } from "./catalogue.ts";

const ids = [...new Set(Object.values(catalogues).flatMap((rules) => rules.map(({ id }) => id)))];
const areaOf = (id: string): string => id.replace(/^V\d\d-/, "").split("-", 1)[0]!;
const tagsOf = (id: string): readonly string[] => ruleOf(id)?.tags ?? [];

test("every rule has a category of the report, and each category has rules", () => {
  expect(new Set(ids.map((id) => ruleOf(id)!.category))).toEqual(new Set(Object.values(categories)));
});

test("tags are categories and subjects, and none repeats the category of its rule", () => {
  const known: readonly string[] = [...Object.values(categories), ...subjects];
  expect(ids.filter((id) => tagsOf(id).some((tag) => !known.includes(tag)))).toEqual([]);
  expect(ids.filter((id) => tagsOf(id).includes(ruleOf(id)!.category))).toEqual([]);
});

test("versions agree on the category and the tags of a rule", () => {
  const rows = Object.values(catalogues).flat();
  const differs = rows.filter(({ id, category, tags }) => {
    const newest = ruleOf(id)!;
    return newest.category !== category || String(newest.tags) !== String(tags);
  });
  expect(differs.map(({ id }) => id)).toEqual([]);
});

test.each([
  ["an unknown method", "JSONRPC-006", "error-handling", ["interop", "bindings"]],
  ["an unknown task", "GET-002", "error-handling", ["lifecycle"]],
  ["cancelling what has ended", "CANCEL-002", "error-handling", ["lifecycle"]],
  ["a missing login", "AUTH-006", "error-handling", ["security"]],
  ["another version", "VER-005", "error-handling", ["interop", "versioning"]],
  ["a webhook that is called", "PUSH-020", "lifecycle", ["push-notifications"]],
  ["the ids of several tasks", "CTX-007", "interop", ["lifecycle"]],
  ["the events of several streams", "STREAM-019", "interop", ["streaming"]],
] as const)("%s: %s is %s, and found by %j", (_, id, category, tags) => {
  expect([ruleOf(id)?.category, tagsOf(id)]).toEqual([category, tags]);
});

test("what was a category of its own is found by that name as before", () => {
  const named = (name: string): Set<string> => new Set(ids.filter((id) => tagsOf(id).includes(name)).map(areaOf));
  expect([...named("security")]).toEqual(expect.arrayContaining(["AUTH", "SEC", "TEN"]));
  expect([...named("versioning")]).toEqual(expect.arrayContaining(["VER", "EXT"]));
  expect([...named("data-model")]).toEqual(expect.arrayContaining(["DATA", "LEG"]));
  expect([...named("bindings")]).toEqual(expect.arrayContaining(["JSONRPC", "REST", "GRPC"]));
  expect([...named("push-notifications")]).toContain("PUSH");
});
