import { type Agent, type IncomingMessage, type RequestOptions, request, type ServerResponse } from "node:http";
import type { Failure, HeaderPairs } from "@assay/wire";
import { fail, failureFrom, headerOf, pairsOf } from "@assay/wire/passing";
import { addressOf } from "./address-map.ts";
import { cardIn, isCardPath, passedCard } from "./card.ts";
import { type ClientConnection, refusedText } from "./client-connection.ts";
import { endToEnd, withHost } from "./headers.ts";
import { pump } from "./pump.ts";
import type { ExchangeWitness } from "./witness.ts";

/** Maximum size of a card that is rewritten. Larger ones are forwarded unchanged. */
const mostCardBytes = 4 * 1024 * 1024;

/** Failures before the agent was connected. The client's connection is fine, so it gets an error response. */
const unconnected: ReadonlySet<Failure["code"]> = new Set([
  "refused-by-guard",
  "dns",
  "connect-refused",
  "unreachable",
  "closed-at-once",
  "tls",
  "proxy",
  "timeout-connect",
]);

/** Forwards one HTTP/1.1 request to the agent, and its response back. */
export function passHttp1(
  incoming: IncomingMessage,
  asked: string,
  response: ServerResponse,
  connection: ClientConnection,
): void {
  const { proxy, upstream } = connection;
  const method = incoming.method ?? "GET";
  const destination = proxy.map.destination(asked);
  if (!destination) {
    incoming.resume();
    proxy.notice("client", "unknown-destination", `${method} ${asked}: no card names this host`);
    answer(response, 404, "No card of this agent names this host, so the proxy does not forward requests to it.");
    return;
  }
  const { origin, path } = destination;
  const isCard = method === "GET" && !proxy.keepCard && isCardPath(path);
  const fields = endToEnd(pairsOf(incoming.rawHeaders));
  // A compressed card could not be changed without compressing it again, so ask for an uncompressed one.
  const wished = isCard ? fields.filter(([name]) => name.toLowerCase() !== "accept-encoding") : fields;
  const headers = proxy.permitted(origin, withHost(wished, origin.host));
  const witness = proxy.witness({ method, url: addressOf(destination), headers, http2: false });
  const onward = request(onwardOptions(incoming, upstream.http1(origin), path, headers));
  let isAnswered = false;

  const end = (failure: Failure): void => {
    witness.failed(failure);
    onward.destroy();
  };

  incoming.on("close", () => {
    if (incoming.complete) return;
    proxy.notice("client", "half-a-request", `${method} ${path}: the request was cut off after ${witness.asked} bytes`);
    end(fail("aborted", "the client closed the connection before the request was complete"));
  });
  incoming.on("error", () => {});
  pump(incoming, onward, (chunk) => witness.request(chunk));
  incoming.on("end", () => onward.end());

  onward.on("continue", () => response.writeContinue());
  onward.on("error", (error) => {
    if (isAnswered || response.destroyed) return;
    const failure = failureFrom(error);
    witness.failed(failure);
    proxy.notice(
      "agent",
      unconnected.has(failure.code) ? "agent-unreachable" : "agent-broke-off",
      `${origin.host}: ${failure.message}`,
    );
    // A connection that breaks before the response breaks for the client, too, as without the proxy.
    if (unconnected.has(failure.code)) answer(response, 502, refusedText(origin, failure));
    else incoming.socket.destroy();
  });
  onward.on("response", (message) => {
    isAnswered = true;
    const answered = endToEnd(pairsOf(message.rawHeaders));
    witness.head(message.statusCode!, message.statusMessage ?? "", answered);
    if (headerOf(pairsOf(message.rawHeaders), "connection")?.toLowerCase() === "close")
      response.shouldKeepAlive = false;
    message.on("error", () => {});
    message.on("close", () => {
      if (message.complete || response.destroyed) return;
      proxy.notice(
        "agent",
        "agent-broke-off",
        `${method} ${path}: the agent closed the connection before the response was complete`,
      );
      witness.failed(failureFrom(Object.assign(new Error("closed"), { code: "ECONNRESET" })));
      response.destroy();
    });
    if (isCard && message.statusCode === 200) return passCard(message, answered, response, connection, witness);
    passAnswer(message, answered, response, witness);
  });
  response.on("close", () => {
    // After a finished response, another request may already use the connection.
    if (response.writableFinished) return;
    if (isAnswered && incoming.complete)
      proxy.notice(
        "client",
        "client-hung-up",
        `${method} ${path}: the client disconnected before the response was complete`,
      );
    end(fail("aborted", "the client closed the connection before the response was complete"));
  });
}

/** Node's types lack the option that suppresses its own default headers. */
type OnwardOptions = RequestOptions & { readonly setDefaultHeaders: boolean };

const onwardOptions = (
  { method, headers: given }: IncomingMessage,
  agent: Agent,
  path: string,
  headers: HeaderPairs,
): OnwardOptions => ({
  agent,
  method,
  path,
  // Body framing concerns one connection, so it is set again.
  headers: flat(given["transfer-encoding"] === undefined ? headers : [...headers, ["Transfer-Encoding", "chunked"]]),
  setDefaultHeaders: false,
});

/** Forwards a response as it arrives. `read` holds bytes that were already read. */
function passAnswer(
  message: IncomingMessage,
  fields: HeaderPairs,
  response: ServerResponse,
  witness: ExchangeWitness,
  read: readonly Buffer[] = [],
): void {
  response.sendDate = false;
  response.writeHead(message.statusCode!, message.statusMessage, flat(fields));
  for (const chunk of read) response.write(chunk);
  // Most bodies follow their head at once and are sent with it. A stream that waits for its first event gets its head
  // now.
  setImmediate(() => {
    if (!response.destroyed && !response.writableEnded) response.flushHeaders();
  });
  pump(message, response, (chunk) => witness.body(chunk));
  message.on("end", () => {
    if (!message.complete) return;
    const trailers = pairsOf(message.rawTrailers);
    // Node sends trailers after a chunked response and drops them elsewhere, as HTTP does.
    if (trailers.length) response.addTrailers(trailers.map(([name, value]): [string, string] => [name, value]));
    response.end();
    witness.ended(trailers);
  });
}

/**
 * Forwards the card with addresses that point to the proxy. Forwards anything else, or a card that is too large,
 * unchanged.
 */
function passCard(
  message: IncomingMessage,
  fields: HeaderPairs,
  response: ServerResponse,
  { proxy }: ClientConnection,
  witness: ExchangeWitness,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const asItIs = (why: string): void =>
    proxy.notice("agent", "card-unreadable", `the card ${why}; it was forwarded unchanged`);
  const take = (chunk: Buffer): void => {
    witness.body(chunk);
    size += chunk.length;
    chunks.push(chunk);
    if (size <= mostCardBytes) return;
    message.off("data", take).off("end", taken);
    asItIs(`is larger than ${mostCardBytes / 1024 / 1024} MiB`);
    passAnswer(message, fields, response, witness, chunks.splice(0));
  };
  const taken = (): void => {
    if (!message.complete) return;
    const body = Buffer.concat(chunks);
    const card = cardIn(body);
    const passed = card && passedCard(proxy.offered(card), proxy.map);
    if (passed) proxy.cardPassed({ url: witness.url, card, changes: passed.changes });
    else asItIs("is not a readable JSON object");
    const text = passed ? Buffer.from(JSON.stringify(passed.card)) : body;
    // Headers about the original bytes are no longer correct.
    const kept = fields.filter(
      ([name]) => !/^(content-length|content-md5|digest|content-digest|repr-digest)$/i.test(name),
    );
    response.sendDate = false;
    response.writeHead(
      message.statusCode!,
      message.statusMessage,
      flat([...kept, ["Content-Length", `${text.length}`]]),
    );
    response.end(text);
    witness.ended([]);
  };
  message.on("data", take).on("end", taken);
}

const flat = (fields: HeaderPairs): string[] => fields.flat();

/** Sends our own response if there is none from the agent. */
export function answer(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent || response.destroyed) return;
  const body = Buffer.from(`assay proxy: ${text}\n`);
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", "Content-Length": body.length });
  response.end(body);
}
