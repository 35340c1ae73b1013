import type { Testbed } from "@assay/agents";
import { afterAll, expect, test } from "vitest";
import { line, prove, startFixtures } from "./proving.fixture.ts";

const bed: Testbed = await startFixtures();
afterAll(() => bed.close(0));

/** Faults that show in what other rules look at: those rules have nothing to do with them. */
test.each([["JSONRPC-017.bare", "SEC-004", "no event can be read, whatever the message says"]])(
  "%s is not held against %s: %s",
  async (mutant, rule) => {
    const { results } = await prove(bed, `mutants/${mutant}`, { base: "spec", only: [rule], dialect: "1.0" });
    expect(results.length).toBeGreaterThan(0);
    const blamed = results.filter(({ test: id, verdict }) => id === rule && verdict === "fail");
    expect(blamed.map(line)).toEqual([]);
  },
);

/** They read with historyLength, by which bad servers forget the rest. */
const late = ["HIST-001", "HIST-002", "HIST-003", "HIST-004", "HIST-007", "HIST-008", "DATA-029", "GET-004"];

test("what may change a task by reading it comes behind all that look at tasks", async () => {
  const only = ["GET-*", "CANCEL-*", "CTX-*", "DATA-029", "DATA-030", "HIST-*", "LIFE-*"];
  const { events } = await prove(bed, "spec", { base: "spec", only, dialect: "1.0", binding: "JSONRPC" });
  const started = events.flatMap((event) => (event.event === "check-started" ? [event.test] : []));
  expect(started).toEqual(expect.arrayContaining([...late, "GET-001"]));
  const first = started.findIndex((id) => late.includes(id));
  expect(started.slice(first).filter((id) => !late.includes(id))).toEqual([]);
});
