import { randomUUID } from "node:crypto";
import { A2AError, startExchange } from "@assay/protocol";
import {
  answerReflection,
  type GrpcService,
  grpcStatuses,
  grpcV03,
  grpcV10,
  ProtobufError,
  reflectionPaths,
  writeStatusDetails,
} from "@assay/protocol/grpc";
import { FrameError, type GrpcCall, type GrpcHandler } from "@assay/wire/server";
import type { Stand } from "../stand.ts";
import { framesOf, writtenAs } from "./frames.ts";
import { invoke } from "./invoke.ts";
import type { Site } from "./router.ts";
import { Visit } from "./visit.ts";

/**
 * gRPC has no path to tell agents apart by. A call of the 1.0 service without a tenant is for the agent at the
 * root, and a tenant that is an agent's name reaches that agent; the 0.3 service has one home.
 */
export function routeGrpc(site: Site): GrpcHandler {
  return async (call) => {
    if (reflectionPaths.includes(call.path)) return reflect(call);
    const home = call.path.startsWith(`/${grpcV03.name}/`) ? site.stands.get("spec03") : undefined;
    return serveGrpc(site, home ?? site.stands.root, call, true);
  };
}

/** A port of its own: whatever comes here is for this agent, tenant or not. */
export const routeGrpcTo =
  (site: Site, stand: Stand): GrpcHandler =>
  (call) =>
    reflectionPaths.includes(call.path) ? reflect(call) : serveGrpc(site, stand, call, false);

/** One call for one agent; on the common port a tenant may still lead to another one. */
async function serveGrpc(site: Site, front: Stand, given: GrpcCall, isCommon: boolean): Promise<void> {
  let call = given;
  let stand = front;
  let visit = visitOf(site, stand, call);
  try {
    if (!site.hostAllowed(call.host)) {
      throw new A2AError("MisdirectedRequest", "This server does not answer to that authority");
    }
    // At a port of its own an agent knows who calls before it looks at what was sent; else the tenant has to be read.
    if (!isCommon) front.host.gate.authenticate(call, front.host.definition);
    const service = call.path.startsWith(`/${grpcV03.name}/`) ? grpcV03 : grpcV10;
    const operation = service.operationAt(call.path);
    if (!operation) throw new A2AError("MethodNotFound", `There is no ${call.path.slice(0, 120)} here`);
    const json = service.readRequest(operation, await onlyMessage(call)) as { tenant?: string };
    if (isCommon && json.tenant && site.stands.awaits(json.tenant)) await site.stands.families();
    const named = isCommon && json.tenant ? site.stands.get(json.tenant) : undefined;
    if (named) {
      stand = named;
      delete json.tenant;
      visit = visitOf(site, stand, call);
    }
    const { definition, gate } = stand.host;
    call = definition.layers?.grpc?.(call) ?? call;
    visit.operation = operation;
    const principal = gate.authenticate(call, definition);
    checkService(service, stand, call);
    const { dialect } = service;
    const exchange = startExchange(randomUUID);
    const { outcome, headers } = await invoke(
      stand.host,
      { dialect, operation, json, principal, exchange },
      call,
      visit,
    );
    call.start(Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])));
    const codec = definition.layers?.codec;
    if (outcome.events) {
      const written = writtenAs("event", "GRPC", dialect, operation);
      for await (const frame of framesOf(outcome.events, written, codec, exchange)) {
        const behind = call.send(service.writeAnswer(operation, frame));
        if (behind) await behind;
        if (call.signal.aborted) return;
      }
    } else {
      const answer = dialect.writeAnswer(operation, outcome.answer as never, exchange);
      const shown = codec ? codec(answer, writtenAs("answer", "GRPC", dialect, operation)) : answer;
      call.send(service.writeAnswer(operation, shown));
    }
    call.end(grpcStatuses.OK);
  } catch (thrown) {
    const error = visit.failed(asGrpcFault(thrown));
    // Clients of 0.3 read no details, they tell errors by the status alone, and theirs are those of 1.0.0.
    const isOld = given.path.startsWith(`/${grpcV03.name}/`) || isUnknownCoding(thrown);
    const column = isOld ? "1.0.0" : stand.host.definition.errors;
    const details = Buffer.from(writeStatusDetails(error, column)).toString("base64").replace(/=+$/, "");
    call.end(grpcStatuses[error.numbers(column).grpc], error.message, {
      "grpc-status-details-bin": details,
      ...(isUnknownCoding(thrown) ? { "grpc-accept-encoding": "identity,gzip" } : {}),
    });
  }
}

/** gRPC's own rule for compression: UNIMPLEMENTED, and what would have been understood. */
const isUnknownCoding = (thrown: unknown): boolean => thrown instanceof FrameError && thrown.kind === "unknown-coding";

/** Not every agent speaks both; 1.0 asks every call for its version, 0.3 has nothing to ask for. */
function checkService({ dialect }: GrpcService, { host }: Stand, call: GrpcCall): void {
  if (!(host.definition.dialects ?? ["1.0"]).includes(dialect.version)) {
    throw new A2AError("VersionNotSupported", `This agent does not speak A2A ${dialect.version}`);
  }
  if (dialect.version === "1.0") host.gate.version(call, host.definition);
}

const visitOf = (site: Site, stand: Stand, call: GrpcCall): Visit =>
  new Visit(
    stand.host.definition.path,
    "GRPC",
    site.publicUrl ?? `${call.secure ? "https" : "http"}://${call.host}`,
    {},
    site,
  );

/** Every call of A2A takes exactly one message. */
async function onlyMessage(call: GrpcCall): Promise<Buffer> {
  let only: Buffer | undefined;
  for await (const message of call.messages) {
    if (only) throw new A2AError("InvalidRequest", "This call takes one message, not several");
    only = message;
  }
  if (!only) throw new A2AError("InvalidRequest", "This call came without its message");
  return only;
}

function asGrpcFault(thrown: unknown): unknown {
  if (thrown instanceof ProtobufError) return new A2AError("InvalidParams", `The message is ${thrown.message}`);
  if (!(thrown instanceof FrameError)) return thrown;
  if (thrown.kind === "unknown-coding")
    return new A2AError("UnsupportedOperation", `The request holds ${thrown.message}`);
  return new A2AError(
    thrown.kind === "too-large" ? "PayloadTooLarge" : "InvalidRequest",
    `The request holds ${thrown.message}`,
  );
}

async function reflect(call: GrpcCall): Promise<void> {
  const services = [grpcV10.name, grpcV03.name, ...reflectionPaths.map((path) => path.split("/")[1]!)];
  try {
    for await (const question of call.messages) await call.send(answerReflection(question, services));
    call.end(0);
  } catch {
    call.end(3, "not a reflection request");
  }
}
