import type { RunFolder } from "@assay/library/runs";
import { catalogues } from "@assay/suite";
import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { runReport } from "./documents/run-report.ts";
import { reportIn, runFile, runName } from "./runs.ts";
import { ruleOf } from "./tools/explain.ts";

const mimeType = "application/json";

/** Adds the reports of runs and the rules. A list names only runs and rules, never an agent. */
export function addResources(server: McpServer, folder: RunFolder): void {
  const runs = () => folder.list().toReversed();
  const runTemplate = new ResourceTemplate("assay://runs/{run}", {
    list: () => ({ resources: runs().map((run) => ({ uri: `assay://runs/${run}`, name: run, mimeType })) }),
    complete: { run: (begun) => runs().filter((run) => run.startsWith(begun)) },
  });
  server.registerResource(
    "report",
    runTemplate,
    {
      title: "Report of a run",
      description: "All failures and warnings of a run. Fields named untrusted hold text of the tested side.",
      mimeType,
    },
    async ({ href }, { run }) => {
      const file = await runFile(runName.parse(run), folder);
      return { contents: [{ uri: href, mimeType, text: JSON.stringify(runReport(reportIn(file))) }] };
    },
  );
  const rules = catalogues["1.0"].map(({ id, title, text }) => ({ id, title: title ?? text }));
  server.registerResource(
    "rules",
    "assay://rules",
    { title: "Rules of A2A 1.0", description: "The id and title of every rule.", mimeType },
    ({ href }) => ({ contents: [{ uri: href, mimeType, text: JSON.stringify(rules) }] }),
  );
  const ruleTemplate = new ResourceTemplate("assay://rules/{rule}", {
    list: undefined,
    complete: { rule: (begun) => rules.map(({ id }) => id).filter((id) => id.startsWith(begun.toUpperCase())) },
  });
  server.registerResource(
    "rule",
    ruleTemplate,
    { title: "A rule of A2A", description: "The same as explain_rule.", mimeType },
    async ({ href }, { rule }) => ({
      contents: [{ uri: href, mimeType, text: JSON.stringify(await ruleOf(String(rule))) }],
    }),
  );
}
