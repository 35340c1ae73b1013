import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { MatrixFlags } from "../commands/matrix.ts";
import { filtersOf, type MatrixHead, resumedFlags } from "./record-file.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-matrix-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const places = { drivers: join(folder, "sdks"), scenarios: join(folder, "acceptance.yaml") };
const head: MatrixHead = {
  ...{ is: "matrix", startedAt: "2026-11-18T08:00:00Z", version: "0", scenarios: "", timeScale: 0.5, places },
  filters: filtersOf({ client: ["a2a-js"], binding: ["GRPC"], scenario: ["spec-*"] }),
};

function recorded(name: string, written: object): MatrixFlags {
  const file = join(folder, name);
  writeFileSync(file, `${JSON.stringify(written)}\n`);
  return { resume: file, spareMemory: 500 };
}

test("a resumed matrix has the drivers, scenarios, time scale and filters of the first session", async () => {
  const given = recorded("filtered.ndjson", head);
  const filters = { client: ["a2a-js"], binding: ["GRPC"], scenario: ["spec-*"] };
  expect(await resumedFlags(given)).toEqual({ ...given, ...places, timeScale: 0.5, ...filters });
});

test("it has no relay if the first session had none", async () => {
  const without = recorded("unchained.ndjson", { ...head, chain: false });
  expect(await resumedFlags({ ...without, chain: true })).toMatchObject({ chain: false });
  const relayed = recorded("chained.ndjson", head);
  expect(await resumedFlags({ ...relayed, chain: true })).toMatchObject({ chain: true });
});

test("new filters replace all of the first session", async () => {
  const flags = await resumedFlags({ ...recorded("again.ndjson", head), server: ["a2a-go"] });
  expect(filtersOf(flags)).toEqual({ server: ["a2a-go"] });
});

test.each<[string, Partial<MatrixFlags>]>([
  ["--drivers", { drivers: folder }],
  ["--scenarios", { scenarios: "other.yaml" }],
  ["--time-scale", { timeScale: 0.2 }],
])("another value of %s is another matrix", async (flag, other) => {
  await expect(resumedFlags({ ...recorded("other.ndjson", head), ...other })).rejects.toThrow(
    `--resume: ${flag} differs from that of the matrix in`,
  );
});

test("the same values can be repeated", async () => {
  const { drivers, scenarios } = places;
  const same = { drivers: relative(process.cwd(), drivers), scenarios, timeScale: 0.5 };
  expect(await resumedFlags({ ...recorded("same.ndjson", head), ...same })).toMatchObject({
    ...places,
    timeScale: 0.5,
  });
});

test.each([
  ["the head of a matrix", { is: "chain" }],
  ["places", { ...head, places: undefined }],
])("a file without %s is an error", async (_, written) => {
  await expect(resumedFlags(recorded("headless.ndjson", written))).rejects.toThrow("is not a recorded matrix");
});
