import { type Agent, type IncomingMessage, type RequestOptions, request, type ServerResponse } from "node:http";
import type { Failure, HeaderPairs } from "@assay/wire";
import { fail, failureFrom, headerOf, pairsOf } from "@assay/wire/passing";
import { addressOf } from "./address-map.ts";
import { isCardPath } from "./card.ts";
import { backwards, type ClientConnection, type HeldRequest, type Passing, refusedText } from "./client-connection.ts";
import { endToEnd, withHost } from "./headers.ts";
import { answerOf, deliver, hold, isAnsweredByFault, isEncoding, isKeptOfHeld, repeat } from "./http1-faults.ts";
import { pump } from "./pump.ts";
import { rewrittenCard, unchangedCard } from "./rewritten-card.ts";
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
  given: ClientConnection,
  held?: HeldRequest,
): void {
  const method = incoming.method ?? "GET";
  const destination = given.proxy.map.destination(asked);
  const connection = destination?.isCallback ? backwards(given) : given;
  const { proxy } = connection;
  if (!destination) {
    incoming.resume();
    const why = proxy.map.refusal(asked);
    proxy.notice("client", "unknown-destination", `${method} ${asked}: ${why}`);
    answer(response, 404, `The proxy does not forward this request: ${why}.`);
    return;
  }
  const { origin, path } = destination;
  const isCard = method === "GET" && !proxy.keepCard && isCardPath(path);
  const fields = endToEnd(pairsOf(incoming.rawHeaders));
  const url = addressOf(destination);
  if (proxy.faults && !held) {
    const pass = (body: Buffer): void => {
      const faults = proxy.faults!.begin({ method, url, headers: fields, body });
      passHttp1(incoming, asked, response, given, { body, faults });
    };
    return void hold(incoming, response, pass, () =>
      proxy.notice("client", "half-a-request", `${method} ${path}: the request was cut off`),
    );
  }
  // A compressed card could not be changed without compressing it again, so ask for an uncompressed one.
  const wished = isCard || held?.faults.isChosen ? fields.filter(([name]) => !isEncoding(name)) : fields;
  const named = proxy.keepHost ? wished : withHost(wished, origin.host);
  const headers = proxy.permitted(origin, held ? held.faults.request(named.filter(isKeptOfHeld)) : named);
  const witness = proxy.witness({ method, url, headers, http2: false, faults: held?.faults.hits });
  if (held) {
    witness.request(held.body);
    if (isAnsweredByFault(held.faults, response, witness)) return;
  }
  forward(incoming, response, { ...connection, held, origin, path, isCard, headers, witness });
}

interface Forwarding extends ClientConnection {
  readonly held: HeldRequest | undefined;
  readonly origin: URL;
  readonly path: string;
  readonly isCard: boolean;
  readonly headers: HeaderPairs;
  readonly witness: ExchangeWitness;
}

function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  { proxy, upstream, held, origin, path, isCard, headers, witness }: Forwarding,
): void {
  const method = incoming.method ?? "GET";
  const options = onwardOptions(incoming, upstream.http1(origin), path, headers);
  const onward = request(options);
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
  if (held) {
    onward.end(held.body);
    if (held.faults.repeats()) repeat(options, held.body, origin, upstream.beside());
  } else {
    pump(incoming, onward, (chunk) => witness.request(chunk));
    incoming.on("end", () => onward.end());
  }

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
      if (message.complete || response.destroyed || held?.faults.isBroken) return;
      proxy.notice(
        "agent",
        "agent-broke-off",
        `${method} ${path}: the agent closed the connection before the response was complete`,
      );
      witness.failed(failureFrom(Object.assign(new Error("closed"), { code: "ECONNRESET" })));
      response.destroy();
    });
    const isReadCard = isCard && message.statusCode === 200;
    if (held) {
      void answerOf(message, answered, witness, isReadCard ? proxy : undefined).then(
        (read) => deliver(read, held.faults, response, witness),
        // The close event reports a response that breaks off.
        () => {},
      );
      return;
    }
    if (isReadCard) return passCard(message, answered, response, proxy, witness);
    passAnswer(message, answered, response, witness);
  });
  response.on("close", () => {
    // After a finished response, another request may already use the connection.
    if (response.writableFinished) return;
    if (isAnswered && incoming.complete && !held?.faults.isBroken)
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
  proxy: Passing,
  witness: ExchangeWitness,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer): void => {
    witness.body(chunk);
    size += chunk.length;
    chunks.push(chunk);
    if (size <= mostCardBytes) return;
    message.off("data", take).off("end", taken);
    proxy.notice("agent", "card-unreadable", unchangedCard(`is larger than ${mostCardBytes / 1024 / 1024} MiB`));
    passAnswer(message, fields, response, witness, chunks.splice(0));
  };
  const taken = (): void => {
    if (!message.complete) return;
    const { headers, text } = rewrittenCard(Buffer.concat(chunks), fields, proxy, witness.url);
    response.sendDate = false;
    response.writeHead(message.statusCode!, message.statusMessage, flat(headers));
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
