import { randomUUID } from "node:crypto";
import { extensionsHeader, invalidParams, isObject, isStreaming, olderExtensionsHeader } from "@assay/protocol/core";
import type { AgentHost, Outcome } from "./agent-host.ts";
import type { DecodedRequest, ServerBinding } from "./binding.ts";
import { callerAccount } from "./caller-account.ts";
import { webhookBodyIn } from "./webhook-body.ts";

/**
 * From a decoded request to its outcome: what all bindings do alike. The headers go with a successful answer; `over` is
 * called when the answer is.
 */
export async function invoke(
  request: DecodedRequest,
  { context, head, dialect }: ServerBinding,
): Promise<{ outcome: Outcome; headers: Record<string, string>; over: () => void }> {
  const { operation, json, caller, exchange } = request;
  const { host, baseUrl } = context;
  const { definition, admission } = host;
  const extensions = request.extensions ?? admission.extensions(head, definition);
  const read = dialect.readRequest(operation, normalised(host, json), exchange);
  if (read.violations) throw invalidParams(read.violations);
  admission.authorize(caller, operation, definition);
  const account = callerAccount(caller, head.remoteAddress);
  const tenant = admission.tenant(read.value.tenant, definition);
  const over = isStreaming(operation) && host.quotas ? host.quotas.openStream(account) : () => {};
  const performed = host.perform(host, operation, read.value, {
    tenant,
    caller,
    account,
    extensions,
    authorization: head.headers.authorization,
    baseUrl,
    clientIds: dialect.version === "0.1",
    webhookBody: dialect.version === "1.0" ? undefined : webhookBodyIn(dialect.version),
    client: head,
  });
  const outcome = await performed.catch((error: unknown) => {
    over();
    throw error;
  });
  const headers: Record<string, string> = { ...context.headers };
  if (extensions.length) {
    const name = dialect.version === "1.0" ? extensionsHeader : olderExtensionsHeader;
    headers[name] = extensions.map(({ uri }) => uri).join(", ");
  }
  if (operation === "GetExtendedAgentCard") headers["Cache-Control"] = "private, no-store";
  return { outcome, headers, over };
}

/** What a suite writes beside the rules, put where the rules have it, for agents that have this habit. */
function normalised({ definition: { habits } }: AgentHost, json: unknown): unknown {
  if (!habits || !isObject(json) || !isObject(json["message"])) return json;
  const message = { ...json["message"] };
  if (habits.missingMessageId && !message["messageId"]) message["messageId"] = randomUUID();
  if (habits.misplacedIds) {
    for (const name of ["taskId", "contextId"]) if (json[name] !== undefined) message[name] ??= json[name];
  }
  return { ...json, message };
}
