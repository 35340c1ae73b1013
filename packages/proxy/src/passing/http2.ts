import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  constants,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from "node:http2";
import { grpcMethodAt } from "@assay/protocol/grpc";
import type { Failure, HeaderPairs } from "@assay/wire";
import { asOutgoing, fail, http2Failure, pairsOf, resetFailure } from "@assay/wire/passing";
import { addressOf, type Destination } from "./address-map.ts";
import { backwards, type ClientConnection, type HeldRequest, refusedText } from "./client-connection.ts";
import { deliver, hold, isAnsweredByFault, repeat } from "./http2-faults.ts";
import { pump } from "./pump.ts";
import type { ExchangeWitness } from "./witness.ts";

const { NGHTTP2_NO_ERROR, NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_FLAG_END_STREAM } = constants;

/** gRPC status UNAVAILABLE */
const unavailable = "14";

/** Forwards one HTTP/2 stream, usually a gRPC call, to the agent, and its response back. */
export function passHttp2(
  stream: ServerHttp2Stream,
  asked: string,
  headers: IncomingHttpHeaders,
  flags: number,
  raw: readonly string[],
  given: ClientConnection,
  held?: HeldRequest,
): void {
  const { map } = given.proxy;
  const isGrpc = /^application\/grpc/i.test(headers["content-type"] ?? "");
  const destination: Destination | undefined = isGrpc ? { origin: map.grpc, path: asked } : map.destination(asked);
  const { proxy, upstream } = destination?.isCallback ? backwards(given) : given;
  // The close event reports a broken stream; without this listener Node would throw.
  stream.on("error", () => {});
  if (!destination) {
    proxy.notice("client", "unknown-destination", `${headers[":method"]} ${asked}: ${map.refusal(asked)}`);
    return void stream.respond({ ":status": 404 }, { endStream: true });
  }
  const { origin, path } = destination;
  const method = headers[":method"] ?? "POST";
  const url = addressOf(destination);
  const fields = pairsOf(raw);
  // Only gRPC that is not A2A, such as reflection, may wait for a response before its request ends.
  if (proxy.faults && !held && (!isGrpc || grpcMethodAt(url))) {
    const { faults } = proxy;
    return void hold(stream, (body) =>
      passHttp2(stream, asked, headers, flags, raw, given, {
        body,
        faults: faults.begin({ method, url, headers: fields, body }),
      }),
    );
  }
  const named = fields.map(([name, value]) => [name, replaced(name, value, origin, path, proxy.keepHost)] as const);
  const head = proxy.permitted(origin, held?.faults.request(named) ?? named);
  const witness = proxy.witness({ method, url, headers: head, http2: true, faults: held?.faults.hits });
  if (held) {
    witness.request(held.body);
    if (isAnsweredByFault(held.faults, stream, witness, isGrpc)) return;
  }
  const endStream = (flags & NGHTTP2_FLAG_END_STREAM) !== 0;
  const refuse = (failure: Failure): void => {
    witness.failed(failure);
    // Node's code for bytes that are not HTTP/2.
    const isHttp1 = failure.code === "malformed";
    const text = isHttp1 ? `${origin.host} does not speak HTTP/2 (${failure.message})` : refusedText(origin, failure);
    proxy.notice(
      isHttp1 ? "client" : "agent",
      isHttp1 ? "no-http2" : "agent-unreachable",
      `${method} ${path}: ${text}`,
    );
    if (stream.closed || stream.destroyed || stream.headersSent) return void stream.close(NGHTTP2_INTERNAL_ERROR);
    stream.resume();
    if (isGrpc)
      stream.respond(
        {
          ":status": 200,
          "content-type": "application/grpc",
          "grpc-status": unavailable,
          "grpc-message": encodeURIComponent(`assay proxy: ${text}`),
        },
        { endStream: true },
      );
    else {
      stream.respond({ ":status": 502, "content-type": "text/plain; charset=utf-8" });
      stream.end(`assay proxy: ${text}\n`);
    }
  };
  upstream.http2(origin).then(
    (session) => {
      if (stream.destroyed)
        return witness.failed(fail("aborted", "the client cancelled the call before it was forwarded"));
      try {
        const onward = session.request(asOutgoing(head), { endStream: held ? false : endStream });
        if (held) {
          onward.end(held.body);
          if (held.faults.repeats()) repeat(head, held.body, origin, upstream.beside());
        }
        forward(stream, onward, {
          held,
          witness,
          session,
          endStream,
          refuse,
          tell: (text) => proxy.notice("agent", "agent-broke-off", `${path}: ${text}`),
        });
      } catch (error) {
        refuse(http2Failure(error as NodeJS.ErrnoException, 0));
      }
    },
    (error: NodeJS.ErrnoException) => refuse(http2Failure(error, 0)),
  );
}

const closedEarly = fail("closed-early", "the agent closed the connection before the response was complete");

interface Forwarding {
  readonly held: HeldRequest | undefined;
  readonly witness: ExchangeWitness;
  readonly session: ClientHttp2Session;
  readonly endStream: boolean;
  refuse(failure: Failure): void;
  tell(text: string): void;
}

function forward(
  stream: ServerHttp2Stream,
  onward: ClientHttp2Stream,
  { held, witness, session, endStream, refuse, tell }: Forwarding,
): void {
  let isAnswered = false;
  let isWhole = false;
  let trailers: HeaderPairs = [];
  // Node passes the ordered headers as a third argument, which its types lack.
  const on = (event: string, listener: (fields: HeaderPairs, flags: number) => void): unknown =>
    onward.on(event, (_fields: unknown, flags: number, raw: readonly string[]) => listener(pairsOf(raw), flags));

  if (!held) {
    pump(stream, onward, (chunk) => witness.request(chunk));
    stream.on("end", () => {
      if (!endStream) onward.end();
    });
  }
  on("response", (fields, flags) => {
    isAnswered = true;
    const isAll = (flags & NGHTTP2_FLAG_END_STREAM) !== 0;
    isWhole = isAll;
    const status = Number(fields.find(([name]) => name === ":status")?.[1]);
    witness.head(status, "", fields);
    if (stream.destroyed || stream.closed) return;
    if (held) {
      if (isAll) onward.resume();
      const answer = {
        status,
        statusText: "",
        headers: fields.filter(isOrdinary),
        body: onward,
        trailers: () => trailers,
      };
      return void deliver(answer, held.faults, stream, witness, isAll);
    }
    stream.respond(asOutgoing(fields), isAll ? { endStream: true } : { waitForTrailers: true });
    if (isAll) witness.ended([]);
  });
  // Without trailers, Node ends the stream as if it had not waited for any.
  stream.on("wantTrailers", () => stream.sendTrailers(asOutgoing(trailers)));
  on("trailers", (fields) => {
    trailers = fields;
    isWhole = true;
  });
  if (!held) pump(onward, stream, (chunk) => witness.body(chunk));
  onward.on("end", () => {
    const code = onward.rstCode ?? NGHTTP2_NO_ERROR;
    // A lost connection ends its streams as if each had been cancelled.
    if (!isAnswered || (!isWhole && (code !== NGHTTP2_NO_ERROR || session.destroyed))) return;
    isWhole = true;
    if (held) return;
    if (!stream.destroyed && stream.writable) stream.end();
    witness.ended(trailers);
  });
  let broken: NodeJS.ErrnoException | undefined;
  onward.on("error", (error) => {
    broken = error;
  });
  onward.on("close", () => {
    if (isWhole || stream.destroyed || stream.closed || held?.faults.isBroken) return;
    const code = onward.rstCode ?? NGHTTP2_NO_ERROR;
    const failure = broken ? http2Failure(broken, code) : session.destroyed ? closedEarly : resetFailure(code);
    // A lost connection becomes an error response; a reset stream is reset.
    if (!isAnswered && session.destroyed) return refuse(failure);
    tell(failure.message);
    witness.failed(failure);
    stream.close(code === NGHTTP2_NO_ERROR ? NGHTTP2_INTERNAL_ERROR : code);
  });
  stream.on("close", () => {
    if (isWhole && onward.closed) return;
    // A fault may still be sending a response that the agent has completed.
    if (!isWhole || held)
      witness.failed(fail("aborted", "the client cancelled the call before the response was complete"));
    const code = stream.rstCode ?? NGHTTP2_NO_ERROR;
    if (!onward.closed) onward.close(code === NGHTTP2_NO_ERROR ? NGHTTP2_CANCEL : code);
  });
}

const isOrdinary = ([name]: HeaderPairs[number]): boolean => !name.startsWith(":");

function replaced(name: string, value: string, origin: URL, path: string, keepHost: boolean): string {
  switch (name) {
    case ":authority":
    case "host":
      return keepHost ? value : origin.host;
    case ":scheme":
      return origin.protocol.slice(0, -1);
    case ":path":
      return path;
    default:
      return value;
  }
}
