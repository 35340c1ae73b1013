import { type JsonObject, jsonObjectIn } from "@assay/protocol";
import type { CellFailure, CellStep, UnsealedCell } from "../document/cell.ts";
import type { ExchangeBreach, MatrixExchange } from "../document/evidence.ts";

/** A failed cell, sorted: the failed step, its exchanges, and the judged exchange. */
export interface SeenCell {
  readonly cell: UnsealedCell;
  readonly failure: CellFailure;
  readonly step: CellStep | undefined;
  /** the operation of the failed step, by its name in 1.0 */
  readonly operation: string;
  /** every exchange of the cell, in order */
  readonly evidence: readonly MatrixExchange[];
  /** those of the failed step */
  readonly own: readonly MatrixExchange[];
  /** the exchange whose response the expectation is about */
  readonly judged: MatrixExchange | undefined;
}

export function seenIn(cell: UnsealedCell, failure: CellFailure, evidence: readonly MatrixExchange[]): SeenCell {
  const step = cell.steps.find(({ id }) => id === failure.step);
  const named = new Set(step?.exchanges);
  const own = evidence.filter(({ id }) => named.has(id));
  const isCard = step?.op === "card";
  const judged =
    evidence.find(({ id }) => id === failure.exchange) ??
    own.findLast((each) => (isCard ? isCardFetch(each) : each.operation !== undefined));
  const operation = judged?.operation ?? operationNames[step?.op ?? ""] ?? step?.op ?? "the operation";
  return { cell, failure, step, operation, evidence, own, judged };
}

/** The 1.0 operations of driver ops. */
const operationNames: Readonly<Record<string, string>> = {
  card: "the request for the card",
  extendedCard: "GetExtendedAgentCard",
  send: "SendMessage",
  stream: "SendStreamingMessage",
  get: "GetTask",
  list: "ListTasks",
  cancel: "CancelTask",
  subscribe: "SubscribeToTask",
  "push.create": "CreateTaskPushNotificationConfig",
  "push.get": "GetTaskPushNotificationConfig",
  "push.list": "ListTaskPushNotificationConfigs",
  "push.delete": "DeleteTaskPushNotificationConfig",
};

const wellKnown = /\/\.well-known\/agent(?:-card)?\.json$/;

export const isCardFetch = ({ operation, entry }: MatrixExchange): boolean =>
  operation === undefined && entry.request.method === "GET" && wellKnown.test(new URL(entry.request.url).pathname);

/** Returns the card in an exchange; undefined if there is none. */
export function cardIn({ entry: { response } }: MatrixExchange): JsonObject | undefined {
  if (response.status !== 200 || response.content.encoding !== undefined) return undefined;
  return jsonObjectIn(response.content.text);
}

/** Returns the rules that one side breaks in an exchange, without warnings. */
export const failuresOf = (exchange: MatrixExchange | undefined, party: ExchangeBreach["party"]): ExchangeBreach[] =>
  exchange?.breaches.filter((each) => each.party === party && each.severity === "fail") ?? [];

/**
 * Returns why a response is incomplete: the code of the recording (`FailureCode` of wire) at the start of its
 * error.
 */
export const brokenBy = ({ entry }: MatrixExchange): string | undefined =>
  /^[a-z-]+(?=:)/.exec(entry.response._error ?? "")?.[0];

/** Reads the trailers, or the headers of a response with only an error. */
export const grpcStatusOf = ({ entry: { response } }: MatrixExchange): string | undefined =>
  [...response.headers, ...(response._trailers ?? [])].find(({ name }) => name === "grpc-status")?.value;

/** Returns the error in the first event of an HTTP+JSON stream, as written; undefined if there is none. */
export function errorEventIn({ interface: on, entry: { response } }: MatrixExchange): string | undefined {
  const { status, content } = response;
  const isStream = on?.binding === "HTTP+JSON" && status === 200 && /^text\/event-stream/i.test(content.mimeType);
  const first = isStream ? /^data:\s*(.*)/m.exec(content.text)?.[1] : undefined;
  return first !== undefined && /^\{\s*"error"/.test(first) ? first : undefined;
}
