import { type Dialect, extensionsHeader, invalidParams, type Operation } from "@assay/protocol";
import { type AgentHost, type Outcome, perform } from "./host.ts";
import { activeExtensions, type Caller, checkTenant } from "./service-parameters.ts";
import type { Visit } from "./visit.ts";

/** From a decoded body to an outcome: what both HTTP bindings do alike. The headers go with a successful answer. */
export async function invoke(
  host: AgentHost,
  dialect: Dialect,
  operation: Operation,
  json: unknown,
  request: Caller,
  visit: Visit,
): Promise<{ outcome: Outcome; headers: Record<string, string> }> {
  visit.operation = operation;
  const extensions = activeExtensions(request, host.definition);
  const read = dialect.readRequest(operation, json);
  if (read.violations) throw invalidParams(read.violations);
  const outcome = await perform(host, operation, read.value, {
    tenant: checkTenant(read.value.tenant, host.definition),
    extensions,
    authorization: request.headers.authorization,
    baseUrl: visit.baseUrl,
    // Only streams look at it, and making one costs something: so it is made when it is looked at.
    get signal() {
      return request.signal;
    },
  });
  const headers: Record<string, string> = { ...visit.headers };
  if (extensions.length) headers[extensionsHeader] = extensions.map(({ uri }) => uri).join(", ");
  if (operation === "GetExtendedAgentCard") headers["Cache-Control"] = "private, no-store";
  return { outcome, headers };
}
