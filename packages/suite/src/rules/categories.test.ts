import { expect, test } from "vitest";
import { categories } from "../report/result.ts";
import { catalogues } from "./catalogue.ts";
import { categoryOf, placedByName, tagsOf } from "./categories.ts";

const ids = [...new Set(Object.values(catalogues).flatMap((rules) => rules.map(({ id }) => id)))];
const areaOf = (id: string): string => id.replace(/^V\d\d-/, "").split("-", 1)[0]!;

test("every area has its place in the report", () => {
  const areas = new Set(ids.map(areaOf));
  // An area without a place has the one of last resort, and no tag.
  const astray = [...areas].filter((area) => !["CAP", "META"].includes(area) && isAdrift(`${area}-000`));
  expect(astray).toEqual([]);
});

const isAdrift = (id: string): boolean => categoryOf(id) === "interop" && tagsOf(id).length === 0;

test("rules that are placed by name exist", () => {
  expect(placedByName.filter((id) => !ids.includes(id))).toEqual([]);
});

test("a rule is placed by name once, and no tag repeats its category", () => {
  expect(placedByName.filter((id, index) => placedByName.indexOf(id) !== index)).toEqual([]);
  expect(ids.filter((id) => tagsOf(id).includes(categoryOf(id)))).toEqual([]);
  expect(new Set(ids.map(categoryOf))).toEqual(new Set(Object.values(categories)));
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
  expect([categoryOf(id), tagsOf(id)]).toEqual([category, tags]);
});

test("what was a category of its own is found by that name as before", () => {
  const named = (name: string): Set<string> =>
    new Set(ids.filter((id) => (tagsOf(id) as readonly string[]).includes(name)).map(areaOf));
  expect([...named("security")]).toEqual(expect.arrayContaining(["AUTH", "SEC", "TEN"]));
  expect([...named("versioning")]).toEqual(expect.arrayContaining(["VER", "EXT"]));
  expect([...named("data-model")]).toEqual(expect.arrayContaining(["DATA", "LEG"]));
  expect([...named("bindings")]).toEqual(expect.arrayContaining(["JSONRPC", "REST", "GRPC"]));
  expect([...named("push-notifications")]).toContain("PUSH");
});
