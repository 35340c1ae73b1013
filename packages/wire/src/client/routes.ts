import { setMaxListeners } from "node:events";
import { Agent, type Dispatcher } from "undici";
import type { HeaderPairs } from "../recording/exchange.ts";
import { dial } from "./dial.ts";
import { proxyAuthorization, proxyFor } from "./proxy.ts";
import { tap } from "./tap.ts";
import { dialProxy, openTunnel } from "./tunnel.ts";
import type { KeptReach } from "./way-to.ts";

/** The route of a request to its host: its connections and the form of its request line. */
export interface Route {
  readonly dispatcher: Dispatcher;
  readonly origin: string;
  readonly path: string;
  /** Headers for the proxy, not for the host behind it. */
  readonly headers: HeaderPairs;
  readonly proxy?: URL;
  /** Closes the connection if only this request uses it. */
  release?(): void;
}

interface Routes {
  /** Uses kept connections, or a fresh one that the caller releases. */
  routeTo(url: URL, fresh?: boolean): Route;
  close(): Promise<void>;
}

export function createRoutes({ guard, trust, trustFor, proxies, connectMs, headerBytes }: KeptReach): Routes {
  const closing = new AbortController();
  // Every dial in progress listens to it. A large number of listeners is not a leak.
  setMaxListeners(0, closing.signal);
  const dialing = { timeoutMs: connectMs, signal: closing.signal };

  const pool = (connect: Connector): Agent =>
    new Agent({
      maxHeaderSize: headerBytes,
      // Our own timers are exact; undici's tick about once a second.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: (target, callback) => {
        connect(target).then(
          (socket) => callback(null, tap(socket)),
          (error: Error) => callback(error, null),
        );
      },
    });

  // Connects directly to the host, or through a tunnel.
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

  // Connects to a proxy that gets the absolute URL, as usual for plain http (RFC 9112 §3.2.2).
  const toProxy: Connector = ({ protocol, host }) => dialProxy(new URL(`${protocol}//${host}`), { trust, ...dialing });

  const kept = { direct: pool(toHost), forward: pool(toProxy) };
  /** Agents that serve one request each. */
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
