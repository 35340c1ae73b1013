import type { CardInterface } from "@assay/protocol";
import { isSameHost, type PeerInterface, speakable } from "@assay/wire";
import { type TestedBinding, testedBindings } from "../requests.ts";

/** An interface of the agent, as each path reaches it. */
export interface ComparedInterface {
  readonly binding: TestedBinding;
  readonly dialect: "1.0" | "0.3";
  readonly direct: PeerInterface;
  readonly through: PeerInterface;
}

/** Returns the rest of a URL behind a base address; undefined if it is elsewhere. */
export function restBelow(url: string, base: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const [address, folder] = [new URL(url), new URL(base)];
  const path = folder.pathname.replace(/\/+$/, "");
  const isBelow = address.pathname === path || address.pathname.startsWith(`${path}/`);
  if (address.protocol !== folder.protocol || !isSameHost(url, base, { port: true }) || !isBelow) return undefined;
  return `${address.pathname.slice(path.length).replace(/^\/$/, "")}${address.search}`;
}

/** Returns true if a URL leads to the agent and not to the gateway. */
export const leadsPast = (url: string, direct: string, through: string): boolean =>
  restBelow(url, direct) !== undefined && restBelow(url, through) === undefined;

/**
 * Pairs the interfaces of the agent's card with their addresses behind the gateway. Only the two addresses that the
 * user named are called, so an address elsewhere is replaced: its path is looked up on both.
 */
export function pairInterfaces(
  declared: readonly CardInterface[],
  behind: readonly CardInterface[],
  bases: { readonly direct: string; readonly through: string },
  cardUrl: string,
): ComparedInterface[] {
  const found = new Map<string, ComparedInterface>();
  for (const each of declared) {
    const on = speakable(each, cardUrl);
    const binding = testedBindings.find((known) => known === on?.binding);
    if (!on || !binding || (on.dialect !== "1.0" && on.dialect !== "0.3")) continue;
    const key = `${binding} ${on.dialect}`;
    const rest = restBelow(on.url, bases.direct) ?? restBelow(on.url, bases.through) ?? new URL(on.url).pathname;
    const other = behind.find((one) => one.binding === binding && one.dialect === on.dialect);
    const ownAddress = other && restBelow(other.url, bases.through);
    if (found.has(key)) continue;
    found.set(key, {
      binding,
      dialect: on.dialect,
      direct: { ...on, url: `${bases.direct}${rest}` },
      through: { ...on, url: `${bases.through}${ownAddress ?? rest}` },
    });
  }
  return [...found.values()];
}
