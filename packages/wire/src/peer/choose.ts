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
  for (const declared of interfaces) {
    const known = speakable(declared);
    if (!known) continue;
    if (wanted.dialect !== undefined && wanted.dialect !== known.dialect) continue;
    if (wanted.binding !== undefined && wanted.binding !== known.binding) continue;
    if (wanted.tenant !== undefined && wanted.tenant !== known.tenant) continue;
    return known;
  }
  return undefined;
}

/** An interface as we would speak to it; `undefined` where we cannot. */
export function speakable({ url, binding: name, dialect, tenant }: CardInterface): PeerInterface | undefined {
  const binding = bindings.find((known) => known === name);
  if (!binding || !dialect || !dialectFor(binding, dialect)) return undefined;
  const address = binding === "GRPC" ? readGrpcAddress(url)?.href : URL.canParse(url) ? url : undefined;
  return address === undefined
    ? undefined
    : { url: address, binding, dialect, ...(tenant === undefined ? {} : { tenant }) };
}
