import { isObject, type JsonObject } from "@assay/protocol";
import type { Cell, CellFailure, CellStep } from "../document/cell.ts";
import type { ExchangeBreach, MatrixExchange } from "../document/evidence.ts";

/** A failed cell, put in order: the step that failed, what crossed for it, and the exchange that was judged. */
export interface SeenCell {
  readonly cell: Cell;
  readonly failure: CellFailure;
  readonly step: CellStep | undefined;
  /** the operation of the failed step, by its name in 1.0 */
  readonly operation: string;
  /** every exchange of the cell, in their order */
  readonly evidence: readonly MatrixExchange[];
  /** those of the failed step */
  readonly own: readonly MatrixExchange[];
  /** whose answer the expectation is about */
  readonly judged: MatrixExchange | undefined;
}

export function seenIn(cell: Cell, failure: CellFailure, evidence: readonly MatrixExchange[]): SeenCell {
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

/** What the ops of drivers are called in 1.0. */
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

/** The card in an exchange; undefined where it is none. */
export function cardIn({ entry: { response } }: MatrixExchange): JsonObject | undefined {
  if (response.status !== 200 || response.content.encoding !== undefined) return undefined;
  try {
    const json: unknown = JSON.parse(response.content.text);
    return isObject(json) ? (json as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** The rules that one side breaks in an exchange, beyond a warning. */
export const failuresOf = (exchange: MatrixExchange | undefined, party: ExchangeBreach["party"]): ExchangeBreach[] =>
  exchange?.breaches.filter((each) => each.party === party && each.severity === "fail") ?? [];

/** Why an answer is not whole: the code of the recording (`FailureCode` of wire), which stands before its words. */
export const brokenBy = ({ entry }: MatrixExchange): string | undefined =>
  /^[a-z-]+(?=:)/.exec(entry.response._error ?? "")?.[0];
