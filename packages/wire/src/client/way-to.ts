import type { Socket } from "node:net";
import { type EgressGuard, egressError } from "../egress.ts";
import { type Dial, dial } from "./dial.ts";
import { type ProxySettings, proxyFor } from "./proxy.ts";
import type { TlsTrust } from "./tls.ts";
import { openTunnel } from "./tunnel.ts";

/** How a client gets to hosts, whichever they are. */
interface Reach {
  readonly guard: EgressGuard;
  /** towards proxies, which the operator chose */
  readonly trust: TlsTrust;
  readonly trustFor: (url: URL) => TlsTrust;
  readonly proxies: ProxySettings;
}

/** The same for the connections that a client keeps. */
export interface KeptReach extends Reach {
  readonly connectMs: number;
  readonly headerBytes: number;
}

/** What is needed to get to a host. */
export interface WayOptions extends Reach, Pick<Dial, "timeoutMs" | "signal"> {
  /** What is spoken once TLS stands; HTTP/1.1 unless given. */
  readonly alpn?: "h2";
}

/** A connection to the host of an address, straight or through a tunnel, for those who speak on it themselves. */
export async function wayTo(url: URL, options: WayOptions): Promise<Socket> {
  const { guard, trust, trustFor, proxies, alpn, ...dialing } = options;
  const secure = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port) || (secure ? 443 : 80);
  const tls = secure ? { ...trustFor(url), ...(alpn && { alpn }) } : undefined;
  const target = { host, port, guard, ...dialing, ...(tls && { tls }) };
  const proxy = proxyFor(url, proxies);
  if (!proxy) return dial(target);
  // A proxy resolves names itself, so this look at DNS is all we can do.
  const decision = await guard.checkUrl(url);
  if (!decision.allowed) throw egressError(decision.reason);
  // What is passed on as it came cannot be rewritten for a proxy, nor can HTTP/2: plaintext goes through a tunnel too.
  const through = await openTunnel(proxy, `${url.hostname}:${port}`, { trust, ...dialing });
  return secure ? dial({ ...target, through }) : through;
}
