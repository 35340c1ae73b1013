import { type Binding, type Dialect, type DialectVersion, v01, v02, v03, v03Proto, v10 } from "@assay/protocol";

/** The dialects over JSON-RPC, and those that differ over HTTP+JSON and gRPC. */
const overJsonRpc: Record<DialectVersion, Dialect> = { "0.1": v01, "0.2": v02, "0.3": v03, "1.0": v10 };
const overOthers: Partial<Record<DialectVersion, Dialect>> = { "0.3": v03Proto, "1.0": v10 };

/** Returns the dialect of a version on a binding, or undefined if there is none. */
export const dialectFor = (binding: Binding, version: DialectVersion): Dialect | undefined =>
  binding === "JSONRPC" ? overJsonRpc[version] : overOthers[version];

/** The same, but throws if there is none. */
export function dialectOn(binding: Binding, version: DialectVersion): Dialect {
  const dialect = dialectFor(binding, version);
  if (!dialect) throw new TypeError(`A2A ${version} is not supported over ${binding}.`);
  return dialect;
}
