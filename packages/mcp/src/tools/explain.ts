import { errorsCalled, errorWords, explainedRule } from "@assay/library/explain";
import { didYouMean } from "@assay/protocol/core";
import { specUrl } from "@assay/suite";
import { z } from "zod";
import { ArgumentError } from "../argument-error.ts";
import { type Tool, tool } from "../tool.ts";

export const ruleDocument = z.strictObject({
  id: z.string(),
  level: z.string(),
  about: z.enum(["server", "client", "card"]),
  text: z.string(),
  section: z.string(),
  spec_url: z.string(),
  versions: z.array(z.string()),
  check: z.string().describe("how Assay examines it"),
  broken_by: z.string().describe("one way to break it"),
  fix: z.string().optional(),
  sdk_calls: z.record(z.string(), z.string()).optional(),
  mutants: z.array(z.string()).describe("paths of agents in the test bed that break this rule only"),
});

/** Returns the rule with this id for a tool or a resource. */
export async function ruleOf(id: string): Promise<z.infer<typeof ruleDocument>> {
  const { rule, versions, check, clientCheck, calls, mutants } = await explainedRule(id).catch((error: Error) => {
    throw new ArgumentError(error.message, "Read the resource assay://rules for the ids of all rules.");
  });
  const fix = (check ?? clientCheck)?.remedy;
  return {
    id: rule.id,
    level: rule.level,
    about: rule.actor,
    text: rule.text,
    section: rule.section,
    spec_url: specUrl(rule.section),
    versions: [...versions],
    check: rule.check,
    broken_by: rule.breaks,
    ...(fix && { fix }),
    ...(calls && { sdk_calls: { ...calls } }),
    mutants: mutants.map((mutant) => `/mutants/${mutant.id}`),
  };
}

const isConstant = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

export const explainRuleTool: Tool = tool({
  name: "explain_rule",
  title: "Explain a rule",
  description: "Explains a rule of A2A: its text, its section, how Assay checks it, and how to fix a failure.",
  annotations: isConstant,
  input: z.strictObject({ rule: z.string().min(1).max(60).describe("id of the rule, such as STREAM-003") }),
  output: ruleDocument,
  run: ({ rule }) => ruleOf(rule),
});

export const explainErrorTool: Tool = tool({
  name: "explain_error",
  title: "Explain an error",
  description:
    "Explains an error of A2A: its meaning, and its JSON-RPC code, HTTP status and gRPC status in each protocol version.",
  annotations: isConstant,
  input: z.strictObject({
    error: z.string().min(1).max(60).describe("code, status or name: -32001, HTTP 404, NOT_FOUND, TaskNotFoundError"),
  }),
  output: z.strictObject({
    errors: z.array(
      z.strictObject({
        name: z.string(),
        means: z.string(),
        versions: z.array(
          z.strictObject({
            version: z.string(),
            jsonrpc: z.number().optional(),
            http: z.array(z.number()).optional(),
            grpc: z.array(z.string()).optional(),
            reason: z.string().optional(),
          }),
        ),
        rules: z.array(z.string()),
      }),
    ),
  }),
  async run({ error }) {
    const errors = errorsCalled(error);
    if (errors.length === 0)
      throw new ArgumentError(`Unknown error "${error}".${didYouMean(error.replace(/Error$/, ""), errorWords())}`);
    return {
      errors: errors.map(({ name, means, versions, rules }) => ({
        name,
        means,
        versions: versions.map(({ dialect, jsonrpc, http, grpc, reason }) => ({
          version: dialect,
          ...(jsonrpc !== undefined && { jsonrpc }),
          ...(http && { http: [...http] }),
          ...(grpc && { grpc: [...grpc] }),
          ...(reason !== undefined && { reason }),
        })),
        rules: rules.slice(0, 12),
      })),
    };
  },
});
