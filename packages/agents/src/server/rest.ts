import {
  A2AError,
  type Dialect,
  isObject,
  type JsonObject,
  matchRoute,
  readQuery,
  v10,
  writeRestError,
} from "@assay/protocol/core";
import type { WireReply, WireRequest } from "@assay/wire/server";
import type { AgentDefinition } from "../definition/agent.ts";
import type { DecodedRequest, Encode } from "./binding.ts";
import { mediaTypeOf, parseBody, wrongMediaType } from "./body.ts";
import { errorHeaders, type Refused } from "./failure.ts";
import { HttpBinding } from "./http-binding.ts";
import type { RequestContext } from "./request-context.ts";

const accepted = ["application/a2a+json", "application/json"];

const labelOf = (agent: AgentDefinition | undefined): string =>
  agent?.habits?.plainJsonLabel ? "application/json" : "application/a2a+json";

/** HTTP+JSON: everything below the agent's path (§11). */
export class RestBinding extends HttpBinding {
  protected readonly path: string;

  constructor(context: RequestContext, request: WireRequest, reply: WireReply, path: string) {
    super(context, request, reply);
    this.path = path;
  }

  get dialect(): Dialect {
    return v10;
  }

  protected get contentType(): string {
    return labelOf(this.context.host.definition);
  }

  async read(): Promise<DecodedRequest> {
    const { context, head } = this;
    const { definition, admission } = context.host;
    // Waits also without credentials to check: the body has mostly arrived by then, and is read without events.
    const caller = await admission.authenticate(head, definition);
    const match = matchRoute(head.method, this.path);
    if (!match) throw nothingAt(head.method, this.path);
    if ("allowed" in match) throw methodNotAllowed(head.method, match.allowed);
    const { operation, members, tenant } = match;
    context.operation = operation;
    admission.version(head, definition);
    const given = head.method === "POST" ? await readBody(head) : readQuery(operation, head.query);
    const json = { ...(tenant === undefined ? given : withTenant(given, tenant)), ...members };
    return { operation, json, caller };
  }

  protected sendError(error: A2AError, encode: Encode): void {
    sendRestError(error, this.reply, this.context.headers, this.refused, encode);
  }
}

/** Sends an error in HTTP+JSON format. Without an agent there is no codec to encode it. */
export function sendRestError(
  error: A2AError,
  reply: WireReply,
  headers: Readonly<Record<string, string>>,
  refused?: Refused,
  encode: Encode = (body) => body,
): void {
  const agent = refused?.agent;
  const all = { "Content-Type": labelOf(agent), ...headers, ...errorHeaders(error, refused) };
  const body = encode(JSON.parse(writeRestError(error, agent?.errors)));
  reply.send(error.numbers(agent?.errors).http, all, JSON.stringify(body));
}

export const nothingAt = (verb: string, path: string): A2AError =>
  new A2AError("MethodNotFound", `Not found: ${verb} ${path.slice(0, 200)}`);

export const methodNotAllowed = (verb: string, allowed: readonly string[]): A2AError =>
  new A2AError("MethodNotAllowed", `Method ${verb.slice(0, 20)} not allowed here. Allowed: ${allowed.join(", ")}`, {
    facts: { allow: allowed.join(", ") },
  });

/** Reads the body. A missing body, an empty one and `null` are equal (AMB-50). */
export async function readBody(request: WireRequest): Promise<JsonObject> {
  const body = await request.body();
  if (body.length === 0) return {};
  const type = mediaTypeOf(request);
  if (!accepted.includes(type)) throw wrongMediaType(type, accepted);
  const json = parseBody(body);
  if (json === null) return {};
  if (!isObject(json)) throw new A2AError("InvalidParams", "The body must be a JSON object");
  return json as JsonObject;
}

/** Adds the tenant of the path, its canonical place (AMB-26). A different tenant in the body is an error. */
function withTenant(given: JsonObject, tenant: string): JsonObject {
  if (given["tenant"] !== undefined && given["tenant"] !== "" && given["tenant"] !== tenant) {
    throw new A2AError("InvalidParams", "The path and the body name different tenants", {
      violations: [{ path: "$.tenant", message: "omit it, or use the tenant of the path" }],
    });
  }
  return { ...given, tenant };
}
