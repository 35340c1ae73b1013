import type { IncomingMessage } from "node:http";
import { type ClientHttp2Session, connect } from "node:http2";
import { connect as connectTcp } from "node:net";
import { afterAll } from "vitest";
import type { Plain } from "./testbed.case.ts";

const sessions = new Map<string, ClientHttp2Session>();
afterAll(() => {
  for (const session of sessions.values()) session.destroy();
  sessions.clear();
});

/** Sends a plain request over HTTP/2 with prior knowledge; the answer reads like one of HTTP/1.1. */
export function openHttp2(
  url: string,
  { method = "GET", headers = {}, body, signal, fresh, from }: Plain,
): Promise<IncomingMessage> {
  const { origin, host, pathname, search } = new URL(url);
  const session = sessionTo(origin, fresh === true, from);
  const { Host = host, ...rest } = headers as Record<string, string | readonly string[]>;
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ":method": method,
      ":path": `${pathname}${search}`,
      ":authority": String(Host),
      ...endToEnd(rest),
    });
    const leave = () => stream.close(8);
    signal?.addEventListener("abort", () => {
      leave();
      reject(signal.reason);
    });
    stream.on("error", reject).on("response", ({ ":status": statusCode, ...answered }) => {
      // What tests ask of an answer of HTTP/1.1, a stream of HTTP/2 has as well, once it has these two.
      resolve(
        Object.assign(stream, { statusCode: Number(statusCode), headers: answered }) as unknown as IncomingMessage,
      );
    });
    stream.on("close", () => {
      if (fresh) session.close();
      reject(new Error("the stream was closed without an answer"));
    });
    stream.end(body);
  });
}

/** As a client of HTTP/2 has to write them: without those of a connection, and without space around a value. */
const endToEnd = (headers: Record<string, string | readonly string[]>): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !/^(connection|upgrade|transfer-encoding|http2-settings)$/i.test(name))
      .map(([name, value]) => [name, typeof value === "string" ? value.trim() : [...value]]),
  );

function sessionTo(origin: string, fresh: boolean, from: string | undefined): ClientHttp2Session {
  const key = `${origin} ${from}`;
  const known = sessions.get(key);
  if (known && !fresh && !known.closed && !known.destroyed) return known;
  const { hostname, port } = new URL(origin);
  const made = connect(origin, {
    // A body that is refused half-way stays in the memory of Node's client.
    maxSessionMemory: 1_000,
    ...(from && { createConnection: () => connectTcp({ host: hostname, port: Number(port), localAddress: from }) }),
  });
  made.on("error", () => {});
  if (!fresh) sessions.set(key, made);
  return made;
}
