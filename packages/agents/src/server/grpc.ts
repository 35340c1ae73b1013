import { randomUUID } from "node:crypto";
import { A2AError, type Dialect, type JsonValue, startExchange } from "@assay/protocol";
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
import type { DecodedRequest, EventWriter, ServerBinding } from "./binding.ts";
import { RequestContext } from "./request-context.ts";
import type { Site } from "./router.ts";
import { serveRequest } from "./serve.ts";
import type { ServedAgent } from "./served-agent.ts";

/**
 * gRPC has no path that identifies the agent. On the shared port, a tenant with an agent's name selects that
 * agent, and a call without one reaches the default agent of its service. `own` is the agent of a dedicated
 * port, which receives every call there.
 */
export const routeGrpc =
  (site: Site, own?: ServedAgent): GrpcHandler =>
  (call) => {
    if (reflectionPaths.includes(call.path)) return reflect(call);
    // The 1.0 service answers for services that do not exist.
    const service = call.path.startsWith(`/${grpcV03.name}/`) ? grpcV03 : grpcV10;
    const host = own ?? site.directory.grpcHome(service.dialect.version);
    return serveRequest(new GrpcBinding(site, call, service, host, { isShared: own === undefined }));
  };

/** One gRPC call. */
class GrpcBinding implements ServerBinding {
  readonly context: RequestContext;
  readonly #site: Site;
  readonly #service: GrpcService;
  readonly #isShared: boolean;
  #call: GrpcCall;

  constructor(
    site: Site,
    call: GrpcCall,
    service: GrpcService,
    host: ServedAgent,
    port: { readonly isShared: boolean },
  ) {
    const baseUrl = site.publicUrl ?? `${call.secure ? "https" : "http"}://${call.host}`;
    this.context = new RequestContext(host, "GRPC", baseUrl, {}, site);
    this.#site = site;
    this.#service = service;
    this.#isShared = port.isShared;
    this.#call = call;
  }

  get head(): GrpcCall {
    return this.#call;
  }

  get dialect(): Dialect {
    return this.#service.dialect;
  }

  async read(): Promise<DecodedRequest> {
    const { context } = this;
    const given = this.#call;
    if (!this.#site.hostAllowed(given.host)) {
      throw new A2AError("MisdirectedRequest", "This server does not accept that :authority");
    }
    // On a dedicated port, an agent authenticates before it reads the message; otherwise the tenant
    // must be read first.
    if (!this.#isShared) await context.host.admission.authenticate(given, context.host.definition);
    const operation = this.#service.operationAt(given.path);
    if (!operation) throw new A2AError("MethodNotFound", `There is no ${given.path.slice(0, 120)} here`);
    const json = this.#service.readRequest(operation, await onlyMessage(given)) as { tenant?: string };
    const named = this.#isShared && json.tenant ? await this.#agentNamed(json.tenant) : undefined;
    if (named) {
      context.host = named;
      delete json.tenant;
    }
    const { definition, admission } = context.host;
    const call = definition.layers?.grpc?.(given) ?? given;
    this.#call = call;
    context.operation = operation;
    const identified = admission.authenticate(call, definition);
    const caller = identified instanceof Promise ? await identified : identified;
    this.#checkVersion();
    const exchange = this.dialect.version === "1.0" ? undefined : startExchange(randomUUID);
    return { operation, json, caller, exchange };
  }

  async #agentNamed(tenant: string): Promise<ServedAgent | undefined> {
    const { directory } = this.#site;
    if (directory.awaits(tenant)) await directory.families();
    return directory.get(tenant);
  }

  /** Checks the version: not every agent supports both, and only 1.0 calls carry a version. */
  #checkVersion(): void {
    const { definition, admission } = this.context.host;
    const { version } = this.dialect;
    if (!(definition.dialects ?? ["1.0"]).includes(version)) {
      throw new A2AError("VersionNotSupported", `This agent does not support A2A ${version}`);
    }
    if (version === "1.0") admission.version(this.#call, definition);
  }

  answer(json: JsonValue, headers: Record<string, string>): void {
    this.#start(headers);
    this.#call.answer(this.#write(json));
  }

  events(headers: Record<string, string>): EventWriter {
    this.#start(headers);
    const call = this.#call;
    const { signal } = call;
    return {
      send: (json) => call.send(this.#write(json)),
      end: () => call.end(grpcStatuses.OK),
      get closed() {
        return signal.aborted;
      },
    };
  }

  #start(headers: Record<string, string>): void {
    let metadata: Record<string, string> | undefined;
    for (const name in headers) {
      metadata ??= {};
      metadata[name.toLowerCase()] = headers[name]!;
    }
    if (metadata) this.#call.start(metadata);
  }

  #write(json: JsonValue): Uint8Array {
    // A written response belongs to an operation, so it is set.
    return this.#service.writeAnswer(this.context.operation!, json);
  }

  /** Uses the error texts that 0.3 prescribes in the status too. */
  #inItsWords(error: A2AError): A2AError {
    if (this.#service !== grpcV03) return error;
    const { kind, facts, violations } = error;
    return new A2AError(kind, this.dialect.writeError(error).message, { facts, violations });
  }

  /** Sends the error as a status with details: there is no JSON to encode. */
  error(thrown: unknown): void {
    const error = this.#inItsWords(this.context.failed(asGrpcFault(thrown)));
    // 0.3 clients ignore details and identify errors by the status, in the mapping of 1.0.0.
    const isOld = this.#service === grpcV03 || isUnknownCoding(thrown);
    const column = isOld ? "1.0.0" : this.context.host.definition.errors;
    const details = Buffer.from(writeStatusDetails(error, column)).toString("base64").replace(/=+$/, "");
    this.#call.end(grpcStatuses[error.numbers(column).grpc], error.message, {
      "grpc-status-details-bin": details,
      ...(isUnknownCoding(thrown) ? { "grpc-accept-encoding": "identity,gzip" } : {}),
    });
  }
}

/** gRPC's rule for unknown compression: UNIMPLEMENTED, with the supported encodings. */
const isUnknownCoding = (thrown: unknown): boolean => thrown instanceof FrameError && thrown.kind === "unknown-coding";

/** Reads the single message that every A2A call takes. */
async function onlyMessage(call: GrpcCall): Promise<Buffer> {
  let only: Buffer | undefined;
  for await (const message of call.messages) {
    if (only) throw new A2AError("InvalidRequest", "This call takes one message, got several");
    only = message;
  }
  if (!only) throw new A2AError("InvalidRequest", "This call has no message");
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
