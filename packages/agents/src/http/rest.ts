import { A2AError, isObject, type JsonObject, matchRoute, readQuery, v10, writeRestError } from "@assay/protocol";
import type { WireReply, WireRequest } from "@assay/wire/server";
import { mediaTypeOf, parseBody, wrongMediaType } from "./body.ts";
import { pump } from "./events.ts";
import { challenge } from "./failure.ts";
import type { AgentHost } from "./host.ts";
import { invoke } from "./invoke.ts";
import { checkVersion } from "./service-parameters.ts";
import type { Visit } from "./visit.ts";

const contentType = "application/a2a+json";
const accepted = [contentType, "application/json"];

/** One HTTP+JSON request: everything below the agent's path (§11). */
export async function serveRest(
  host: AgentHost,
  path: string,
  request: WireRequest,
  reply: WireReply,
  visit: Visit,
): Promise<void> {
  try {
    const match = matchRoute(request.method, path);
    if (!match) throw new A2AError("MethodNotFound", `There is nothing at ${request.method} ${path.slice(0, 200)}`);
    if ("allowed" in match) throw methodNotAllowed(request.method, match.allowed);
    const { operation, members, tenant } = match;
    visit.operation = operation;
    checkVersion(request);
    const given = request.method === "POST" ? await readBody(request) : readQuery(operation, request.query);
    const json = { ...(tenant === undefined ? given : withTenant(given, tenant)), ...members };
    const { outcome, headers } = await invoke(host, v10, operation, json, request, visit);
    if (outcome.events) {
      await pump(reply, headers, outcome.events, visit, (event) => event);
      return;
    }
    headers["Content-Type"] = contentType;
    reply.send(200, headers, JSON.stringify(v10.writeAnswer(operation, outcome.answer as never)));
  } catch (thrown) {
    const error = visit.failed(thrown);
    sendRestError(error, reply, visit.headers);
  }
}

export function sendRestError(error: A2AError, reply: WireReply, headers: Readonly<Record<string, string>>): void {
  const allow = error.kind === "MethodNotAllowed" ? { Allow: error.facts["allow"] ?? "" } : {};
  const all = { "Content-Type": contentType, ...headers, ...challenge(error), ...allow };
  reply.send(error.numbers().http, all, writeRestError(error));
}

export const methodNotAllowed = (verb: string, allowed: readonly string[]): A2AError =>
  new A2AError("MethodNotAllowed", `${verb.slice(0, 20)} is not possible here, only ${allowed.join(", ")}`, {
    facts: { allow: allowed.join(", ") },
  });

/** An absent body, an empty one and `null` are all "nothing to add" (AMB-50). */
async function readBody(request: WireRequest): Promise<JsonObject> {
  const body = await request.body();
  if (body.length === 0) return {};
  const type = mediaTypeOf(request);
  if (!accepted.includes(type)) throw wrongMediaType(type, accepted);
  const json = parseBody(body);
  if (json === null) return {};
  if (!isObject(json)) throw new A2AError("InvalidParams", "The body has to be a JSON object");
  return json as JsonObject;
}

/** The path is the canonical place of a tenant (AMB-26); a body that names another one contradicts it. */
function withTenant(given: JsonObject, tenant: string): JsonObject {
  if (given["tenant"] !== undefined && given["tenant"] !== "" && given["tenant"] !== tenant) {
    throw new A2AError("InvalidParams", "The path and the body name different tenants", {
      violations: [{ path: "$.tenant", message: "leave it out, or name the tenant of the path" }],
    });
  }
  return { ...given, tenant };
}
