import type { CheckedCard } from "@assay/library";
import { checkCardAt, connect, judgedCard } from "@assay/library/connection";
import { z } from "zod";
import { accessArguments, accessTo } from "../agent-access.ts";
import { ArgumentError } from "../argument-error.ts";
import { type Tool, type ToolContext, tool } from "../tool.ts";
import { untrusted, untrustedText } from "../untrusted.ts";

/** The maximum number of interfaces to name. */
const mostInterfaces = 10;

const input = z.strictObject({
  ...accessArguments,
  url: accessArguments.url.optional(),
  card: z
    .record(z.string(), z.unknown())
    .describe("an Agent Card as JSON, instead of url: nothing is contacted")
    .optional(),
  limit: z.number().int().min(1).max(50).describe("number of findings to return (default: 10)").optional(),
});

const output = z.strictObject({
  valid: z.boolean(),
  found_at: untrustedText.optional(),
  name: untrustedText,
  versions: z.array(z.string()),
  interfaces: z.array(z.strictObject({ version: z.string(), address: untrustedText })),
  findings: z.array(
    z.strictObject({
      level: z.enum(["error", "warning", "info"]),
      rule: z.string().optional(),
      at: untrustedText,
      observed: untrustedText,
      fix: untrustedText,
    }),
  ),
  findings_omitted: z.number(),
});

export const checkCardTool = ({ operator }: ToolContext): Tool =>
  tool({
    name: "check_card",
    title: "Check an Agent Card",
    description:
      "Fetches the Agent Card of an agent, or takes one as JSON, and lists its mistakes, each with its place and fix. Sends no message.",
    annotations: { readOnlyHint: true, openWorldHint: true },
    input,
    output,
    async run({ url, card, limit = 10, ...given }, { signal, caller, masked }) {
      if ((url === undefined) === (card === undefined)) throw new ArgumentError("Pass either url or card.");
      if (card) return shown(judgedCard(card), limit);
      const access = await accessTo({ url: url!, ...given }, operator);
      const connection = await connect(access.url, access.values, caller, access.guard);
      try {
        const checked = await checkCardAt(access.url, connection, signal);
        return shown(masked(checked), limit);
      } finally {
        await connection.clients.close();
      }
    },
  });

function shown(
  { url, card, dialects, interfaces, findings, valid }: CheckedCard,
  limit: number,
): z.infer<typeof output> {
  const name = card["name"];
  return {
    valid,
    ...(url !== undefined && { found_at: untrusted(url) }),
    name: untrusted(typeof name === "string" ? name : "", 120),
    versions: dialects.map(({ dialect }) => dialect),
    interfaces: interfaces
      .slice(0, mostInterfaces)
      .map((each) => ({ version: each.dialect ?? "unknown", address: untrusted(`${each.binding} ${each.url}`) })),
    findings: findings.slice(0, limit).map(({ level, rule, path, message, fix }) => ({
      level,
      ...(rule !== undefined && { rule }),
      at: untrusted(path),
      observed: untrusted(message),
      fix: untrusted(fix),
    })),
    findings_omitted: Math.max(0, findings.length - limit),
  };
}
