import type { LookupAddress } from "node:dns";

/** The addresses of a name. */
export type ResolveName = (hostname: string) => Promise<readonly LookupAddress[]>;

/** As many names as are remembered; the oldest make room. */
const maxNames = 1_000;

/**
 * Asks for the addresses of a name once in so many milliseconds: what was judged when it was first called is what is called
 * until then, whatever the name says meanwhile. A name that did not resolve is asked for again.
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
