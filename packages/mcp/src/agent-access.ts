import { type ConnectionValues, missingFlags, parseAddress, secretUses } from "@assay/library/connection";
import { flagOf } from "@assay/suite/options";
import { createEgressGuard, type EgressGuard } from "@assay/wire";
import { z } from "zod";
import { ArgumentError, readingArguments } from "./argument-error.ts";
import type { McpOperator } from "./operator.ts";

const reference = String.raw`(env:[A-Za-z_]\w*|@.+)`;
const namesSecret = (before: string, example: string) =>
  z
    .string()
    .regex(new RegExp(`^${before}${reference}$`, "s"), `Name the secret, never write it: ${example}`)
    .optional();

const credentials = z
  .strictObject({
    bearer: namesSecret("", "env:AGENT_TOKEN").describe("env:NAME of a bearer token"),
    api_key: namesSecret("[^=]+=", "X-API-Key=env:AGENT_KEY").describe("<header>=env:NAME of an API key"),
    basic: namesSecret("[^:]+:", "user:env:AGENT_PASSWORD").describe("<user>:env:NAME of a password"),
  })
  .describe("credentials by reference; the operator allows each secret for one host (--allow-secret)");

/** The default in seconds. Many MCP clients give up after 60 s, and would not see why. */
const timeout = 50;

/** The arguments of every tool that contacts an agent. */
export const accessArguments = {
  url: z.string().min(1).describe("address of the agent or of its card, such as http://127.0.0.1:9999"),
  other_urls: z
    .array(z.string().min(1))
    .max(8)
    .optional()
    .describe(
      "other addresses of the same agent, such as its gRPC port; Assay contacts no address that you do not name",
    ),
  credentials: credentials.optional(),
  timeout: z
    .number()
    .positive()
    .max(600)
    .describe(`seconds to wait for each response of the agent (default: ${timeout})`)
    .optional(),
};

const accessSchema = z.object(accessArguments);
export type AccessArguments = z.infer<typeof accessSchema>;

/** The connection settings for an agent that a caller named. */
export interface NamedAgent {
  readonly url: string;
  /** allows the named addresses, on this machine and on the public internet, and the operator's hosts */
  readonly guard: EgressGuard;
  readonly values: Pick<ConnectionValues, "bearer" | "apiKey" | "basic" | "timeout">;
}

/** Checks the addresses and credentials of a call against the limits of the operator. Contacts nothing. */
export async function accessTo(
  { url: given, other_urls: others = [], credentials: named = {}, timeout: seconds = timeout }: AccessArguments,
  operator: Pick<McpOperator, "allowPrivate" | "allowHosts" | "allowedSecrets">,
): Promise<NamedAgent> {
  const [url, ...more] = await Promise.all([given, ...others].map(addressIn));
  const guard = createEgressGuard({
    onlyOrigins: [url!, ...more],
    allowHosts: operator.allowHosts,
    allowLoopback: true,
    allowPrivate: operator.allowPrivate,
  });
  for (const { hostname } of [url!, ...more]) {
    const decision = guard.checkHost(hostname);
    if (!decision.allowed)
      throw new ArgumentError(
        `assay mcp may not contact ${hostname}.`,
        `Only its operator can allow it, at start: --allow-host ${hostname}, or --allow-private for private networks.`,
      );
  }
  const { bearer, api_key: apiKey, basic } = named;
  const values = {
    ...(bearer !== undefined && { bearer }),
    ...(apiKey !== undefined && { apiKey }),
    ...(basic !== undefined && { basic }),
  };
  const uses = await secretUses(values, [url!.href], { nameOf: flagOf });
  const missing = uses.flatMap((use) => missingFlags(use, { allowed: operator.allowedSecrets }));
  if (missing.length)
    throw new ArgumentError(
      `assay mcp may not send ${uses.map((use) => use.reference).join(", ")} to ${url!.host}.`,
      `Only its operator can allow it, at start: ${[...new Set(missing)].join(" ")}`,
    );
  return { url: url!.href, guard, values: { ...values, timeout: seconds } };
}

async function addressIn(given: string): Promise<URL> {
  if (/^([a-z][a-z0-9+.-]*:\/\/)?[^/?#]*@/i.test(given))
    throw new ArgumentError(
      "The address contains a login.",
      'Pass the address without it, and name the secret: credentials: { basic: "user:env:NAME" }',
    );
  return readingArguments(() => parseAddress(given.trim()));
}
