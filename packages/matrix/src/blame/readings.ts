import { isObject, type JsonObject } from "@assay/protocol";
import type { MatrixExchange } from "../document/evidence.ts";
import type { SeenCell } from "./seen.ts";

/** A place of the specification at which two sides that both keep to it do not understand each other. */
interface Disagreement {
  /** of docs/spec/ambiguities.md */
  readonly ambiguity: string;
  readonly says: string;
  fits(seen: SeenCell, judged: MatrixExchange): boolean;
}

/** What the checks of any traffic do not tell: each side is right by itself. */
export const disagreements: readonly Disagreement[] = [
  {
    ambiguity: "AMB-04",
    says: "the client subscribes with one verb and the server takes another: the text has POST, the proto GET",
    fits: (_, judged) => isRest(judged, "SubscribeToTask") && isStatus(judged, 404, 405, 501) && !isNamed(judged),
  },
  {
    ambiguity: "AMB-18",
    says: "the server refuses a media type that one of the texts of 1.0 gives to requests",
    fits: (_, judged) =>
      judged.interface?.binding === "HTTP+JSON" &&
      isStatus(judged, 415) &&
      /^application\/(?:a2a\+)?json\b/i.test(headerOf(judged, "content-type")),
  },
  {
    ambiguity: "AMB-50",
    says: "the client sends no body where all members are optional, and the server wants one",
    fits: (_, judged) =>
      (isRest(judged, "CancelTask") || isRest(judged, "SubscribeToTask")) &&
      judged.entry.request.method === "POST" &&
      judged.entry.request.postData === undefined &&
      isStatus(judged, 400, 411, 415, 422) &&
      !isNamed(judged),
  },
  {
    ambiguity: "AMB-37",
    says: "how much of a conversation an agent keeps in the history of a task is left to it; only the limit is firm",
    fits: ({ failure, step }) => {
      const limit = step?.params?.["historyLength"];
      const isAbout = /^(?:task\.)?history\b/.test(failure.path ?? "");
      return isAbout && typeof limit === "number" && limit > 0 && historyIn(step?.answer?.result) <= limit;
    },
  },
];

const isRest = ({ interface: on, operation }: MatrixExchange, name: string): boolean =>
  on?.binding === "HTTP+JSON" && on.dialect === "1.0" && operation === name;

const isStatus = ({ entry }: MatrixExchange, ...statuses: readonly number[]): boolean =>
  statuses.includes(entry.response.status);

/** Whether an error says by name which of the protocol it is. */
const isNamed = ({ entry }: MatrixExchange): boolean => /"reason"\s*:/.test(entry.response.content.text);

const headerOf = ({ entry }: MatrixExchange, field: string): string =>
  entry.request.headers.find(({ name }) => name.toLowerCase() === field)?.value ?? "";

function historyIn(result: unknown): number {
  const task = isObject(result) && isObject(result["task"]) ? (result["task"] as JsonObject) : result;
  const history = isObject(task) ? task["history"] : undefined;
  return Array.isArray(history) ? history.length : 0;
}
