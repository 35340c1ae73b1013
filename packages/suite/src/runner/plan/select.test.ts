import { UsageError } from "@assay/protocol/assay-error";
import { expect, test } from "vitest";
import { select } from "./select.ts";

const all = ["LIST-003", "LIST-019", "STREAM-003", "CARD-003"].map((id) => ({ id }));
const ids = (filter: Parameters<typeof select>[1]): string[] => select(all, filter).selected.map(({ id }) => id);

test("without a filter everything stays", () => {
  expect(ids({})).toEqual(all.map(({ id }) => id));
});

test("a filter is an id, a glob, a category or a section", () => {
  expect(ids({ only: ["list-003"] })).toEqual(["LIST-003"]);
  expect(ids({ only: ["LIST-*"] })).toEqual(["LIST-003", "LIST-019"]);
  expect(ids({ only: ["streaming"] })).toEqual(["STREAM-003"]);
  expect(ids({ only: ["§3.1.4"] })).toEqual(["LIST-003", "LIST-019"]);
});

test("a rule is found by its category and by its tags", () => {
  const some = ["AUTH-006", "JSONRPC-006", "GET-001"].map((id) => ({ id }));
  const found = (name: string): string[] => select(some, { only: [name] }).selected.map(({ id }) => id);
  expect(found("security")).toEqual(["AUTH-006"]);
  expect(found("bindings")).toEqual(["JSONRPC-006"]);
  expect(found("error-handling")).toEqual(["AUTH-006", "JSONRPC-006"]);
});

test("a section brings those below it along, and not its neighbours", () => {
  expect(ids({ only: ["§3.1"] })).toEqual(["LIST-003", "LIST-019", "STREAM-003"]);
  expect(() => ids({ only: ["§3.1.41"] })).toThrow(UsageError);
});

test("what is skipped stays out although it was asked for", () => {
  expect(ids({ only: ["LIST-*"], skip: ["LIST-019"] })).toEqual(["LIST-003"]);
  expect(select(all, { only: ["LIST-*"], skip: ["LIST-019"] }).filtered.map(({ id }) => id)).toEqual([
    "LIST-019",
    "STREAM-003",
    "CARD-003",
  ]);
});

test("a pattern that fits nothing is refused, with what was probably meant", () => {
  expect(() => ids({ only: ["STREM-003"] })).toThrow(expect.objectContaining({ hint: "Did you mean STREAM-003?" }));
  expect(() => ids({ skip: ["nonsense-at-all"] })).toThrow(
    expect.objectContaining({ hint: "assay test --list shows all checks." }),
  );
});
