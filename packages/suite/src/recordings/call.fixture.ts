import type { Binding, DialectVersion, JsonObject, Operation } from "@assay/protocol";
import {
  createEgressGuard,
  createPeerClients,
  type Exchange,
  openLine,
  type PeerBinding,
  type PeerInterface,
} from "@assay/wire";
import type { Call } from "../define/call.ts";
import { Translation } from "../runner/target/translation.ts";

/** A call without the facts that reading the exchange gives. */
export interface PackedCall {
  readonly exchange: number;
  readonly on: PeerInterface;
  readonly operation: Operation;
  readonly params?: JsonObject;
  readonly fair?: true;
  readonly streamed?: true;
}

type Readers = Readonly<Record<Binding, Partial<Record<DialectVersion, PeerBinding>>>>;

/**
 * Opens the readers of exchanges for each binding and version. They are those of the product, and send nothing here.
 */
export async function openReaders(): Promise<Readers> {
  const clients = createPeerClients({ guard: createEgressGuard({ trustedHosts: [] }) });
  const open = (binding: Binding, dialect: DialectVersion): Promise<PeerBinding> =>
    openLine(clients, { url: "http://127.0.0.1/", binding, dialect });
  const [rpc10, rpc03, rpc02, rpc01, rest10, rest03, grpc10, grpc03] = await Promise.all([
    open("JSONRPC", "1.0"),
    open("JSONRPC", "0.3"),
    open("JSONRPC", "0.2"),
    open("JSONRPC", "0.1"),
    open("HTTP+JSON", "1.0"),
    open("HTTP+JSON", "0.3"),
    open("GRPC", "1.0"),
    open("GRPC", "0.3"),
  ]);
  return {
    JSONRPC: { "1.0": rpc10, "0.3": rpc03, "0.2": rpc02, "0.1": rpc01 },
    "HTTP+JSON": { "1.0": rest10, "0.3": rest03 },
    GRPC: { "1.0": grpc10, "0.3": grpc03 },
  };
}

/** Reads an exchange as a call, as interface-client.ts does. */
export function readCall(packed: PackedCall, exchange: Exchange, readers: Readers): Call {
  const { on, operation, params, fair = false, streamed = false } = packed;
  const said = readers[on.binding][on.dialect]!.read(operation, exchange);
  const translation = Translation.of(on);
  // The request is known before the response is read. A request that the version cannot express was sent as it is.
  if (translation && params) attempt(() => translation.write(operation, params));
  const reply = translation?.read(operation, said) ?? said;
  return { exchange, on, operation, ...(params && { params }), reply, said, fair, streamed };
}

function attempt(act: () => unknown): void {
  try {
    act();
  } catch {
    // The request was not sent in that form.
  }
}
