import { setTimeout as wait } from "node:timers/promises";
import type { Handler } from "@assay/wire/server";
import { full, spec } from "../definition/divergence.ts";
import type { Layers } from "../definition/layers.ts";
import { changeBytes } from "../mutation/bytes.ts";
import { callWith } from "../mutation/grpc.ts";
import { changeAnswers, replyWith } from "../mutation/http.ts";

/** Agents whose HTTP looks like that of other servers and proxies. */

/** Sizes of the pieces, which split characters, lines, and line ends. */
const pieceSizes = [1, 2, 5, 3, 7, 11];

/** Sends every piece in a separate packet, as far as one process can. */
const inPieces = changeBytes(({ write, end }) => {
  let last = Promise.resolve();
  const cut = async (bytes: Buffer): Promise<void> => {
    for (let at = 0, turn = 0; at < bytes.length; turn++) {
      // A long response would take minutes in small pieces, so the rest follows as one piece.
      const size = turn < 60 ? pieceSizes[turn % pieceSizes.length]! : bytes.length - at;
      write(bytes.subarray(at, at + size));
      at += size;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const bytesOf = (piece: string | Buffer): Buffer => (typeof piece === "string" ? Buffer.from(piece) : piece);
  return {
    write(piece) {
      last = last.then(() => cut(bytesOf(piece)));
      return true;
    },
    end(piece = "") {
      void last.then(() => cut(bytesOf(piece))).then(() => end());
    },
  };
});

/** Sends complete responses without a length: in chunks, on a connection that closes afterwards. */
const chunked =
  (serve: Handler): Handler =>
  (request, reply) =>
    serve(
      request,
      replyWith(reply, {
        send(status, headers, body) {
          const { raw } = reply;
          if (body.length === 0) return reply.send(status, headers, body);
          raw.shouldKeepAlive = false;
          raw.writeHead(status, { ...headers });
          raw.write(body.slice(0, 20));
          raw.end(body.slice(20));
        },
      }),
    );

/** Ends responses with the connection, as HTTP/1.0 did. */
const untilClose =
  (serve: Handler): Handler =>
  (request, reply) => {
    const { raw } = reply;
    raw.shouldKeepAlive = false;
    raw.useChunkedEncodingByDefault = false;
    return serve(
      request,
      replyWith(reply, {
        send(status, headers, body) {
          if (body.length === 0) return reply.send(status, headers, body);
          // Without a length and without chunking, Node sends "Connection: close" and closes the connection.
          raw.writeHead(status, { ...headers });
          raw.end(body);
        },
      }),
    );
  };

const restStatuses: Record<string, number> = { POST: 201, DELETE: 204 };

export const httpVariants = [
  // Any network may split a stream like this.
  spec("split-bytes", "Responses and events arrive a few bytes at a time.", { http: inPieces }),

  // RFC 9112 §7.1 and §9.6.
  spec("chunked", "Responses are chunked, and the connection closes after each.", { http: chunked }),

  // RFC 9112 §6.3, the last rule.
  spec("until-close", "Responses and streams end when the connection closes.", { http: untilClose }),

  // AMB-05: the specification promises no response time, and proxies and cold starts cause delays.
  spec("slow-first-byte", "The first byte of any response takes a third of a second.", {
    http: (serve) => async (request, reply) => {
      await wait(333);
      return serve(request, reply);
    },
  }),

  // A14, AMB-13, AMB-15: JS 1.3.0 answers 201 to a created configuration and 204 to a deleted one.
  full("rest-201-204", "Over HTTP+JSON, creating a push configuration returns 201 and deleting it returns 204.", {
    http: changeAnswers((answer, { method, path }) => {
      const status = path.includes("/pushNotificationConfigs") ? restStatuses[method] : undefined;
      if (!status || answer.status !== 200) return answer;
      return { ...answer, status, body: status === 204 ? "" : answer.body };
    }),
  }),

  // A15, AMB-18: Python sends application/json, which the specification required before 1.0.1.
  spec("plain-json", "HTTP+JSON responses have Content-Type application/json with a charset.", {
    http: changeAnswers((answer) =>
      answer.headers["Content-Type"] === "application/a2a+json"
        ? { ...answer, headers: { ...answer.headers, "Content-Type": "application/json; charset=utf-8" } }
        : answer,
    ),
  }),

  // AMB-32: the specification does not state the HTTP status of a JSON-RPC error.
  spec("rpc-http-status", "JSON-RPC errors have HTTP status 400.", {
    http: changeAnswers((answer) =>
      answer.status === 200 && /^\{"jsonrpc":"2.0","id":[^{]*,"error":/.test(String(answer.body))
        ? { ...answer, status: 400 }
        : answer,
    ),
  }),

  // AMB-04: the text says POST, the annotation of the proto says GET. The Java and .NET SDKs serve POST only.
  spec("subscribe-by-post", "Over HTTP+JSON, SubscribeToTask accepts POST only.", subscribeBy("POST")),
  spec("subscribe-by-get", "Over HTTP+JSON, SubscribeToTask accepts GET only.", subscribeBy("GET")),
];

function subscribeBy(verb: "GET" | "POST"): Layers {
  return {
    http: (serve) => (request, reply) => {
      if (request.method === verb || !request.path.endsWith(":subscribe")) return serve(request, reply);
      const error = { code: 405, status: "UNIMPLEMENTED", message: `Only ${verb} is possible here` };
      reply.send(405, { Allow: verb, "Content-Type": "application/a2a+json" }, JSON.stringify({ error }));
    },
  };
}

/** Field 1999 with the value 7, which no A2A message defines. Protobuf readers keep or skip unknown fields. */
const unknownField = Uint8Array.of(0xf8, 0x7c, 0x07);

/** Agents whose gRPC looks like that of other implementations. */
export const grpcVariants = [
  // §5.7, applied to protobuf: proxies and newer .proto files add fields and metadata.
  spec("grpc-extras", "Over gRPC, messages have an unknown field, and metadata and trailers have extra names.", {
    grpc: (call) =>
      callWith(call, {
        start: (metadata) => call.start({ ...metadata, "x-request-id": "9f86d081" }),
        send: (message) => call.send(Buffer.concat([message, unknownField])),
        end: (status, message, trailers) => call.end(status, message, { ...trailers, "x-served-by": "assay" }),
      }),
  }),
];
