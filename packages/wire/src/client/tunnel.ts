import type { Socket } from "node:net";
import { type Dial, dial } from "./dial.ts";
import { fail, NetworkError } from "./failure.ts";
import { parseHead } from "./http-head.ts";
import { proxyAuthorization } from "./proxy.ts";
import type { TlsTrust } from "./tls.ts";

const headCap = 16 * 1024;

interface ProxyDial extends Pick<Dial, "timeoutMs" | "signal"> {
  /** TLS settings for an https proxy. */
  readonly trust: TlsTrust;
}

/** Requests a tunnel to `authority` from the proxy (RFC 9110 §9.3.6) and resolves with its socket. */
export async function openTunnel(proxy: URL, authority: string, options: ProxyDial): Promise<Socket> {
  const socket = await dialProxy(proxy, options);
  const authorization = proxyAuthorization(proxy);
  const fields = [`Host: ${authority}`, ...(authorization ? [`Proxy-Authorization: ${authorization}`] : [])];
  socket.write(`CONNECT ${authority} HTTP/1.1\r\n${fields.join("\r\n")}\r\n\r\n`);

  const { startLine, rest } = await readAnswer(socket, proxy.host, options.timeoutMs);
  const status = Number(/^HTTP\/1\.\d (\d{3})/.exec(startLine)?.[1]);
  if (status >= 200 && status < 300) {
    socket.unshift(rest);
    // The TLS connection on top reports errors; without this listener Node would exit.
    return socket.on("error", () => {});
  }
  socket.destroy();
  throw new NetworkError(
    fail(
      "proxy",
      `the proxy ${proxy.host} answered "${startLine}" instead of opening a connection to ${authority}`,
      status === 407
        ? "Add the proxy's user and password to its URL."
        : "Check whether NO_PROXY should contain this host.",
    ),
  );
}

/** The user chose the proxy, so the guard does not apply. */
export const dialProxy = (proxy: URL, { trust, ...options }: ProxyDial): Promise<Socket> =>
  dial({
    ...options,
    host: proxy.hostname.replace(/^\[|\]$/g, ""),
    port: Number(proxy.port) || (proxy.protocol === "https:" ? 443 : 80),
    ...(proxy.protocol === "https:" && { tls: trust }),
  });

function readAnswer(socket: Socket, proxy: string, timeoutMs: number): Promise<{ startLine: string; rest: Buffer }> {
  return new Promise((resolve, reject) => {
    let seen = Buffer.alloc(0);
    const settle = (): void => {
      clearTimeout(timer);
      socket.off("data", read).off("close", closed).off("error", giveUp).pause();
    };
    const giveUp = (error: Error): void => {
      settle();
      socket.destroy();
      reject(error);
    };
    const closed = (): void =>
      giveUp(new NetworkError(fail("proxy", `the proxy ${proxy} closed the connection instead of opening a tunnel`)));
    const read = (chunk: Buffer): void => {
      seen = Buffer.concat([seen, chunk]);
      const head = parseHead(seen);
      if (head) {
        settle();
        resolve({ startLine: head.startLine, rest: seen.subarray(head.length) });
      } else if (seen.length > headCap) {
        giveUp(new NetworkError(fail("proxy", `the proxy ${proxy} sent headers without an end`)));
      }
    };
    const timer = setTimeout(() => {
      giveUp(
        new NetworkError(fail("timeout-connect", `timeout: the proxy ${proxy} did not respond within ${timeoutMs} ms`)),
      );
    }, timeoutMs);

    socket.on("data", read).once("close", closed).once("error", giveUp);
  });
}
