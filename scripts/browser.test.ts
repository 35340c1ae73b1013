import { runInNewContext } from "node:vm";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { loadReporters } from "../packages/reporters/src/formats.ts";
import { sampleRun } from "../packages/reporters/src/sample.fixture.ts";

/** What the page in a browser is made of. A module of Node that is imported anywhere below it fails the build. */
async function bundled(source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: process.cwd(), loader: "ts" },
    bundle: true,
    write: false,
    platform: "browser",
    format: "iife",
    globalName: "bundle",
    conditions: ["source"],
    logLevel: "silent",
  });
  return outputFiles[0]!.text;
}

/** Runs where there is nothing but the language and what every browser has: no `process`, no `Buffer`. */
const runBare = (code: string, globals: object = {}): unknown =>
  runInNewContext(code, { URL, TextDecoder, TextEncoder, ...globals });

test("every report is rendered by a browser as it is by Node", async () => {
  const code = await bundled('export { formats } from "./packages/reporters/src/formats.ts";');
  for (const [format, write] of Object.entries(await loadReporters())) {
    const made = `bundle.formats[${JSON.stringify(format)}].load().then((write) => write(JSON.parse(run)))`;
    const text = await runBare(`${code}; ${made};`, { run: JSON.stringify(sampleRun) });
    expect(text, format).toBe(write(sampleRun));
  }
});

test("a browser folds the events of a run into its report", async () => {
  const code = await bundled('export { foldRun } from "./packages/suite/src/report/index.ts";');
  const report = runBare(`${code}; JSON.stringify(bundle.foldRun(JSON.parse(events)));`, {
    events: JSON.stringify(sampleRun.events),
  });
  expect(JSON.parse(String(report))).toEqual(JSON.parse(JSON.stringify(sampleRun.report)));
});

test("the guard sees a module and a global of Node", async () => {
  await expect(bundled('import "node:fs";')).rejects.toThrow(/Could not resolve "node:fs"/);
  const code = await bundled("Buffer.from([]);");
  expect(() => runBare(code)).toThrow(/Buffer is not defined/);
});
