import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../steps.mjs";

/** Returns llms.txt of the site: every page of the sidebar with its first sentence. Links are relative to the file. */
export function llmsText(pages) {
  const sidebar = JSON.parse(readFileSync(join(root, "docs/.vitepress/sidebar.json"), "utf8"));
  const pageOf = (link) => pages[`${link.slice(1)}.md`] ?? readFileSync(join(root, `docs${link}.md`), "utf8");
  const sections = sidebar.map(
    ({ text, items }) =>
      `## ${text}\n\n${items.map((item) => `- [${item.text}](${item.link.slice(1)}): ${firstSentence(pageOf(item.link))}`).join("\n")}`,
  );
  return `# Assay

> Assay tests A2A (Agent2Agent protocol) agents and clients for conformance. Every failure comes with the exchange, the rule it breaks, and how to fix it.

Coding agents run it over MCP: [Let a coding agent run Assay](mcp).

${sections.join("\n\n")}
`;
}

/** Returns the first sentence of the first paragraph as plain text, and the second if the first is short. */
function firstSentence(page) {
  const paragraphs = page.replace(/^---\n[\s\S]*?\n---\n/, "").split(/\n\s*\n/);
  const first = paragraphs.find((paragraph) => /^[A-Z`*[]/.test(paragraph)) ?? "";
  const plain = first.replaceAll(/\s+/g, " ").replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  return /^.{30,}?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, ".") ?? plain;
}
