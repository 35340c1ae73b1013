import { bindings, type CardInterface } from "@assay/protocol";
import { isHttpAddress, isUnspecified } from "../address-kind.ts";
import { readGrpcAddress } from "../grpc/address.ts";
import { dialectFor } from "./dialects.ts";
import type { PeerInterface } from "./place.ts";

/**
 * Returns the first interface of a card that we support (§8.3.2), among those with the wanted binding, version or
 * tenant. Its address is a URL, whatever its form in the card (AMB-25).
 */
export function chooseInterface(
  interfaces: readonly CardInterface[],
  wanted: { readonly binding?: string; readonly dialect?: string; readonly tenant?: string } = {},
  cardUrl?: string,
): PeerInterface | undefined {
  for (const declared of interfaces) {
    const known = speakable(declared, cardUrl);
    if (!known) continue;
    if (wanted.dialect !== undefined && wanted.dialect !== known.dialect) continue;
    if (wanted.binding !== undefined && wanted.binding !== known.binding) continue;
    if (wanted.tenant !== undefined && wanted.tenant !== known.tenant) continue;
    return known;
  }
  return undefined;
}

/** Converts a declared interface to one that we can call, or undefined. `cardUrl` is the address of its card. */
export function speakable(
  { url, binding: name, dialect, later, tenant }: CardInterface,
  cardUrl?: string,
): PeerInterface | undefined {
  const binding = bindings.find((known) => known === name);
  if (!binding || !dialect || !dialectFor(binding, dialect)) return undefined;
  const address = binding === "GRPC" ? readGrpcAddress(url)?.href : isHttpAddress(url) ? url : undefined;
  return address === undefined
    ? undefined
    : {
        url: callable(address, cardUrl),
        binding,
        dialect,
        ...(later === undefined ? {} : { later }),
        ...(tenant === undefined ? {} : { tenant }),
      };
}

/** Servers that listen on all addresses put 0.0.0.0 into their cards and mean the host of the card. */
function callable(address: string, cardUrl: string | undefined): string {
  const url = new URL(address);
  if (cardUrl === undefined || !isUnspecified(url.hostname)) return address;
  url.hostname = new URL(cardUrl).hostname;
  return url.href;
}
