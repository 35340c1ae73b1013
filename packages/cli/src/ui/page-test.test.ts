import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { valuesOf } from "./page-test.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-page-test-"));
const config = join(folder, "assay.yaml");
writeFileSync(
  config,
  "url: http://127.0.0.1:9999/agent\nstart: touch started\nprincipals: { default: { bearer: env:TOKEN } }\n",
);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a page uses assay.yaml only for the agent it names, and never runs its command", () => {
  expect(valuesOf({ url: "http://127.0.0.1:9999/agent" }, config)).toEqual({ start: false, config });
  expect(valuesOf({ url: "127.0.0.1:9999/agent/" }, config)).toEqual({ start: false, config });
});

test.each([
  "http://127.0.0.1:9998/agent",
  "https://127.0.0.1:9999/agent",
  "http://127.0.0.1:9999/",
  "http://evil.example",
])("nothing of it, no login above all, goes to %s", (url) => {
  expect(valuesOf({ url }, config)).toEqual({ start: false, config: false });
});

test("what is asked for becomes what the command line would be told", () => {
  const wish = {
    url: "http://a.example",
    depth: "free",
    only: ["LIST-003"],
    bindings: ["GRPC"],
    dialects: ["0.3"],
    budget: 0,
  } as const;
  expect(valuesOf(wish, join(folder, "none.yaml"))).toEqual({
    start: false,
    config: false,
    depth: "free",
    only: ["LIST-003"],
    bindings: ["GRPC"],
    dialects: ["0.3"],
    budget: 0,
  });
});
