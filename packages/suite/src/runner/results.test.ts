import { createMasker } from "@assay/wire";
import { expect, test } from "vitest";
import { shown } from "../answers/loose-json.ts";
import { spoken } from "../checks/bindings/call.fixture.ts";
import { checks } from "../checks/index.ts";
import type { Call } from "../define/call.ts";
import { breach, broken } from "../define/finding.ts";
import { resultOf } from "./results.ts";

const check = checks.find(({ id }) => id === "GET-002")!;
const context = {
  masker: createMasker([{ name: "token", value: "s3cret-token" }]),
  baseline: [],
  today: "2026-11-15",
  dialect: "1.0",
  declared: true,
  strict: false,
  ruleSet: "1.0.1-r1",
} as const;

test("a breach says which operation shows it, how that was answered, and where to look", () => {
  const error = { code: -32603, http: 200, message: "KeyError", details: [] };
  const call: Call = { ...spoken("JSONRPC", {}), reply: { is: "error", error }, said: { is: "error", error } };
  expect(resultOf(context, { check, on: call.on }, breach("other-error", "it breaks", { at: call }))).toMatchObject({
    operation: "GetTask",
    answer: "-32603",
    place: { path: "$.error.code" },
  });
});

test("the place of a value is found in the answer, and masked like everything that an agent wrote", () => {
  const metadata = { wrong: true };
  const said = { is: "result", json: { "s3cret-token": metadata } } as const;
  const call: Call = { ...spoken("HTTP+JSON", {}), reply: said, said };
  const result = resultOf(context, { check, on: call.on }, broken("it is wrong", { ...shown(metadata), at: call }));
  expect(result.place?.path).toMatch(/^\$/);
  expect(JSON.stringify(result)).not.toContain("s3cret-token");
  expect(result.answer).toBeUndefined();
});
