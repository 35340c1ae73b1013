import { defineConfig } from "vitest/config";

// Tests read the source of every workspace (the `source` condition), so they never see a stale build.
const conditions = ["source", "node", "import", "default"];

// biome-ignore lint/style/noDefaultExport: vitest reads the default export
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "e2e/**/*.test.ts", "scripts/**/*.test.ts"],
    testTimeout: 20_000,
    // Most of the end-to-end proofs wait for somebody: two files at a time, whatever vitest makes of the cores.
    maxWorkers: 2,
  },
});
