import { expect, test } from "vitest";
import { sdkMigrations } from "./sdk-migrations.ts";
import { stepsFor } from "./steps.ts";

const facts: Parameters<typeof stepsFor>[0] = {
  agent: { name: "Weather", version: "1", url: "http://127.0.0.1:1", cardUrl: "http://127.0.0.1:1/card" },
  from: "0.3",
  speaks: ["0.3"],
  showsTask: true,
  bindings: ["JSONRPC", "HTTP+JSON"],
  clients: { breaking: [], ready: [] },
};

test("gates after the first accept the failures that it lists", () => {
  const steps = stepsFor(facts);
  const gates = steps.map(({ gate }) => gate).filter((gate) => gate.startsWith("assay test"));
  expect(gates[0]).toContain("--baseline-update");
  expect(gates.slice(1).map((gate) => gate.includes("--baseline assay-baseline.yaml"))).toEqual([true, true]);
});

test("without a task the gate compares none, because it could not pass", () => {
  const [, serve] = stepsFor({ ...facts, showsTask: false });
  expect(serve!.gate).not.toContain("--equivalent");
  expect(serve!.does.at(-1)).toContain("prompts.task");
  expect(stepsFor(facts)[1]!.gate).toContain("--equivalent");
});

test("requests without a version stay in the version of today", () => {
  const [, serve] = stepsFor({ ...facts, from: "0.2", speaks: ["0.2"] });
  expect(serve!.does[0]).toContain("Answer requests without one in 0.2.");
  const last = stepsFor(facts).at(-1)!;
  expect(last.does).toContain(
    "Answer requests without A2A-Version with VersionNotSupportedError (JSON-RPC -32009, HTTP+JSON 400), in the form of 1.0.",
  );
});

test("an agent that speaks 1.0 needs no other release of its SDK", () => {
  const sdk = { because: "stated", migration: sdkMigrations["a2a-python"]! };
  const [, serve] = stepsFor({ ...facts, sdk });
  expect(serve).toMatchObject({
    title: "Serve 1.0 next to 0.3",
    does: expect.arrayContaining([sdk.migration.keepsOlder]),
  });
  const [, both] = stepsFor({ ...facts, sdk, speaks: ["1.0", "0.3"] });
  expect(both).toMatchObject({
    title: "Make both versions equivalent",
    does: ["Keep one task store behind both versions.", "Publish the card for both versions (below)."],
  });
});

test.each(["a2a-python", "a2a-js", "a2a-go"])("an agent with gRPC keeps 0.3 over gRPC, too: %s", (name) => {
  const migration = sdkMigrations[name]!;
  const doesWith = (...bindings: string[]) =>
    stepsFor({ ...facts, bindings, sdk: { because: "stated", migration } })[1]!.does.join(" ");
  expect(doesWith("JSONRPC")).not.toContain("Over gRPC");
  expect(doesWith("JSONRPC", "GRPC")).toContain("Over gRPC");
});

test("an agent with gRPC alone rejects other versions with a status of gRPC", () => {
  const last = stepsFor({ ...facts, bindings: ["GRPC"] }).at(-1)!;
  expect(last.does.at(-1)).toContain("VersionNotSupportedError (gRPC FAILED_PRECONDITION)");
});
