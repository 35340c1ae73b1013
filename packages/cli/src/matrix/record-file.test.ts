import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { filtersOf, type MatrixHead, resumedFilters } from "./record-file.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-matrix-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const head = { is: "matrix", startedAt: "2026-11-18T08:00:00Z", version: "0", scenarios: "", timeScale: 1 } as const;

function recorded(name: string, written: MatrixHead): string {
  const file = join(folder, name);
  writeFileSync(file, `${JSON.stringify(written)}\n`);
  return file;
}

test("a resumed matrix has the filters of the first session", async () => {
  const filters = filtersOf({ client: ["a2a-js"], binding: ["GRPC"], scenario: ["spec-*"] });
  expect(filters).toEqual({ client: ["a2a-js"], binding: ["GRPC"], scenario: ["spec-*"] });
  expect(await resumedFilters(recorded("filtered.ndjson", { ...head, filters }))).toEqual(filters);
});

test("a file without filters resumes the whole matrix", async () => {
  expect(await resumedFilters(recorded("older.ndjson", head))).toEqual({});
});
