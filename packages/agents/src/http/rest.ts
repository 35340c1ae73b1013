import { A2AError, isObject, type JsonObject, matchRoute, readQuery, v10, writeRestError } from "@assay/protocol";
import type { WireReply, WireRequest } from "@assay/wire/server";
import type { AgentDefinition } from "../agent.ts";
import { mediaTypeOf, parseBody, wrongMediaType } from "./body.ts";
import { pump } from "./events.ts";
import { advice } from "./failure.ts";
import { framesOf, writtenAs } from "./frames.ts";
import type { AgentHost } from "./host.ts";
import { invoke } from "./invoke.ts";
import type { Visit } from "./visit.ts";

const accepted = ["application/a2a+json", "application/json"];

const labelOf = (agent: AgentDefinition | undefined): string =>
  agent?.habits?.plainJsonLabel ? "application/json" : "application/a2a+json";

/** One HTTP+JSON request: everything below the agent's path (§11). */
export async function serveRest(
  host: AgentHost,
  path: string,
  request: WireRequest,
  reply: WireReply,
  visit: Visit,
): Promise<void> {
  const { definition, gate } = host;
  const codec = definition.layers?.codec;
  try {
    const principal = gate.authenticate(request, definition);
    const match = matchRoute(request.method, path);
    if (!match) throw new A2AError("MethodNotFound", `There is nothing at ${request.method} ${path.slice(0, 200)}`);
    if ("allowed" in match) throw methodNotAllowed(request.method, match.allowed);
    const { operation, members, tenant } = match;
    visit.operation = operation;
    gate.version(request, definition);
    const given = request.method === "POST" ? await readBody(request) : readQuery(operation, request.query);
    const json = { ...(tenant === undefined ? given : withTenant(given, tenant)), ...members };
    const { outcome, headers } = await invoke(host, { dialect: v10, operation, json, principal }, request, visit);
    if (outcome.events) {
      const frames = framesOf(outcome.events, writtenAs("event", "HTTP+JSON", v10, operation), codec, undefined);
      await pump(reply, headers, frames, visit, (frame) => frame);
      return;
    }
    const answer = v10.writeAnswer(operation, outcome.answer as never);
    const shown = codec ? codec(answer, writtenAs("answer", "HTTP+JSON", v10, operation)) : answer;
    headers["Content-Type"] = labelOf(definition);
    reply.send(200, headers, JSON.stringify(shown));
  } catch (thrown) {
    sendRestError(visit.failed(thrown), reply, visit.headers, definition, visit);
  }
}

export function sendRestError(
  error: A2AError,
  reply: WireReply,
  headers: Readonly<Record<string, string>>,
  agent?: AgentDefinition,
  visit?: Visit,
): void {
  const allow = error.kind === "MethodNotAllowed" ? { Allow: error.facts["allow"] ?? "" } : {};
  const all = { "Content-Type": labelOf(agent), ...headers, ...advice(error, agent), ...allow };
  const body = writeRestError(error, agent?.errors);
  const codec = agent?.layers?.codec;
  const shown = codec
    ? JSON.stringify(codec(JSON.parse(body), writtenAs("error", "HTTP+JSON", v10, visit?.operation)))
    : body;
  reply.send(error.numbers(agent?.errors).http, all, shown);
}

export const methodNotAllowed = (verb: string, allowed: readonly string[]): A2AError =>
  new A2AError("MethodNotAllowed", `${verb.slice(0, 20)} is not possible here, only ${allowed.join(", ")}`, {
    facts: { allow: allowed.join(", ") },
  });

/** An absent body, an empty one and `null` are all "nothing to add" (AMB-50). */
export async function readBody(request: WireRequest): Promise<JsonObject> {
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
