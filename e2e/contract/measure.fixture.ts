import { fileURLToPath } from "node:url";
import { type MeasureOptions, measureContract } from "@assay/clients";

const tool = fileURLToPath(new URL("tool.js", import.meta.url));

/** Measures the tool of the proof, with these words before its arguments. */
export const measure = (words: readonly string[], more: Partial<MeasureOptions> = {}) =>
  measureContract({
    command: [process.execPath, tool, ...words],
    env: { PATH: process.env["PATH"] },
    version: "0",
    timeoutMs: 60_000,
    ...more,
  });
