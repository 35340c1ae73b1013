import { type Binding, type Dialect, type DialectVersion, v01, v02, v03, v03Proto, v10 } from "@assay/protocol";

/** As each version is written over JSON-RPC, and as those that have another form write over HTTP+JSON and gRPC. */
const overJsonRpc: Record<DialectVersion, Dialect> = { "0.1": v01, "0.2": v02, "0.3": v03, "1.0": v10 };
const overOthers: Partial<Record<DialectVersion, Dialect>> = { "0.3": v03Proto, "1.0": v10 };

/** How a version is written on a binding; `undefined` where there is no such thing. */
export const dialectFor = (binding: Binding, version: DialectVersion): Dialect | undefined =>
  binding === "JSONRPC" ? overJsonRpc[version] : overOthers[version];
