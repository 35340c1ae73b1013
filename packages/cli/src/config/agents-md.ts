import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { reasonOf } from "@assay/library/runs";
import { UsageError } from "../exit.ts";

const heading = "## Test the A2A agent with Assay";

const paragraph = `${heading}

Assay tests A2A agents and clients for conformance. After a change to the agent, its card or its client, test it and fix what fails:

- With the MCP server \`npx a2a-assay mcp --allow-commands\`: call \`test_agent\`, then \`get_finding\` for the first failure. Fix it, and test again.
- Without it: \`npx a2a-assay test <url>\`, and \`npx a2a-assay explain <rule>\`.

Change the agent, never the test. Stop when the outcome is "conformant". \`skills/assay/SKILL.md\` in the package a2a-assay has the steps.
`;

/** Adds the paragraph to AGENTS.md of the current folder, once; returns what it did. */
export function addToAgentsMd(file = "AGENTS.md"): string {
  try {
    const before = existsSync(file) ? readFileSync(file, "utf8") : undefined;
    if (before?.includes(heading)) return `${file} already has the paragraph about Assay.`;
    const text = before === undefined ? `# For coding agents\n\n${paragraph}` : `${before.trimEnd()}\n\n${paragraph}`;
    writeFileSync(file, text);
    return `${before === undefined ? "Wrote" : "Added a paragraph to"} ${file}. Add the MCP server to your coding agent: docs/mcp.md`;
  } catch (error) {
    throw new UsageError(`Cannot write ${file} (${reasonOf(error as NodeJS.ErrnoException)})`);
  }
}
