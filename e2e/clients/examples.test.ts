import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ClientTestOptions, testClient } from "@assay/clients";
import { foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { afterAll, beforeAll, expect, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";

/** The clients in a page, with the actions that they support. */
function clientsIn(file: string, can: NonNullable<ClientTestOptions["can"]> | undefined) {
  const page = readFileSync(new URL(`../../docs/${file}`, import.meta.url), "utf8");
  return [...page.matchAll(/```(js|python)\n(.*?)```/gs)].map(([, language, code]) => ({
    file,
    can,
    language: language!,
    code: code!,
  }));
}

const examples = [
  ...clientsIn("clients.md", undefined),
  ...clientsIn("sample-clients.md", ["send", "stream", "get", "cancel", "converse"]),
];
const runners: Readonly<Record<string, { file: string; by: readonly string[] }>> = {
  js: { file: "client.mjs", by: [process.execPath] },
  python: { file: "client.py", by: ["python3"] },
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-clients-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The situations of a short run. A whole run has all of them. */
const few = ["send", "task", "failed", "stream", "converse", "cancel", "refine", "forged-card"];

test.each(examples)(
  "the client of $file in $language does what it supports, and gets one warning",
  async ({ language, code, can }) => {
    const { file, by } = runners[language]!;
    const path = join(mkdtempSync(join(folder, "client-")), file);
    writeFileSync(path, code);
    const events: RunEvent[] = [];
    for await (const event of testClient({
      command: [...by, path],
      env: process.env,
      run: "examples",
      version: "0",
      dialects: ["1.0"],
      timeout: 60_000,
      ...(can && { can }),
      ...(!provesAll && { situations: few, bindings: ["JSONRPC"] }),
    }))
      events.push(event);
    const report = foldRun(events);
    const accused = resultsOf(report).filter(({ verdict, warning }) => verdict === "fail" || warning !== undefined);
    expect(accused.map(({ test: id }) => id)).toEqual(["SIG-017"]);
    expect(report.outcome).toBe("conformant");
    const endOf = (id: string) => {
      const found = report.situations?.find(
        ({ situation, interface: on }) => situation === id && (on?.binding ?? "JSONRPC") === "JSONRPC",
      );
      return `${found?.ended} ${found?.runs[0]?.exit ?? "not started"}`;
    };
    const supported = can ? "done 0" : "declined 75";
    expect(few.map((id) => `${id} ${endOf(id)}`)).toEqual([
      "send done 0",
      "task done 0",
      "failed done 1",
      `stream ${supported}`,
      `converse ${supported}`,
      `cancel ${supported}`,
      can ? "refine declined not started" : "refine declined 75",
      "forged-card done 0",
    ]);
  },
);
