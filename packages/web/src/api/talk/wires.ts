import {
  type AnswerOf,
  type Dialect,
  type JsonObject,
  type JsonValue,
  type Operation,
  type RequestOf,
  type StreamResponse,
  startExchange,
} from "@assay/protocol";
import type { WireText, WireView } from "@assay/viewer/documents";
import { createUnsentClients, dialectFor, openLine, type PeerInterface, Recording } from "@assay/wire";
import type { OpenWay } from "./agent-way.ts";

/** A request that was sent, with its answers. */
export interface SpokenTurn {
  readonly operation: Operation;
  /** in the form of 1.0 */
  readonly request: JsonObject;
  /** the interface that it was sent over */
  readonly on: PeerInterface;
  /** in the form of 1.0: the answer, or the events */
  readonly answers: readonly JsonValue[];
}

/** The bindings and versions that are always compared. Others are compared if the card lists them. */
const usual: readonly Pick<PeerInterface, "binding" | "dialect">[] = [
  { binding: "JSONRPC", dialect: "1.0" },
  { binding: "HTTP+JSON", dialect: "1.0" },
  { binding: "GRPC", dialect: "1.0" },
  { binding: "JSONRPC", dialect: "0.3" },
];

/** Returns the request for every binding and version. The real clients write it, but do not send it. */
export async function wiresOf(
  turn: SpokenTurn,
  interfaces: readonly PeerInterface[],
  way: OpenWay,
): Promise<readonly WireView[]> {
  const places = [...usual, ...interfaces].filter(
    (each, index, all) =>
      all.findIndex(({ binding, dialect }) => binding === each.binding && dialect === each.dialect) === index,
  );
  return Promise.all(
    places.map(async ({ binding, dialect }): Promise<WireView> => {
      const offered = interfaces.find((each) => each.binding === binding && each.dialect === dialect);
      const used = turn.on.binding === binding && turn.on.dialect === dialect;
      const place: PeerInterface = used ? turn.on : (offered ?? { url: exampleOf(turn.on, binding), binding, dialect });
      const request = await requestText(turn, place, way);
      return {
        binding,
        dialect,
        offered: offered !== undefined,
        used,
        ...(request && { request }),
        answers: request ? answerTexts(turn, place, dialectFor(binding, dialect)!) : [],
      };
    }),
  );
}

/** The example address for a binding that the card does not list. */
const exampleOf = ({ url }: PeerInterface, binding: PeerInterface["binding"]): string =>
  binding === "GRPC" ? new URL(url).origin : url;

async function requestText(
  { operation, request }: SpokenTurn,
  on: PeerInterface,
  { connection, credentials, headers, masker }: OpenWay,
): Promise<WireText | undefined> {
  const dialect = dialectFor(on.binding, on.dialect)!;
  if (dialect.methodOf(operation) === undefined) return undefined;
  const recording = new Recording();
  const clients = createUnsentClients({ ...connection, credentials, recording });
  const line = await openLine(clients, on, { headers });
  const params = paramsOf(dialect, operation, request, on);
  await line.call(operation, params);
  const [exchange] = recording.exchanges;
  if (!exchange) return undefined;
  const { http } = masker.exchange(exchange);
  const { pathname, search, host } = new URL(http.request.url);
  const isGrpc = on.binding === "GRPC";
  return {
    line: `${http.request.method} ${pathname}${search}`,
    headers: isGrpc
      ? http.request.headers
      : [
          ...(http.request.headers.some(([name]) => name.toLowerCase() === "host") ? [] : [["Host", host] as const]),
          ...http.request.headers,
        ],
    body: isGrpc
      ? text(masker.value(params))
      : http.request.body.length
        ? text(JSON.parse(Buffer.from(http.request.body).toString("utf8")) as JsonValue)
        : "",
    ...(isGrpc && {
      note: `protobuf, ${Math.max(0, http.request.body.length - frameHead)} bytes in one frame; shown here as ProtoJSON`,
    }),
  };
}

/** The length of the header before each gRPC message, in bytes. */
const frameHead = 5;

export const paramsOf = (
  dialect: Dialect,
  operation: Operation,
  request: JsonObject,
  { tenant }: PeerInterface,
  talk = startExchange(),
): JsonObject =>
  // The request of every operation is an object.
  dialect.writeRequest(
    operation,
    { ...(tenant === undefined ? {} : { tenant }), ...request } as RequestOf<Operation>,
    talk,
  ) as JsonObject;

/** Shows a response as this binding would have written it. */
function answerTexts({ operation, answers }: SpokenTurn, { binding }: PeerInterface, dialect: Dialect): string[] {
  const talk = startExchange();
  const enveloped = (json: JsonValue): string =>
    text(binding === "JSONRPC" ? { jsonrpc: "2.0", id: 1, result: json } : json);
  if (operation === "SendStreamingMessage" || operation === "SubscribeToTask")
    return answers.flatMap((event, index) =>
      dialect
        .writeEvents(event as unknown as StreamResponse, talk, { last: index === answers.length - 1 })
        .map(enveloped),
    );
  return answers.map((answer) =>
    enveloped(dialect.writeAnswer(operation, answer as unknown as AnswerOf<typeof operation>, talk)),
  );
}

const text = (json: unknown): string => JSON.stringify(json, undefined, 2);
