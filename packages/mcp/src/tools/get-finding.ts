import { readRun } from "@assay/library/runs";
import { ruleOf, sdkCalls } from "@assay/suite";
import {
  type ConformanceReport,
  type ConformanceResult,
  failuresOf,
  knownFaultText,
  resultsOf,
  warningsOf,
  whereOf,
} from "@assay/suite/report";
import { z } from "zod";
import { ArgumentError } from "../argument-error.ts";
import { exchangesOf, shownExchange } from "../documents/exchange.ts";
import { fixOf } from "../documents/finding.ts";
import { reportIn, runFile, runName } from "../runs.ts";
import { type Tool, type ToolContext, tool } from "../tool.ts";
import { untrusted, untrustedText } from "../untrusted.ts";

const input = z.strictObject({
  run: runName.describe("name of the run (default: last)").optional(),
  finding: z
    .union([z.number().int().min(1), z.string().regex(/^[A-Za-z][\w-]{1,40}$/)])
    .describe("number of the failure in fix_first, or the id of a rule")
    .optional(),
  exchanges: z.number().int().min(0).max(5).describe("number of exchanges to return (default: 1)").optional(),
  max_chars: z.number().int().min(200).max(20_000).describe("limit of each long text (default: 2000)").optional(),
});

const output = z.strictObject({
  run: z.string(),
  rule: z.string(),
  level: z.string(),
  verdict: z.string(),
  where: z.string(),
  requires: z.string().describe("the rule"),
  section: z.string(),
  spec_url: z.string(),
  fix: z.string(),
  fix_here: untrustedText.optional().describe("the same for this agent, where it differs"),
  observed: untrustedText.optional(),
  sent: untrustedText.optional(),
  saw: untrustedText.optional(),
  want: untrustedText.optional(),
  known_fault: z.string().optional().describe("the SDK has this fault"),
  sdk_calls: z.record(z.string(), z.string()).optional().describe("the call of each SDK that avoids the failure"),
  places: z.array(z.string()).describe("other rules and interfaces with the same cause"),
  blocks: z.number().describe("results that this failure prevents"),
  reproduce: untrustedText.optional().describe("shell command; read it before you run it"),
  exchanges: z.array(shownExchange),
  exchanges_omitted: z.number().describe("more of them prove the finding: raise exchanges to see them"),
});

export const getFindingTool = ({ operator: { folder } }: ToolContext): Tool =>
  tool({
    name: "get_finding",
    title: "Show one finding",
    description:
      "Shows one finding of a run: the rule, the fix, and the request and response that prove it. Reads the recording and contacts no agent.",
    annotations: { readOnlyHint: true, openWorldHint: false },
    input,
    output,
    async run({ run = "last", finding = 1, exchanges = 1, max_chars = 2_000 }) {
      const file = await runFile(run, folder);
      const report = reportIn(file);
      const { result, others, blocks } = found(report, finding);
      const { test, message, warning, sent, saw, want, remedy, knownFault, repeat } = result;
      const fix = fixOf(test);
      const told = warning ?? message;
      const text = (name: string, value: string | undefined) =>
        value === undefined ? {} : { [name]: untrusted(value, max_chars) };
      return {
        run: report.run,
        rule: test,
        level: result.level,
        verdict: warning === undefined ? result.verdict : "warning",
        where: whereOf(result),
        requires: ruleOf(test)?.text ?? result.title,
        section: result.section,
        spec_url: result.specUrl,
        fix,
        ...text("fix_here", remedy === fix ? undefined : remedy),
        ...text("observed", told),
        ...text("sent", sent),
        ...text("saw", saw),
        ...text("want", want),
        ...(knownFault && { known_fault: `${knownFaultText(knownFault)}. ${knownFault.workaround}` }),
        ...(sdkCalls[test] && { sdk_calls: { ...sdkCalls[test] } }),
        places: [...new Set(others.map((each) => `${each.test} ${whereOf(each)}`))].slice(0, 20),
        blocks,
        ...text("reproduce", repeat),
        exchanges: exchanges > 0 ? exchangesOf(readRun(file), result.evidence.slice(0, exchanges), max_chars) : [],
        exchanges_omitted: Math.max(0, result.evidence.length - exchanges),
      };
    },
  });

interface Found {
  readonly result: ConformanceResult;
  readonly others: readonly ConformanceResult[];
  readonly blocks: number;
}

function found(report: ConformanceReport, wanted: number | string): Found {
  const failures = failuresOf(report);
  if (typeof wanted === "number") {
    const group = failures[wanted - 1];
    if (!group) throw new ArgumentError(`The run has no finding ${wanted}: it has ${failures.length}.`);
    return foundIn(group);
  }
  const rule = wanted.toUpperCase();
  const groups = [...failures, ...warningsOf(report)];
  const group = groups.find(({ test }) => test === rule) ?? groups.find(({ also }) => also.includes(rule));
  if (group) return foundIn(group, rule);
  const result = resultsOf(report).find(({ test }) => test === rule);
  if (!result)
    throw new ArgumentError(`The run has no result for the rule ${rule}.`, "explain_rule says when it applies.");
  return { result, others: [], blocks: 0 };
}

/** Returns the result of the requested rule, because one cause may break several rules. */
function foundIn(
  {
    example,
    results,
    blocks,
  }: { readonly example: ConformanceResult; readonly results: readonly ConformanceResult[]; readonly blocks: number },
  rule = example.test,
): Found {
  const result = example.test === rule ? example : results.find(({ test }) => test === rule)!;
  return { result, others: results.filter((each) => each !== result), blocks };
}
