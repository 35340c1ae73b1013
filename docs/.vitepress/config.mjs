import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitepress";
import { linksOutside } from "./links.mjs";

const docs = join(import.meta.dirname, "..");
const sidebar = JSON.parse(readFileSync(join(import.meta.dirname, "sidebar.json"), "utf8"));

const icon = readFileSync(join(docs, "../packages/viewer/src/icon.svg"), "base64");

/** Lists the decision records by their first line, so that a new one needs no entry in the sidebar file. */
const decisions = readdirSync(join(docs, "adr"))
  .toSorted()
  .map((file) => ({
    text: readFileSync(join(docs, "adr", file), "utf8")
      .split("\n", 1)[0]
      .replace(/^#\s*/, ""),
    link: `/adr/${file.replace(/\.md$/, "")}`,
  }));

// biome-ignore lint/style/noDefaultExport: VitePress reads the default export
export default defineConfig({
  title: "Assay",
  description: "Conformance tests for A2A agents and clients",
  lang: "en-GB",
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `data:image/svg+xml;base64,${icon}` }]],
  // GitHub Pages serves a project below its name.
  base: process.env.DOCS_BASE ?? "/",
  outDir: "../dist/docs",
  cacheDir: "../node_modules/.cache/vitepress",
  cleanUrls: true,
  lastUpdated: false,
  markdown: {
    config: (md) => linksOutside(md, docs),
    languageAlias: { console: "shellsession" },
  },
  themeConfig: {
    search: { provider: "local" },
    outline: { level: [2, 3] },
    nav: [
      { text: "Start", link: "/tutorials/test-my-agent" },
      { text: "Command line", link: "/cli" },
      { text: "Rules", link: "/reference/rules" },
      { text: "How Assay judges", link: "/judging" },
    ],
    sidebar: [...sidebar, { text: "Decisions", collapsed: true, items: decisions }],
    externalLinkIcon: true,
  },
  // A missing generated page would only show up as a dead link, so say which command writes it.
  buildEnd: () => {
    if (!existsSync(join(docs, "reference/rules.md")))
      throw new Error("Run npm run docs -- build, not vitepress itself.");
  },
});
