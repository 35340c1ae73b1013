import { type Agent, type IncomingMessage, type RequestOptions, request, type ServerResponse } from "node:http";
import type { Failure, HeaderPairs } from "@assay/wire";
import { fail, failureFrom, pairsOf } from "@assay/wire/passing";
import { addressOf } from "./address-map.ts";
import { cardIn, isCardPath, passedCard } from "./card.ts";
import { type ClientConnection, refusedText } from "./client-connection.ts";
import { endToEnd, fieldOf, withHost } from "./headers.ts";
import { pump } from "./pump.ts";
import type { ExchangeWitness } from "./witness.ts";

/** A card is small; what is larger is passed on as it is. */
const mostCardBytes = 4 * 1024 * 1024;

/** Failures before anything was said: the connection to us stands, so they have to be put into words. */
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

/** Passes one request of HTTP/1.1 on to the agent, and its answer back. */
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
    proxy.notice("client", "unknown-destination", `${method} ${asked}: no card names that host`);
    answer(response, 404, "No card of this agent names that host, so nothing is passed on to it.");
    return;
  }
  const { origin, path } = destination;
  const isCard = method === "GET" && !proxy.keepCard && isCardPath(path);
  const fields = endToEnd(pairsOf(incoming.rawHeaders));
  // What is compressed cannot be changed without being packed again, which nothing is gained by.
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
    proxy.notice("client", "half-a-request", `${method} ${path}: the request broke off after ${witness.asked} bytes`);
    end(fail("aborted", "the client closed the connection before its request was complete"));
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
    // A connection that breaks before the answer breaks for the client, too: what it makes of that is its own affair.
    if (unconnected.has(failure.code)) answer(response, 502, refusedText(origin, failure));
    else incoming.socket.destroy();
  });
  onward.on("response", (message) => {
    isAnswered = true;
    const answered = endToEnd(pairsOf(message.rawHeaders));
    witness.head(message.statusCode!, message.statusMessage ?? "", answered);
    if (fieldOf(pairsOf(message.rawHeaders), "connection")?.toLowerCase() === "close") response.shouldKeepAlive = false;
    message.on("error", () => {});
    message.on("close", () => {
      if (message.complete || response.destroyed) return;
      proxy.notice("agent", "agent-broke-off", `${method} ${path}: the connection broke within the answer`);
      witness.failed(failureFrom(Object.assign(new Error("closed"), { code: "ECONNRESET" })));
      response.destroy();
    });
    if (isCard && message.statusCode === 200) return passCard(message, answered, response, connection, witness);
    passAnswer(message, answered, response, witness);
  });
  response.on("close", () => {
    // A finished one has given its connection back, and another request may be on it.
    if (response.writableFinished) return;
    if (isAnswered && incoming.complete)
      proxy.notice("client", "client-hung-up", `${method} ${path}: the client left before the end of the answer`);
    end(fail("aborted", "the client closed the connection before the answer was complete"));
  });
}

/** Node's types do not know that it can be kept from adding fields of its own. */
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
  // How a body is framed concerns the connection, and so it is said anew.
  headers: flat(given["transfer-encoding"] === undefined ? headers : [...headers, ["Transfer-Encoding", "chunked"]]),
  setDefaultHeaders: false,
});

/** An answer as it comes; what of it was read before goes first. */
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
  // Most bodies are right behind their head, and leave with it; what waits for its first event is told at once.
  setImmediate(() => {
    if (!response.destroyed && !response.writableEnded) response.flushHeaders();
  });
  pump(message, response, (chunk) => witness.body(chunk));
  message.on("end", () => {
    if (!message.complete) return;
    const trailers = pairsOf(message.rawTrailers);
    // Node takes them for the end of a chunked answer, and drops them elsewhere, as HTTP does.
    if (trailers.length) response.addTrailers(trailers.map(([name, value]): [string, string] => [name, value]));
    response.end();
    witness.ended(trailers);
  });
}

/** The card, with addresses that lead here; what is none, or too large for one, is passed on as it is. */
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
    proxy.notice("agent", "card-unreadable", `the card ${why}; it was passed on as it is`);
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
    else asItIs("is no JSON object that can be read");
    const text = passed ? Buffer.from(JSON.stringify(passed.card)) : body;
    // What is said about the bytes is no longer true of these.
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

/** In words of ours, where there is no answer of the agent. */
export function answer(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent || response.destroyed) return;
  const body = Buffer.from(`assay proxy: ${text}\n`);
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", "Content-Length": body.length });
  response.end(body);
}
