import { fileURLToPath } from "node:url";
import { base } from "@assay/reporters/look";
import { defineConfig, type Plugin } from "vite";

/** The look that all pages of Assay share is written in TypeScript; the browser gets it as part of one style sheet. */
const sharedLook: Plugin = {
  name: "shared-look",
  resolveId: (id) => (id === "virtual:look.css" ? "\0look.css" : undefined),
  load: (id) => (id === "\0look.css" ? base : undefined),
};

// biome-ignore lint/style/noDefaultExport: vite reads the default export
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // Served from anywhere: the root of `assay ui`, or a folder of a site that was exported.
  base: "./",
  plugins: [sharedLook],
  resolve: { conditions: ["source", "module", "browser", "production"] },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "dist/page",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    // A picture inlined as data: would need a hole in the policy.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
  logLevel: "warn",
});
