import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, expect, test } from "vitest";
import { sampleMatrix } from "../../../matrix/src/document/sample.fixture.ts";
import { run } from "../main.ts";
import { keepDocument } from "../matrix/record-file.ts";
import { paperScreen } from "../screen.fixture.ts";
import { keptMatrices } from "./matrices.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-kept-matrices-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the page finds what assay matrix keeps beside its records, and compressed documents", () => {
  const matrix = sampleMatrix();
  const records = join(folder, "2026-11-16T08-00-00-000Z.ndjson");
  writeFileSync(records, '{"is":"matrix"}\n');
  keepDocument(records, matrix);
  writeFileSync(join(folder, "older.json.gz"), gzipSync(JSON.stringify(matrix)));
  const kept = keptMatrices([], folder);
  expect(kept.list()).toEqual(["2026-11-16T08-00-00-000Z", "older"]);
  for (const name of kept.list()) expect(kept.read(name)).toEqual(JSON.parse(JSON.stringify(matrix)));
});

test.each([
  ["a missing file", "none.json", "file not found"],
  ["another JSON file", "other.json", "is not a report of assay matrix"],
])("assay ui rejects %s", async (_what, name, because) => {
  // The folder of the test above lists every document in it.
  const others = mkdtempSync(join(folder, "others-"));
  writeFileSync(join(others, "other.json"), "{}");
  const screen = paperScreen({ isTerminal: false });
  const site = join(others, "site");
  expect(await run(["ui", "--export", site, "--matrix", join(others, name)], screen)).toBe(2);
  expect(screen.err()).toContain(because);
});
