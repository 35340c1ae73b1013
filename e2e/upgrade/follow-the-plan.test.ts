import type { Server } from "node:http";
import { exitCodeOf } from "@assay/suite/report";
import { knownClients, planOf } from "@assay/upgrade";
import { expect, test } from "vitest";
import { startAfter } from "./js-agent-after.fixture.ts";
import { startBefore } from "./js-agent-before.fixture.ts";
import { check, conformance, record, subjects, unexpectedIn } from "./two-versions.fixture.ts";

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

test("an agent on the JavaScript SDK that follows the plan conforms to 1.0, first next to 0.3, then alone", async () => {
  const before = await startBefore();
  const plan = planOf(await record(before.url), knownClients);
  await close(before.server);
  if (!("format" in plan)) throw new Error(plan.message);
  expect(plan).toMatchObject({ from: "0.3", speaks: ["0.3"], cards: { next: { toDo: [] }, both: { toDo: [] } } });

  const both = await startAfter(plan.cards.both.card, before.url, { compat: true });
  try {
    const found = await check(both.url, { bindings: ["JSONRPC", "HTTP+JSON"] });
    expect({ outcome: found.outcome, differs: subjects(found, "differs") }).toEqual({
      outcome: "equivalent",
      differs: [],
    });
  } finally {
    await close(both.server);
  }

  const alone = await startAfter(plan.cards.next.card, before.url, { compat: false });
  try {
    const report = await conformance(alone.url, { name: "a2a-js", version: "1.3.0" });
    expect({ code: exitCodeOf(report), unexpected: unexpectedIn(report) }).toEqual({ code: 0, unexpected: [] });
  } finally {
    await close(alone.server);
  }
});
