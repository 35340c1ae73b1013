import { settingsOf } from "@assay/library/config";
import { StartedAgent } from "@assay/library/started-agent";
import { newestFirst } from "@assay/protocol";
import { selectChecks, testAgent } from "@assay/suite";
import { depthCosts, depths } from "@assay/suite/options";
import { z } from "zod";
import { accessArguments, accessTo } from "../agent-access.ts";
import { readingArguments } from "../argument-error.ts";
import { runSummary, summaryOf } from "../documents/run-summary.ts";
import { recordRunOf } from "../recorded-run.ts";
import { type Tool, type ToolCall, type ToolContext, tool } from "../tool.ts";
import { untrusted, untrustedText } from "../untrusted.ts";

const filter = (means: string) => z.array(z.string().min(1)).max(50).describe(means).optional();

const members = {
  ...accessArguments,
  depth: z
    .enum(depths)
    .describe(
      `how much to test (default: quick): ${depths.map((each) => `${each} (${depthCosts[each]})`).join(", ")}. Each message may cost the agent a model call`,
    )
    .optional(),
  budget: z.number().int().min(0).describe("maximum number of messages; the operator's limit applies, too").optional(),
  only: filter("check only these rules: ids, LIST-*, categories, tags or sections"),
  skip: filter("check all rules except these"),
  bindings: z
    .array(z.enum(["JSONRPC", "HTTP+JSON", "GRPC"]))
    .describe("test only these bindings")
    .optional(),
  versions: z.array(z.enum(newestFirst)).describe("test only these protocol versions").optional(),
  strict: z.boolean().describe("use the stricter reading where the specification is unclear").optional(),
  max_time: z.number().positive().describe("seconds after which the run ends; the rest is not examined").optional(),
  limit: z.number().int().min(1).max(20).describe("number of findings to return (default: 3)").optional(),
};

const input = z.strictObject(members, {
  error: ({ code, keys }) =>
    code === "unrecognized_keys" && (keys as string[]).includes("start")
      ? "start needs the permission of the operator: restart the server with assay mcp --allow-commands"
      : undefined,
});

/** Only with --allow-commands. */
const withStart = z.strictObject({
  ...members,
  start: z
    .string()
    .min(1)
    .describe("command that starts the agent, in the folder of assay mcp; Assay stops it after the test")
    .optional(),
});

const output = runSummary.extend({
  agent_output: untrustedText.optional().describe("last lines of an agent that ended by itself"),
});

type Given = z.infer<typeof withStart>;

export const testAgentTool = (context: ToolContext): Tool =>
  tool({
    name: "test_agent",
    title: "Test an A2A agent",
    description:
      "Tests an A2A agent for conformance. Returns the outcome and the failures to fix first, each with its rule and fix. Call get_finding for the exchange of a failure. Assay sends harmless messages, and cancels the tasks that it starts.",
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    input: context.operator.allowCommands ? withStart : input,
    output,
    run: (given, call) => run(given, context, call),
  });

async function run(given: Given, { operator, budget }: ToolContext, call: ToolCall): Promise<z.infer<typeof output>> {
  const { url, guard, values } = await accessTo(given, operator);
  const { depth = "quick", only, skip, bindings, versions: dialects, strict, max_time: maxTime, start } = given;
  const reserved = budget.reserve(depth === "card" ? 0 : given.budget);
  let sent = reserved.messages;
  try {
    const settings = await readingArguments(() =>
      settingsOf(
        url,
        {
          ...values,
          config: false,
          budget: reserved.messages,
          depth,
          ...(only && { only }),
          ...(skip && { skip }),
          ...(bindings && { bindings }),
          ...(dialects && { dialects }),
          ...(strict && { strict }),
          ...(maxTime !== undefined && { maxTime }),
          ...(start !== undefined && { start }),
        },
        call.caller,
      ),
    );
    await readingArguments(() => selectChecks(settings.options));
    const started =
      settings.start && (await StartedAgent.start(settings.start.command, settings.url, settings.start.folder));
    const death = new AbortController();
    void started?.failed.then(() => death.abort());
    try {
      const { report, messages } = await recordRunOf(
        (name) =>
          testAgent({
            ...settings.options,
            connection: { ...settings.options.connection, guard },
            run: name,
            signal: AbortSignal.any([call.signal, death.signal]),
            ...(started && { process: started }),
          }),
        operator,
        call,
      );
      sent = messages;
      const obituary = started?.obituary() ?? [];
      return {
        ...summaryOf(report, given.limit ?? 3),
        ...(obituary.length > 0 && { agent_output: untrusted(call.masked(obituary).join("\n"), 2_000) }),
      };
    } finally {
      await started?.end();
    }
  } finally {
    reserved.settle(sent);
  }
}
