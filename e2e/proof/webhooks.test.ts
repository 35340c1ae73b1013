import type { Testbed } from "@assay/agents";
import type { Binding } from "@assay/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { line, prove, startFixtures } from "./proving.fixture.ts";

let bed: Testbed;
beforeAll(async () => {
  bed = await startFixtures();
});
afterAll(() => bed.close(0));

/** As it is when the user says nothing about webhooks: we listen on loopback, and hope. */
const unsaid = { webhook: undefined } as unknown as { webhook: { url: string } };
const delivery = ["PUSH-017", "PUSH-02*", "PUSH-030", "PUSH-044"];
/** `npm run prove` tries every binding. */
const bindings: readonly Binding[] = provesAll ? ["JSONRPC", "HTTP+JSON", "GRPC"] : ["JSONRPC"];
const more = { ...unsaid, bindings };

test("an agent without notifications is not blamed unless the operator says that it can reach Assay", async () => {
  const { results } = await prove(bed, "mutants/PUSH-020.silent", { base: "full", only: delivery, more });
  expect(results.filter(({ verdict }) => verdict !== "not-examined").map(line)).toEqual([]);
  expect(new Set(results.map(({ unexamined }) => unexamined))).toEqual(new Set(["webhook"]));
  expect(results[0]?.enable).toMatch(/--webhook-url/);
});

test("an agent that reaches the webhook unasked is judged by its notifications", async () => {
  const { results } = await prove(bed, "mutants/PUSH-025.form", { base: "full", only: ["PUSH-025"], more });
  expect(results.map(({ warning }) => warning)).toEqual(
    bindings.map(() => "the Content-Type of notifications is not JSON"),
  );
});

test("an agent that calls no private addresses is not blamed, and its configurations are looked at all the same", async () => {
  const { results } = await prove(bed, "variants/guarded-webhooks", {
    base: "full",
    only: ["PUSH-*"],
    more: { bindings },
  });
  const said = new Map(results.map((result) => [result.test, result]));
  expect(results.filter(({ verdict }) => verdict === "fail" || verdict === "blocked").map(line)).toEqual([]);
  expect(said.get("PUSH-013")?.verdict).toBe("pass");
  expect(said.get("PUSH-020")?.unexamined).toBe("webhook");
});
