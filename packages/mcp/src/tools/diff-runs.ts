import { type ComparedRun, compareReports } from "@assay/suite/report";
import { z } from "zod";
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
      before: runName.describe("the earlier run (default: last~1)").optional(),
      after: runName.describe("the later run (default: last)").optional(),
      limit: z.number().int().min(1).max(100).describe("number of changes to return (default: 20)").optional(),
    }),
    output: z.strictObject({
      before: side,
      after: side,
      regressed: z.boolean(),
      changes: z.array(
        z.strictObject({
          change: z.enum(["fixed", "broken", "found", "unknown", "gone", "still"]),
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
    async run({ before = "last~1", after = "last", limit = 20 }) {
      const files = [await runFile(before, folder), await runFile(after, folder)] as const;
      const compared = compareReports(reportIn(files[0]), reportIn(files[1]));
      return {
        before: sideOf(compared.before),
        after: sideOf(compared.after),
        regressed: compared.regressed,
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

const sideOf = ({ run, agentUrl, outcome, conformanceLevel, examined, applicable }: ComparedRun) => ({
  run,
  agent_url: untrusted(agentUrl),
  outcome,
  level: conformanceLevel,
  rules_examined: examined,
  rules_applicable: applicable,
});
