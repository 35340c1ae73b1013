import { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findRun, RunFolder, readRun, recordRun } from "@assay/library/runs";
import { describe, expect, test } from "vitest";
import { weatherRun } from "../run.fixture.ts";

function newFolder(): RunFolder {
  const folder = new RunFolder(join(mkdtempSync(join(tmpdir(), "assay-runs-")), ".assay"));
  folder.prepare();
  return folder;
}

/** Records the events and gives the file. */
function written(folder: RunFolder, events = weatherRun, at = new Date("2026-11-15T08:14:02.500Z")): string {
  const record = recordRun(folder.eventsOf(folder.nameAt(at)));
  for (const event of events) record.add(event);
  record.close();
  return record.file;
}

describe("a recorded run", () => {
  test("is read as it was written", () => {
    const file = written(newFolder());
    expect(readRun(file)).toEqual(weatherRun);
  });

  test("is for its owner alone, and for no repository", () => {
    const folder = newFolder();
    // Windows has no such modes.
    expect(statSync(written(folder)).mode & 0o777).toBe(process.platform === "win32" ? 0o666 : 0o600);
    expect(readFileSync(join(folder.path, "..", ".gitignore"), "utf8")).toBe("*\n");
  });

  test("whose last line was never finished is read without it", () => {
    const file = written(newFolder(), weatherRun.slice(0, 6));
    appendFileSync(file, '{"event":"check-fin');
    expect(readRun(file)).toEqual(weatherRun.slice(0, 6));
  });

  test("with a broken line in the middle is refused, with the place", () => {
    const file = written(newFolder(), weatherRun.slice(0, 2));
    appendFileSync(file, "oops\n{}\n");
    expect(() => readRun(file)).toThrow(`${file}:3 is not a run event: oops`);
  });

  test("with a line that nests deeper than we read is refused, too", () => {
    const file = written(newFolder());
    appendFileSync(file, `{"event":"x","a":${"[".repeat(100)}${"]".repeat(100)}}\n{"event":"run-ended"}\n`);
    expect(() => readRun(file)).toThrow(`is not a run event: {"event":"x","a":[[`);
  });

  test("needs a beginning", () => {
    const file = join(newFolder().path, "odd.ndjson");
    writeFileSync(file, '{"event":"note","text":"x"}\n');
    expect(() => readRun(file)).toThrow("does not start with run-started");
  });

  test("that cannot be written any more says so once and lets the run go on", () => {
    const record = recordRun(join(newFolder().path, "x.ndjson"));
    const loop: Record<string, unknown> = { event: "note" };
    loop["text"] = loop;
    record.add(loop as never);
    record.add(weatherRun[0]!);
    expect(record.trouble).toMatch(/circular/i);
    record.close();
  });
});

describe("the folder of runs", () => {
  test("tells two runs of the same second apart, and knows their order", () => {
    const folder = newFolder();
    const names = Array.from({ length: 11 }, () => written(folder)).map((file) =>
      file.slice(folder.path.length + 1, -7),
    );
    expect(names.slice(0, 3)).toEqual(["2026-11-15T08-14-02", "2026-11-15T08-14-02-2", "2026-11-15T08-14-02-3"]);
    expect(folder.list()).toEqual(names);
  });

  test("forgets the oldest runs with their reports, and nothing else", () => {
    const folder = newFolder();
    const days = ["11", "12", "13"].map((day) => new Date(`2026-11-${day}T08:14:02Z`));
    for (const day of days) writeFileSync(written(folder, weatherRun, day).replace("ndjson", "html"), "");
    writeFileSync(join(folder.path, "notes.txt"), "mine");
    folder.prune(2);
    expect(readdirSync(folder.path).sort()).toEqual([
      "2026-11-12T08-14-02.html",
      "2026-11-12T08-14-02.ndjson",
      "2026-11-13T08-14-02.html",
      "2026-11-13T08-14-02.ndjson",
      "notes.txt",
    ]);
  });

  test("finds a run by name, by its beginning, as the last one, and as a file", () => {
    const folder = newFolder();
    const older = written(folder, weatherRun, new Date("2026-11-14T08:14:02Z"));
    const newer = written(folder);
    expect(findRun("last", folder)).toBe(newer);
    expect(findRun("2026-11-14T08-14-02", folder)).toBe(older);
    expect(findRun("2026-11-15", folder)).toBe(newer);
    expect(findRun(older, folder)).toBe(older);
    expect(() => findRun("2026-11", folder)).toThrow("matches several runs: 2026-11-14T08-14-02, 2026-11-15T08-14-02");
    expect(() => findRun("2025", folder)).toThrow("neither a file nor a run");
  });

  test("is not made by looking for it", () => {
    const folder = new RunFolder(join(mkdtempSync(join(tmpdir(), "assay-runs-")), ".assay"));
    expect(() => findRun("last", folder)).toThrow("No runs");
    expect(existsSync(folder.path)).toBe(false);
  });
});
