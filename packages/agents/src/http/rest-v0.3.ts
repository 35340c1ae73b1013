import { randomUUID } from "node:crypto";
import {
  A2AError,
  matchRouteV03,
  readQueryV03,
  restStatusV03,
  startExchange,
  v03Proto,
  writeRestErrorV03,
} from "@assay/protocol";
import type { WireReply, WireRequest } from "@assay/wire/server";
import type { AgentDefinition } from "../agent.ts";
import { pump } from "./events.ts";
import { advice } from "./failure.ts";
import { framesOf, writtenAs } from "./frames.ts";
import { versionOf } from "./gate.ts";
import type { AgentHost } from "./host.ts";
import { invoke } from "./invoke.ts";
import { methodNotAllowed, readBody } from "./rest.ts";
import type { Visit } from "./visit.ts";

/**
 * Whether a request is HTTP+JSON of 0.3: to an agent that speaks it natively always, to one that speaks 1.0 as
 * well when the path begins with `/v1` and no other version is asked for.
 */
export function isOlderRest({ dialects = ["1.0"] }: AgentDefinition, path: string, request: WireRequest): boolean {
  if (dialects[0] === "0.3") return true;
  return dialects.includes("0.3") && path.startsWith("/v1/") && versionOf(request) === "0.3";
}

/** One HTTP+JSON request of 0.3: ProtoJSON of `a2a.v1` is written, all three spellings are read. */
export async function serveOlderRest(
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
    const match = matchRouteV03(request.method, path);
    if (!match) throw new A2AError("MethodNotFound", `There is nothing at ${request.method} ${path.slice(0, 200)}`);
    if ("allowed" in match) throw methodNotAllowed(request.method, match.allowed);
    const { operation, members } = match;
    const given = request.method === "POST" ? await readBody(request) : readQueryV03(operation, request.query);
    const exchange = startExchange(randomUUID);
    const decoded = { dialect: v03Proto, operation, json: { ...given, ...members }, principal, exchange };
    const { outcome, headers } = await invoke(host, decoded, request, visit);
    if (outcome.events) {
      const frames = framesOf(outcome.events, writtenAs("event", "HTTP+JSON", v03Proto, operation), codec, exchange);
      await pump(reply, headers, frames, visit, (frame) => frame);
      return;
    }
    const answer = v03Proto.writeAnswer(operation, outcome.answer as never, exchange);
    const shown = codec ? codec(answer, writtenAs("answer", "HTTP+JSON", v03Proto, operation)) : answer;
    headers["Content-Type"] = "application/json";
    reply.send(200, headers, JSON.stringify(shown));
  } catch (thrown) {
    const error = visit.failed(thrown);
    const allow = error.kind === "MethodNotAllowed" ? { Allow: error.facts["allow"] ?? "" } : {};
    const headers = { "Content-Type": "application/json", ...visit.headers, ...advice(error, definition), ...allow };
    const body = writeRestErrorV03(error);
    const written = writtenAs("error", "HTTP+JSON", v03Proto, visit.operation);
    reply.send(restStatusV03(error), headers, codec ? JSON.stringify(codec(JSON.parse(body), written)) : body);
  }
}
