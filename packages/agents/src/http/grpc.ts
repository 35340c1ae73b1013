import { A2AError, v10 } from "@assay/protocol";
import {
  answerReflection,
  grpcOperation,
  grpcService,
  ProtobufError,
  readGrpcRequest,
  reflectionPaths,
  writeGrpcAnswer,
  writeStatusDetails,
} from "@assay/protocol/grpc";
import { FrameError, type GrpcCall, type GrpcHandler } from "@assay/wire/server";
import { invoke } from "./invoke.ts";
import type { Site, Stand } from "./router.ts";
import { checkVersion } from "./service-parameters.ts";
import { Visit } from "./visit.ts";

/**
 * gRPC has no path to tell agents apart by: a call without a tenant is for the agent at the root, and a
 * tenant that is an agent's name reaches that agent.
 */
export function routeGrpc(site: Site): GrpcHandler {
  return async (call) => {
    if (reflectionPaths.includes(call.path)) return reflect(call);
    const visit = { current: visitOf(site, site.root, call) };
    try {
      await serve(site, call, visit);
    } catch (thrown) {
      const error = visit.current.failed(asGrpcFault(thrown));
      const details = Buffer.from(writeStatusDetails(error)).toString("base64").replace(/=+$/, "");
      call.end(error.numbers().grpcCode, error.message, { "grpc-status-details-bin": details });
    }
  };
}

async function serve(site: Site, call: GrpcCall, visit: { current: Visit }): Promise<void> {
  if (!site.hostAllowed(call.host))
    throw new A2AError("MisdirectedRequest", "This server does not answer to that authority");
  const operation = grpcOperation(call.path);
  if (!operation) throw new A2AError("MethodNotFound", `There is no ${call.path.slice(0, 120)} here`);
  visit.current.operation = operation;
  checkVersion(call);
  const json = readGrpcRequest(operation, await onlyMessage(call)) as { tenant?: string };
  const stand = site.stands.get(json.tenant ?? "");
  if (stand) {
    delete json.tenant;
    visit.current = visitOf(site, stand, call);
  }
  const { outcome, headers } = await invoke((stand ?? site.root).host, v10, operation, json, call, visit.current);
  call.start(Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])));
  if (!outcome.events) {
    call.send(writeGrpcAnswer(operation, outcome.answer as never));
    call.end(0);
    return;
  }
  for await (const event of outcome.events) {
    const behind = call.send(writeGrpcAnswer(operation, event as never));
    if (behind) await behind;
    if (call.signal.aborted) return;
  }
  call.end(0);
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
  return new A2AError(
    thrown.kind === "too-large" ? "PayloadTooLarge" : "InvalidRequest",
    `The request holds ${thrown.message}`,
  );
}

async function reflect(call: GrpcCall): Promise<void> {
  const services = [grpcService, ...reflectionPaths.map((path) => path.split("/")[1]!)];
  try {
    for await (const question of call.messages) await call.send(answerReflection(question, services));
    call.end(0);
  } catch {
    call.end(3, "not a reflection request");
  }
}
