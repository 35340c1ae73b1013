import type { CardInterface } from "@assay/protocol";
import type { PeerInterface } from "./peer.ts";

/** The first interface of a card that we speak (§8.3.2), among those of the binding or tenant that is wanted. */
export function chooseInterface(
  interfaces: readonly CardInterface[],
  wanted: { readonly binding?: string; readonly tenant?: string } = {},
): PeerInterface | undefined {
  for (const { url, binding, dialect, tenant } of interfaces) {
    if (dialect !== "1.0" || (binding !== "JSONRPC" && binding !== "HTTP+JSON")) continue;
    if (wanted.binding !== undefined && wanted.binding !== binding) continue;
    if (wanted.tenant !== undefined && wanted.tenant !== tenant) continue;
    return { url, binding, ...(tenant === undefined ? {} : { tenant }) };
  }
  return undefined;
}
