import { defineConfig, mergeConfig } from "vitest/config";
import house from "../../vitest.config.ts";

/** The proofs, overheard: one file after the other, since all write into the same folder. */
// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default mergeConfig(house, defineConfig({ test: { setupFiles: ["e2e/recorder/setup.ts"], maxWorkers: 1 } }));
