import type { LookupAddress } from "node:dns";

/** Resolves a name to its addresses. */
export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Maximum number of remembered names; the oldest are dropped. */
const maxNames = 1_000;

/**
 * Resolves a name once per `ms` milliseconds: the addresses that were checked first are used until then, even if the
 * name changes. A name that did not resolve is tried again.
 */
export function pinnedNames(resolve: ResolveName, ms: number, now: () => number = Date.now): ResolveName {
  const pins = new Map<string, { readonly until: number; readonly addresses: ReturnType<ResolveName> }>();
  return (hostname) => {
    const known = pins.get(hostname);
    if (known && known.until > now()) return known.addresses;
    const addresses = resolve(hostname);
    const pin = { until: now() + ms, addresses };
    pins.delete(hostname);
    pins.set(hostname, pin);
    if (pins.size > maxNames) pins.delete(pins.keys().next().value!);
    addresses.catch(() => {
      if (pins.get(hostname) === pin) pins.delete(hostname);
    });
    return addresses;
  };
}
