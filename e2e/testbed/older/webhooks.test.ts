import { describe, expect, test } from "vitest";
import { definitionOf, objections } from "../../../packages/protocol/src/dialects/definitions.fixture.ts";
import { startHook } from "../../fixtures/subject.fixture.ts";
import { until } from "../../fixtures/testbed.fixture.ts";
import { useOlderWires, words } from "./wires.fixture.ts";

const { natively } = useOlderWires();

describe("notifications have the version that registered their webhook", () => {
  // Before 1.0 a notification is the task itself; only 1.0 wraps events (dialects.md §3.8).
  test.each(natively)("$name", async ({ peer }) => {
    const { url, posted } = await startHook();
    await peer.send(words("task-lifecycle x", { hook: { url, token: "secret" } }));
    await until(
      async () => posted,
      (all) => JSON.stringify(all.at(-1)?.body ?? "").match(/completed/i) !== null,
    );
    expect(posted.map(({ headers }) => headers["x-a2a-notification-token"])).toEqual(posted.map(() => "secret"));
    const wire = peer.wire === "0.3-proto" ? "0.3" : peer.wire;
    const definition = definitionOf(wire, "GetTask", "answer")!;
    for (const { body } of posted) expect(objections(wire, definition, body)).toEqual([]);
  });
});
