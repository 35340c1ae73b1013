import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testClient } from "@assay/clients";
import { foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const page = readFileSync(new URL("../../docs/clients.md", import.meta.url), "utf8");
/** The examples of the page, by their language. */
const examples = [...page.matchAll(/```(js|python)\n(.*?)```/gs)].map(([, language, code]) => ({
  language: language!,
  code: code!,
}));
const runners: Readonly<Record<string, { file: string; by: readonly string[] }>> = {
  js: { file: "client.mjs", by: [process.execPath] },
  python: { file: "client.py", by: ["python3"] },
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-clients-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the examples of docs/clients.md", () => {
  test.each(examples)(
    "in $language: sends, declines the rest, and is accused of nothing",
    async ({ language, code }) => {
      const { file, by } = runners[language]!;
      const path = join(folder, file);
      writeFileSync(path, code);
      chmodSync(path, 0o755);
      const events: RunEvent[] = [];
      for await (const event of testClient({
        command: [...by, path],
        env: process.env,
        run: "examples",
        version: "0",
        dialects: ["1.0"],
        bindings: ["JSONRPC"],
        situations: ["send", "task", "failed", "stream"],
      }))
        events.push(event);
      const report = foldRun(events);
      const accused = resultsOf(report).filter(({ verdict, warning }) => verdict === "fail" || warning !== undefined);
      expect(accused.map(({ test, message, warning }) => `${test} ${warning ?? message}`)).toEqual([]);
      expect(report.outcome).toBe("conformant");
      expect(report.situations?.map(({ situation, ended }) => `${situation} ${ended}`).toSorted()).toEqual([
        "failed done",
        "send done",
        "stream declined",
        "task done",
      ]);
    },
  );
});
