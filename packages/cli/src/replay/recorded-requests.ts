import { isObject, type JsonValue, jsonIn } from "@assay/protocol";
import { grpcMessagesIn } from "@assay/protocol/grpc";
import type { ExchangeRecorded, RunEvent } from "@assay/suite/report";
import { answersIn } from "./answers.ts";
import { idsIn } from "./renewed-ids.ts";

/** A request of a recorded run, with the requests that must precede it. */
export interface RecordedRequest {
  readonly exchange: ExchangeRecorded;
  /** the body, if it is JSON; for gRPC, the equivalent JSON */
  readonly body: JsonValue | undefined;
  readonly answers: readonly JsonValue[];
  /** milliseconds since the first request of the run */
  readonly startedAt: number;
  readonly endedAt: number;
  /** indexes of earlier requests that gave it its ids, or changed its task */
  readonly rests: readonly number[];
  /** indexes of earlier requests about the same task that had ended when it was sent */
  readonly follows: readonly number[];
  /** the ids that first appeared in its response */
  readonly gives: ReadonlySet<string>;
}

/** Returns the requests of a run in the order in which they were sent. */
export function requestsOf(events: readonly RunEvent[]): RecordedRequest[] {
  const exchanges = events.filter((event) => event.event === "exchange").filter(isWhole);
  const first = Math.min(...exchanges.map(({ entry }) => Date.parse(entry.startedDateTime)));
  const inOrder = exchanges
    .map((exchange) => {
      const startedAt = Date.parse(exchange.entry.startedDateTime) - first;
      const answers = answersIn(exchange.entry);
      return { exchange, body: bodyOf(exchange), answers, startedAt, endedAt: startedAt + exchange.entry.time };
    })
    .sort((a, b) => a.startedAt - b.startedAt || numberOf(a.exchange) - numberOf(b.exchange));
  const given = givers(inOrder);
  const gifts = inOrder.map(() => new Set<string>());
  for (const [id, index] of given) gifts[index]!.add(id);
  return inOrder.map((request, index) => ({
    ...request,
    ...linksOf(index, inOrder, given),
    gives: gifts[index]!,
  }));
}

/** Skips events that are not exchanges, because people may edit the file. */
const isWhole = ({ id, entry }: ExchangeRecorded): boolean =>
  typeof id === "string" &&
  typeof entry?.request?.url === "string" &&
  Array.isArray(entry.request.headers) &&
  typeof entry.response?.content?.text === "string" &&
  Array.isArray(entry.response.headers) &&
  !Number.isNaN(Date.parse(entry.startedDateTime));

type Unlinked = Omit<RecordedRequest, "rests" | "follows" | "gives">;

const numberOf = ({ id }: ExchangeRecorded): number => Number(id.replace(/\D/g, ""));

function bodyOf({ entry: { request } }: ExchangeRecorded): JsonValue | undefined {
  const { postData, url } = request;
  if (!postData) return undefined;
  if (!/^application\/grpc/i.test(postData.mimeType)) return jsonIn(postData.text);
  return grpcMessagesIn(Buffer.from(postData.text, postData._encoding ?? "utf8"), url, "request")?.[0];
}

/** Members that may also contain a name for people, such as the name of an artifact. */
const perhapsWords = new Set(["name", "parent"]);

/**
 * Maps each id to the request whose response contained it first. A list may contain a task before its sender receives
 * it.
 */
function givers(requests: readonly Unlinked[]): Map<string, number> {
  const given = new Map<string, number>();
  const isSend = ({ exchange }: Unlinked): boolean => /^Send/.test(exchange.operation ?? "");
  const places = [...requests.keys()];
  const sends = places.filter((index) => isSend(requests[index]!));
  const others = places
    .filter((index) => !isSend(requests[index]!))
    .sort((a, b) => requests[a]!.endedAt - requests[b]!.endedAt);
  for (const index of [...sends, ...others]) {
    const { answers, body } = requests[index]!;
    const own = new Set(body === undefined ? [] : idsIn(body).map(({ id }) => id));
    for (const { id, member } of answers.flatMap(idsIn))
      if (!own.has(id) && !given.has(id) && !perhapsWords.has(member)) given.set(id, index);
  }
  return given;
}

/** Operations that do not change a task. */
const readers = new Set([
  "GetTask",
  "ListTasks",
  "SubscribeToTask",
  "GetTaskPushNotificationConfig",
  "ListTaskPushNotificationConfigs",
  "GetExtendedAgentCard",
]);

function linksOf(
  index: number,
  requests: readonly Unlinked[],
  given: ReadonlyMap<string, number>,
): Pick<RecordedRequest, "rests" | "follows"> {
  const { exchange, body, startedAt } = requests[index]!;
  const [rests, follows] = [new Set<number>(), new Set<number>()];
  for (const id of idsNamed(exchange.entry.request.url, body)) {
    const giver = given.get(id);
    if (giver === undefined || giver >= index) continue;
    rests.add(giver);
    for (let other = giver + 1; other < index; other++) {
      const before = requests[other]!;
      const { operation, entry } = before.exchange;
      if (before.endedAt > startedAt || !idsNamed(entry.request.url, before.body).has(id)) continue;
      follows.add(other);
      if (operation !== undefined && !readers.has(operation)) rests.add(other);
    }
  }
  const inOrder = (places: Set<number>): number[] => [...places].sort((a, b) => a - b);
  return { rests: inOrder(rests), follows: inOrder(follows) };
}

/** Returns the ids in a request, from its body and its URL. */
const idsNamed = (url: string, body: JsonValue | undefined): Set<string> =>
  new Set([
    ...(isObject(body) ? idsIn(body).map(({ id }) => id) : []),
    ...url.split(/[/?&=:]/).filter((part) => part.length > 3),
  ]);

/** Selects the requests that prove the verdict on a rule, and those they depend on. */
export function evidenceFor(rule: string, events: readonly RunEvent[], requests: readonly RecordedRequest[]): number[] {
  const proof = new Set(
    events.flatMap((event) =>
      event.event === "check-finished" && event.result.test === rule ? event.result.evidence : [],
    ),
  );
  const chosen = new Set<number>();
  const add = (index: number): void => {
    if (chosen.has(index)) return;
    chosen.add(index);
    for (const other of requests[index]!.rests) add(other);
  };
  for (const [index, { exchange }] of requests.entries()) if (proof.has(exchange.id)) add(index);
  return [...chosen].sort((a, b) => a - b);
}
