import type { Socket } from "node:net";
import { type EgressGuard, egressError } from "../egress.ts";
import { type Dial, dial } from "./dial.ts";
import { type ProxySettings, proxyFor } from "./proxy.ts";
import type { TlsTrust } from "./tls.ts";
import { openTunnel } from "./tunnel.ts";

/** Settings for connecting to any host. */
interface Reach {
  readonly guard: EgressGuard;
  /** for proxies, which the operator chose */
  readonly trust: TlsTrust;
  readonly trustFor: (url: URL) => TlsTrust;
  readonly proxies: ProxySettings;
}

/** The same for connections that a client keeps. */
export interface KeptReach extends Reach {
  readonly connectMs: number;
  readonly headerBytes: number;
}

/** Settings for connecting to one host. */
export interface WayOptions extends Reach, Pick<Dial, "timeoutMs" | "signal"> {
  /** the protocol to negotiate over TLS (default: HTTP/1.1) */
  readonly alpn?: "h2";
}

/** Opens a raw connection to the host of an address, directly or through a tunnel. */
export async function wayTo(url: URL, options: WayOptions): Promise<Socket> {
  const { guard, trust, trustFor, proxies, alpn, ...dialing } = options;
  const secure = url.protocol === "https:";
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = Number(url.port) || (secure ? 443 : 80);
  const tls = secure ? { ...trustFor(url), ...(alpn && { alpn }) } : undefined;
  const target = { host, port, guard, ...dialing, ...(tls && { tls }) };
  const proxy = proxyFor(url, proxies);
  if (!proxy) return dial(target);
  // A proxy resolves names itself, so all we can do is check DNS here.
  const decision = await guard.checkUrl(url);
  if (!decision.allowed) throw egressError(decision.reason);
  // Forwarded requests and HTTP/2 cannot be rewritten for a proxy, so plaintext also uses a tunnel.
  const through = await openTunnel(proxy, `${url.hostname}:${port}`, { trust, ...dialing });
  return secure ? dial({ ...target, through }) : through;
}
