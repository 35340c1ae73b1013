import type { SecureVersion } from "node:tls";
import { dial } from "./dial.ts";
import { failureFrom } from "./failure.ts";
import type { HttpClientOptions } from "./http.ts";
import { defaultTimeouts } from "./limits.ts";
import { proxyFor } from "./proxy.ts";
import { createTlsTrust } from "./tls.ts";
import { openTunnel } from "./tunnel.ts";

export type TlsVersion = SecureVersion;

/** The result of a handshake in one TLS version; `unknown` if it failed for another reason. */
export type Handshake = "accepted" | "refused" | { readonly unknown: string };

/** Performs a TLS handshake with the server of an https address, in this version only, and disconnects. */
export async function shakeHands(
  address: string,
  version: TlsVersion,
  how: Pick<HttpClientOptions, "guard" | "credentials" | "tls" | "proxies" | "timeouts"> & {
    readonly alpn?: "h2";
    readonly signal?: AbortSignal;
  },
): Promise<Handshake> {
  const { guard, credentials, tls, proxies = {}, timeouts, alpn, signal } = how;
  const url = new URL(address);
  const target = { host: url.hostname.replace(/^\[|\]$/g, ""), port: Number(url.port) || 443, guard };
  const dialing = {
    timeoutMs: timeouts?.connect ?? defaultTimeouts.connect,
    ...(signal && { signal }),
  };
  try {
    const proxy = proxyFor(url, proxies);
    const authority = `${url.hostname}:${target.port}`;
    const decision = proxy ? await guard.checkUrl(url) : { allowed: true as const };
    if (!decision.allowed) return { unknown: decision.reason };
    const through = proxy && (await openTunnel(proxy, authority, { trust: createTlsTrust(tls), ...dialing }));
    const { cert: _cert, key: _key, ...anonymous } = tls ?? {};
    const shown = credentials?.mayGoTo(url) === false ? anonymous : tls;
    // Nothing else is sent, so the identity of the server does not matter.
    const trust = createTlsTrust({ ...shown, insecure: true }, version);
    const socket = await dial({
      ...target,
      ...dialing,
      tls: { ...trust, ...(alpn && { alpn }) },
      ...(through && { through }),
    });
    socket.destroy();
    return "accepted";
  } catch (error) {
    const { code, message } = failureFrom(error);
    // Some servers end the handshake with an alert, others just disconnect.
    const isRefusal = code === "tls" || code === "reset" || code === "closed-at-once";
    return isRefusal ? "refused" : { unknown: message };
  }
}
