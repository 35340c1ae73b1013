import { expect, test } from "vitest";
import { failedCell } from "../document/cell.fixture.ts";
import { MatrixAssembly } from "./assemble.ts";

test("a matrix ends with its last pair: the start of its programs counts, too", () => {
  const assembly = new MatrixAssembly();
  const cell = failedCell([], { op: "get" }, { code: "no-error", onTheWire: "fails" });
  assembly.add({ is: "pairing", id: "one", duration_ms: 70_000, cells: [cell], exchanges: [], causes: [] });
  const file = { suites: [] };
  const facts = { version: "1", startedAt: "2026-11-15T23:59:50.000Z", timeScale: 1, drivers: [], file, known: [] };
  expect(assembly.document(facts as never)).toMatchObject({
    finishedAt: "2026-11-16T00:01:10.000Z",
    duration_ms: 80_000,
  });
});
