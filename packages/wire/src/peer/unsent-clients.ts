import { jsonObjectIn } from "@assay/protocol";
import { createDraft } from "../client/draft.ts";
import { asPermitted, type HttpClientOptions, type OpenedStream, withUserAgent } from "../client/http.ts";
import { assertSendable, type RequestSpec } from "../client/request-spec.ts";
import { readGrpcAddress } from "../grpc/address.ts";
import type { GrpcClientCall } from "../grpc/client-call.ts";
import { writeHead } from "../grpc/client-metadata.ts";
import { frame } from "../grpc/frame.ts";
import type { Exchange, HeaderPairs, HttpResponse } from "../recording/exchange.ts";
import { Recording } from "../recording/recording.ts";
import type { PeerClients } from "./clients.ts";

/**
 * Clients that record every request as it would be sent, with credentials where they may go, but send nothing: there is
 * no socket. Each request gets the response of an agent without tasks, so that the caller continues.
 */
export function createUnsentClients(options: HttpClientOptions): PeerClients {
  const { credentials, recording = new Recording({ keep: false }), userAgent } = options;

  function answered(spec: RequestSpec, response: HttpResponse, http2?: true): Exchange {
    const { bytesPerExchange } = recording;
    const draft = createDraft({ id: recording.issueId(), spec, bytesPerExchange, ...(http2 && { http2 }) });
    const exchange = draft.finish({ response });
    recording.finish(exchange);
    return exchange;
  }

  function ask(given: RequestSpec): Exchange {
    assertSendable(given);
    const spec = asPermitted(withUserAgent({ headers: [], ...given }, userAgent), credentials);
    return answered(spec, answerTo(spec));
  }

  return {
    http: {
      request: async (spec) => ask(spec),
      async stream(spec): Promise<OpenedStream> {
        const exchange = ask(spec);
        const head = exchange.http.response!;
        return { head, events: none(), finished: Promise.resolve(exchange), close() {} };
      },
      async close() {},
    },
    grpc: () => ({
      call({ url: address, path, metadata = [], message, timeoutMs }): GrpcClientCall {
        const url = readGrpcAddress(address);
        if (!url) throw new TypeError(`"${address}" is not a valid gRPC address. Write it as host:port.`);
        const shown = credentials?.permitted(url, metadata) ?? metadata;
        const headers = writeHead({ url, path, metadata: shown, timeoutMs, userAgent });
        const spec = { method: "POST", url: `${url.origin}${path}`, headers, body: frame(message) };
        return { messages: none(), finished: Promise.resolve(answered(spec, unknownOverGrpc, true)), cancel() {} };
      },
      close() {},
    }),
    async close() {},
  };
}

async function* none(): AsyncGenerator<never, void> {}

const said = "this request was recorded but not sent";

const responseOf = (status: number, headers: HeaderPairs, body = ""): HttpResponse => ({
  status,
  statusText: "",
  headers,
  trailers: [],
  body: Buffer.from(body),
  bodyTruncated: false,
});

const unknownOverGrpc = responseOf(200, [
  ["content-type", "application/grpc"],
  ["grpc-status", "5"],
  ["grpc-message", said],
]);

/** Returns "no such task", as JSON-RPC for a JSON-RPC call and as HTTP+JSON for anything else. */
function answerTo({ body }: RequestSpec): HttpResponse {
  const json: HeaderPairs = [["content-type", "application/json"]];
  const data = [
    { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "TASK_NOT_FOUND", domain: "a2a-protocol.org" },
  ];
  const id = body && idOfCall(body);
  if (id !== undefined)
    return responseOf(200, json, JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32001, message: said, data } }));
  const error = { code: 404, status: "NOT_FOUND", message: said, details: data };
  return responseOf(404, json, JSON.stringify({ error }));
}

function idOfCall(body: Uint8Array): unknown {
  const call = jsonObjectIn(body);
  return call && "jsonrpc" in call ? (call["id"] ?? null) : undefined;
}
