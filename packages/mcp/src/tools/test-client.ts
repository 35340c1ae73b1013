import { clientRunEvents } from "@assay/library/client-test";
import { z } from "zod";
import { runSummary, summaryOf } from "../documents/run-summary.ts";
import { recordRunOf } from "../recorded-run.ts";
import { type Tool, type ToolContext, tool } from "../tool.ts";

/** Exists only with --allow-commands: it starts the command of the caller. */
export const testClientTool = ({ operator }: ToolContext): Tool =>
  tool({
    name: "test_client",
    title: "Test an A2A client",
    description:
      "Tests an A2A client: starts the command once for each situation, and judges what it sends to agents of Assay. The command gets its instructions in environment variables (docs/clients.md). Returns the failures to fix first.",
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    input: z.strictObject({
      command: z.array(z.string()).min(1).describe("program and arguments, run without a shell"),
      situations: z.array(z.string()).max(50).describe("situations to try, by id (default: all)").optional(),
      only: z.array(z.string().min(1)).max(50).describe("check only these rules").optional(),
      faults: z.boolean().describe("also try situations with faults of the network and the agent").optional(),
      timeout: z.number().positive().max(600).describe("seconds for one situation (default: 10)").optional(),
      limit: z.number().int().min(1).max(20).describe("number of findings to return (default: 3)").optional(),
    }),
    output: runSummary,
    async run({ command, limit = 3, timeout, ...more }, call) {
      const chosen = Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined));
      const options = { ...chosen, signal: call.signal, ...(timeout !== undefined && { timeout: timeout * 1_000 }) };
      const { report } = await recordRunOf((name) => clientRunEvents(command, options, name), operator, call);
      return summaryOf(report, limit);
    },
  });
