import { isObject, type JsonObject } from "@assay/protocol";
import type { MatrixExchange } from "../document/evidence.ts";
import type { CellStepError } from "./finding.ts";
import { requestAsWritten } from "./request-on-wire.ts";
import { grpcStatusOf, type SeenCell } from "./seen.ts";

/** A place of the specification where two conformant sides do not understand each other. */
interface Disagreement {
  /** of docs/spec/ambiguities.md */
  readonly ambiguity: string;
  readonly says: string;
  fits(seen: SeenCell, judged: MatrixExchange): boolean;
}

/**
 * Cases that the traffic checks cannot detect, because each side is right by itself. Here the response
 * differs from the expected one.
 */
export const otherAnswers: readonly Disagreement[] = [
  {
    ambiguity: "AMB-04",
    says: "the client subscribes with one HTTP method and the server accepts another: the text has POST, the proto GET",
    fits: (_, judged) => isRest(judged, "SubscribeToTask") && isStatus(judged, 404, 405, 501) && !isNamed(judged),
  },
  {
    ambiguity: "AMB-18",
    says: "the server rejects a media type that one of the texts of 1.0 gives to requests",
    fits: (_, judged) =>
      judged.interface?.binding === "HTTP+JSON" &&
      isStatus(judged, 415) &&
      /^application\/(?:a2a\+)?json\b/i.test(headerOf(judged, "content-type")),
  },
  {
    ambiguity: "AMB-50",
    says: "the client sends no body because all members are optional, and the server requires one",
    fits: (_, judged) =>
      (isRest(judged, "CancelTask") || isRest(judged, "SubscribeToTask")) &&
      judged.entry.request.method === "POST" &&
      judged.entry.request.postData === undefined &&
      isStatus(judged, 400, 411, 415, 422) &&
      !isNamed(judged),
  },
  {
    ambiguity: "AMB-05",
    says: "the client does not say whether it wants to wait, and 0.3 does not define the default",
    fits: ({ step }, judged) =>
      judged.operation === "SendMessage" &&
      isOld(judged) &&
      valueAt(step?.params, "configuration", "returnImmediately") === undefined &&
      valueAt(requestAsWritten(judged), "configuration", "blocking") === undefined &&
      atWork.has(valueAt(step?.answer?.result, "task", "status", "state")),
  },
  {
    ambiguity: "AMB-51",
    says: "the specification leaves the metadata of a request to the server",
    fits: ({ failure }, judged) => judged.operation === "CancelTask" && /^metadata\b/.test(failure.path ?? ""),
  },
  {
    ambiguity: "AMB-52",
    says: "0.3 does not define how A2A errors look over HTTP+JSON and gRPC",
    fits: ({ failure }, judged) => failure.code === "other-error" && isErrorOfOld(judged),
  },
  {
    ambiguity: "AMB-37",
    says: "an agent decides how much of a conversation it keeps in the history of a task; only the limit is fixed",
    fits: ({ failure, step }) => {
      const limit = step?.params?.["historyLength"];
      const isAbout = /^(?:task\.)?history\b/.test(failure.path ?? "");
      return isAbout && typeof limit === "number" && limit > 0 && historyIn(step?.answer?.result) <= limit;
    },
  },
];

/** Here the response may mean the expected one, and the client reads it differently, without a crash of its own. */
export const otherUnderstandings: readonly Disagreement[] = [
  {
    ambiguity: "AMB-53",
    says: "the server answers with another success status than 200 over HTTP+JSON, and no text defines the status",
    fits: ({ failure, step }, { interface: on, entry: { response } }) =>
      failure.code === "unexpected-error" &&
      step?.answer?.error !== undefined &&
      !hasReadBody(step.answer.error) &&
      on?.binding === "HTTP+JSON" &&
      response.status > 200 &&
      response.status < 300,
  },
  {
    ambiguity: "AMB-32",
    says: "a JSON-RPC stream is rejected with plain JSON, and the specification does not say how to send such an error",
    fits: ({ failure }, { operation = "", interface: on, entry: { response } }) =>
      isOtherError(failure) &&
      on?.binding === "JSONRPC" &&
      streaming.has(operation) &&
      !/^text\/event-stream/i.test(response.content.mimeType),
  },
  {
    ambiguity: "AMB-52",
    says: "0.3 does not define how A2A errors look over HTTP+JSON and gRPC",
    fits: (seen, judged) => isOtherError(seen.failure) && isErrorOfOld(judged) && !isContradicted(seen.failure, judged),
  },
];

/** Returns true if the response names the expected error by its reason, and the client reports another one. */
function isContradicted({ code, expected = "" }: SeenCell["failure"], { entry }: MatrixExchange): boolean {
  const reason = expected
    .replace(/Error$/, "")
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_")
    .toUpperCase();
  const named = /"reason"\s*:\s*"([A-Z_]+)"/.exec(entry.response.content.text)?.[1];
  return code === "other-error" && named !== undefined && named === reason;
}

/** Exceptions that a program never raises on purpose: they say nothing about the error of the agent. */
const crashes =
  /NullPointerException|UnsupportedOperationException|ClassCastException|IndexOutOfBounds|AttributeError|KeyError|nil pointer|index out of range|panicked at|Cannot read propert|is not a function/;

/** Returns true if the client reports no error of the agent, but its own mistake while it read one. */
export const isCrash = ({ step }: SeenCell): boolean => {
  const error = step?.answer?.error;
  return error !== undefined && crashes.test(`${error.type ?? ""} ${error.message}`);
};

/** Returns true if the client failed on the content of a response, so that it had accepted its status. */
const hasReadBody = ({ message }: NonNullable<CellStepError>): boolean =>
  /InvalidProtocolBufferException|payload validation/.test(message);

/** Returns true if the program got an error, but not this one. */
const isOtherError = ({ code }: SeenCell["failure"]): boolean =>
  code === "other-error" || code === "error-not-surfaced";

const streaming = new Set(["SendStreamingMessage", "SubscribeToTask"]);

const isOld = ({ interface: on }: MatrixExchange): boolean => on !== undefined && on.dialect !== "1.0";

const atWork = new Set<unknown>(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"]);

/**
 * gRPC statuses that a client's request does not cause by itself: UNKNOWN, INTERNAL, UNAVAILABLE, DATA_LOSS.
 */
const breakdowns = new Set(["0", "2", "13", "14", "15"]);

/** Returns true for an error of 0.3 whose format no text defines. An internal failure does not count. */
function isErrorOfOld(judged: MatrixExchange): boolean {
  if (!isOld(judged)) return false;
  const { binding } = judged.interface!;
  const { status } = judged.entry.response;
  if (binding === "HTTP+JSON") return (status >= 400 && status < 500) || status === 501;
  return binding === "GRPC" && !breakdowns.has(grpcStatusOf(judged) ?? "0");
}

const isRest = ({ interface: on, operation }: MatrixExchange, name: string): boolean =>
  on?.binding === "HTTP+JSON" && operation === name;

const isStatus = ({ entry }: MatrixExchange, ...statuses: readonly number[]): boolean =>
  statuses.includes(entry.response.status);

/** Returns true if an error names its A2A reason. */
const isNamed = ({ entry }: MatrixExchange): boolean => /"reason"\s*:/.test(entry.response.content.text);

const headerOf = ({ entry }: MatrixExchange, field: string): string =>
  entry.request.headers.find(({ name }) => name.toLowerCase() === field)?.value ?? "";

function historyIn(result: unknown): number {
  const task = isObject(result) && isObject(result["task"]) ? (result["task"] as JsonObject) : result;
  const history = isObject(task) ? task["history"] : undefined;
  return Array.isArray(history) ? history.length : 0;
}

const valueAt = (value: unknown, ...names: readonly string[]): unknown =>
  names.reduce((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
