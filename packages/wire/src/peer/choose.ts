import { bindings, type CardInterface } from "@assay/protocol";
import { readGrpcAddress } from "../grpc/address.ts";
import { dialectFor } from "./dialects.ts";
import type { PeerInterface } from "./place.ts";

/**
 * The first interface of a card that we speak (§8.3.2), among those of the binding or tenant that is wanted. Whatever
 * form its address has in the card (AMB-25), here it is a URL.
 */
export function chooseInterface(
  interfaces: readonly CardInterface[],
  wanted: { readonly binding?: string; readonly dialect?: string; readonly tenant?: string } = {},
): PeerInterface | undefined {
  for (const { url, binding: name, dialect, tenant } of interfaces) {
    const binding = bindings.find((known) => known === name);
    if (!binding || !dialect || !dialectFor(binding, dialect)) continue;
    if (wanted.dialect !== undefined && wanted.dialect !== dialect) continue;
    if (wanted.binding !== undefined && wanted.binding !== binding) continue;
    if (wanted.tenant !== undefined && wanted.tenant !== tenant) continue;
    const address = binding === "GRPC" ? readGrpcAddress(url)?.href : url;
    if (address !== undefined) return { url: address, binding, dialect, ...(tenant === undefined ? {} : { tenant }) };
  }
  return undefined;
}
