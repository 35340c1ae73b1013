import type { PeerBinding } from "./binding.ts";
import { dialectFor } from "./dialects.ts";
import { readReply } from "./http.ts";
import { jsonRpcCodec } from "./jsonrpc.ts";
import type { PeerInterface } from "./place.ts";
import { restCodec } from "./rest.ts";
import { olderRestCodec } from "./rest-v0.3.ts";

/** Reads what was answered over an interface, whoever made the calls. gRPC brings protobuf along, so it is loaded when used. */
export async function openReplyReader({ url, binding, dialect: version }: PeerInterface): Promise<PeerBinding["read"]> {
  const dialect = dialectFor(binding, version);
  if (!dialect) throw new TypeError(`A2A ${version} is not spoken over ${binding}.`);
  if (binding === "GRPC") return (await import("./grpc.ts")).grpcReplyReader(dialect);
  const place = { url, headers: [] };
  const codec =
    binding === "JSONRPC"
      ? jsonRpcCodec(place, dialect)
      : version === "1.0"
        ? restCodec(place, dialect)
        : olderRestCodec(place);
  return (_operation, exchange) => readReply(codec, exchange);
}
