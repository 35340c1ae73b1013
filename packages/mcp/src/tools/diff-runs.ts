import type { RunFolder } from "@assay/library/runs";
import { type ComparedRun, type Comparison, type ConformanceReport, compareReports } from "@assay/suite/report";
import { z } from "zod";
import { ArgumentError } from "../argument-error.ts";
import { reportIn, runFile, runName } from "../runs.ts";
import { type Tool, type ToolContext, tool } from "../tool.ts";
import { untrusted, untrustedText } from "../untrusted.ts";

const side = z.strictObject({
  run: z.string(),
  agent_url: untrustedText,
  outcome: z.string(),
  level: z.string().nullable(),
  rules_examined: z.number(),
  rules_applicable: z.number(),
});

export const diffRunsTool = ({ operator: { folder } }: ToolContext): Tool =>
  tool({
    name: "diff_runs",
    title: "Compare two runs",
    description:
      "Compares two runs: which rules were fixed, which broke, and which still fail. Reads recordings and contacts no agent.",
    annotations: { readOnlyHint: true, openWorldHint: false },
    input: z.strictObject({
      before: runName.describe("the earlier run (default: the run of the same agent before it)").optional(),
      after: runName.describe("the later run (default: last)").optional(),
      limit: z.number().int().min(1).max(100).describe("number of changes to return (default: 20)").optional(),
    }),
    output: z.strictObject({
      before: side,
      after: side,
      same_agent: z.boolean().describe("false: the runs are of two addresses, so a change may be none of one agent"),
      regressed: z.boolean().describe("a rule that held is broken, or the agent is no longer conformant"),
      changes: z.array(
        z.strictObject({
          change: z
            .enum(["fixed", "broken", "found", "unknown", "gone", "still"])
            .describe(
              "broken: held before. found: fails, and the earlier run did not examine it, often because of a failure that is now fixed. unknown: failed before and was not examined again. gone: no longer applies",
            ),
          rule: z.string(),
          title: z.string(),
          where: z.array(z.string()),
          observed: untrustedText.optional(),
        }),
      ),
      changes_omitted: z.number(),
      rules_newly_examined: z.number(),
      rules_no_longer_examined: z.number(),
    }),
    async run({ before, after = "last", limit = 20 }) {
      const now = await reportOf(after, folder);
      const then = before === undefined ? await earlierOf(now, folder) : await reportOf(before, folder);
      const compared = compareReports(then, now);
      return {
        before: sideOf(compared.before),
        after: sideOf(compared.after),
        same_agent: then.agentUrl === now.agentUrl,
        regressed: isWorse(compared),
        changes: compared.changes.slice(0, limit).map(({ change, test, title, places, message }) => ({
          change,
          rule: test,
          title,
          where: [...places],
          ...(message !== undefined && { observed: untrusted(message) }),
        })),
        changes_omitted: Math.max(0, compared.changes.length - limit),
        rules_newly_examined: compared.coverage.gained.length,
        rules_no_longer_examined: compared.coverage.lost.length,
      };
    },
  });

const reportOf = async (run: string, folder: RunFolder): Promise<ConformanceReport> =>
  reportIn(await runFile(run, folder));

/** Returns the previous run of the agent at the same address. */
async function earlierOf({ run, agentUrl }: ConformanceReport, folder: RunFolder): Promise<ConformanceReport> {
  const names = folder.list();
  for (const name of names.slice(0, Math.max(0, names.indexOf(run))).toReversed()) {
    const report = await reportOf(name, folder).catch(() => undefined);
    if (report?.agentUrl === agentUrl) return report;
  }
  throw new ArgumentError("There is no earlier run of this agent.", "Name the run to compare with in before.");
}

/**
 * Returns true if the agent got worse. A fix lets rules fail that could not be examined before: `assay diff` counts
 * these as new failures, but the author of the fix must not take it back.
 */
const isWorse = ({ before, after, changes }: Comparison): boolean =>
  changes.some(({ change, accepted }) => change === "broken" && !accepted) ||
  (before.outcome === "conformant" && after.outcome !== "conformant");

const sideOf = ({ run, agentUrl, outcome, conformanceLevel, examined, applicable }: ComparedRun) => ({
  run,
  agent_url: untrusted(agentUrl),
  outcome,
  level: conformanceLevel,
  rules_examined: examined,
  rules_applicable: applicable,
});
