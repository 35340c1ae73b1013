import { setMaxListeners } from "node:events";
import { Agent, type Dispatcher } from "undici";
import type { HeaderPairs } from "../recording/exchange.ts";
import { dial } from "./dial.ts";
import { proxyAuthorization, proxyFor } from "./proxy.ts";
import { tap } from "./tap.ts";
import { dialProxy, openTunnel } from "./tunnel.ts";
import type { KeptReach } from "./way-to.ts";

/** How a request gets to its host: over which connections, and written in which form. */
export interface Route {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  readonly path: string;
  /** What a proxy wants to be told; not for the host behind it. */
  readonly headers: HeaderPairs;
  readonly proxy?: URL;
  /** Ends the connection, where it is this request's alone. */
  release?(): void;
}

interface Routes {
  /** Over kept connections, or over a fresh one, which the caller lets go of. */
  routeTo(url: URL, fresh?: boolean): Route;
  close(): Promise<void>;
}

export function createRoutes({ guard, trust, trustFor, proxies, connectMs, headerBytes }: KeptReach): Routes {
  const closing = new AbortController();
  // Every dial under way listens to it: many at a time are no leak.
  setMaxListeners(0, closing.signal);
  const dialing = { timeoutMs: connectMs, signal: closing.signal };

  const pool = (connect: Connector): Agent =>
    new Agent({
      maxHeaderSize: headerBytes,
      // Our own clocks are exact; undici's tick about once a second.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (target, callback) => {
        connect(target).then(
          (socket) => callback(null, tap(socket)),
          (error: Error) => callback(error, null),
        );
      },
    });

  // Straight to the host, or through a tunnel that leads to it.
  const toHost: Connector = async ({ protocol, hostname, port, servername }) => {
    const secure = protocol === "https:";
    const target = { host: hostname, port: Number(port) || (secure ? 443 : 80), guard, ...dialing };
    if (!secure) return dial(target);
    const authority = `${hostname.includes(":") ? `[${hostname}]` : hostname}:${target.port}`;
    const url = new URL(`https://${authority}`);
    const tls = { ...trustFor(url), ...(servername && { servername }) };
    const proxy = proxyFor(url, proxies);
    if (!proxy) return dial({ ...target, tls });
    return dial({ ...target, tls, through: await openTunnel(proxy, authority, { trust, ...dialing }) });
  };

  // To a proxy that is told the whole URL, as is the custom for plain http (RFC 9112 §3.2.2).
  const toProxy: Connector = ({ protocol, host }) => dialProxy(new URL(`${protocol}//${host}`), { trust, ...dialing });

  const kept = { direct: pool(toHost), forward: pool(toProxy) };
  /** Those of one request each. */
  const ofOne = new Set<Agent>();

  function connections(way: keyof typeof kept, fresh: boolean): Pick<Route, "dispatcher" | "release"> {
    if (!fresh) return { dispatcher: kept[way] };
    const dispatcher = pool(way === "direct" ? toHost : toProxy);
    ofOne.add(dispatcher);
    const release = (): void => {
      ofOne.delete(dispatcher);
      void dispatcher.destroy();
    };
    return { dispatcher, release };
  }

  return {
    routeTo(url, fresh = false) {
      const path = `${url.pathname}${url.search}`;
      const proxy = proxyFor(url, proxies);
      if (!proxy || url.protocol === "https:") {
        return { ...connections("direct", fresh), origin: url.origin, path, headers: [], ...(proxy && { proxy }) };
      }
      const authorization = proxyAuthorization(proxy);
      const headers = authorization ? ([["Proxy-Authorization", authorization]] as const) : [];
      return { ...connections("forward", fresh), origin: proxy.origin, path: `${url.origin}${path}`, headers, proxy };
    },
    async close() {
      closing.abort();
      await Promise.all([kept.direct, kept.forward, ...ofOne].map((each) => each.destroy()));
    },
  };
}

type Connector = (target: {
  protocol: string;
  hostname: string;
  host?: string;
  port: string;
  servername?: string;
}) => Promise<ReturnType<typeof tap>>;
