import { randomUUID } from "node:crypto";
import {
  type Dialect,
  type DialectExchange,
  extensionsHeader,
  invalidParams,
  isObject,
  type JsonValue,
  type Operation,
  olderExtensionsHeader,
  startExchange,
  type Task,
  v03,
} from "@assay/protocol";
import type { Principal } from "../access.ts";
import type { Caller } from "./gate.ts";
import type { AgentHost, Outcome } from "./host.ts";
import type { Visit } from "./visit.ts";

/** A request as its binding understood it. */
export interface Decoded {
  readonly dialect: Dialect;
  readonly operation: Operation;
  readonly json: unknown;
  readonly principal: Principal | undefined;
  /** what the dialect has to remember between request and answer */
  readonly exchange?: DialectExchange;
}

/** From a decoded body to an outcome: what all bindings do alike. The headers go with a successful answer. */
export async function invoke(
  host: AgentHost,
  { dialect, operation, json, principal, exchange }: Decoded,
  caller: Caller,
  visit: Visit,
): Promise<{ outcome: Outcome; headers: Record<string, string> }> {
  const { definition, gate } = host;
  visit.operation = operation;
  const extensions = gate.extensions(caller, definition);
  const read = dialect.readRequest(operation, mended(host, json), exchange);
  if (read.violations) throw invalidParams(read.violations);
  gate.authorize(principal, operation, definition);
  const outcome = await host.perform(host, operation, read.value, {
    tenant: gate.tenant(read.value.tenant, definition),
    principal,
    extensions,
    authorization: caller.headers.authorization,
    baseUrl: visit.baseUrl,
    clientIds: dialect.version === "0.1",
    ...(dialect.version === "1.0" ? {} : { webhookBody: (task: Task) => taskIn(dialect, task) }),
    // Only streams look at it, and making one costs something: so it is made when it is looked at.
    get signal() {
      return caller.signal;
    },
  });
  const headers: Record<string, string> = { ...visit.headers };
  if (extensions.length) {
    const name = dialect.version === "1.0" ? extensionsHeader : olderExtensionsHeader;
    headers[name] = extensions.map(({ uri }) => uri).join(", ");
  }
  if (operation === "GetExtendedAgentCard") headers["Cache-Control"] = "private, no-store";
  return { outcome, headers };
}

/** A task as webhooks of older dialects get it; the two wires of 0.3 told their webhooks the same. */
const taskIn = (dialect: Dialect, task: Task): JsonValue =>
  (dialect.version === "0.3" ? v03 : dialect).writeAnswer("GetTask", task, startExchange(randomUUID));

/** What a suite writes beside the rules, put where the rules have it, for agents that have this habit. */
function mended({ definition: { habits } }: AgentHost, json: unknown): unknown {
  if (!habits || !isObject(json) || !isObject(json["message"])) return json;
  const message = { ...json["message"] };
  if (habits.missingMessageId && !message["messageId"]) message["messageId"] = randomUUID();
  if (habits.misplacedIds) {
    for (const name of ["taskId", "contextId"]) if (json[name] !== undefined) message[name] ??= json[name];
  }
  return { ...json, message };
}
