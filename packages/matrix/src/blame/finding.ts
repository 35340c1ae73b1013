import type { JsonValue } from "@assay/protocol";
import type { BlameCode, BlameReason } from "../document/blame.ts";
import type { ExchangeBreach, MatrixExchange } from "../document/evidence.ts";
import type { placeOf } from "./place.ts";
import { ruleCited } from "./rule-cited.ts";
import { errorEventIn, grpcStatusOf, type SeenCell } from "./seen.ts";

/** The result of one blame rule. */
export interface BlameFinding {
  readonly code: BlameCode;
  /** distinguishes this cause from others of the same kind and party */
  readonly about: string;
  readonly title: string;
  readonly explanation: string;
  readonly reasons: readonly BlameReason[];
  readonly ambiguity?: string;
}

/** Examines a failed cell; undefined if it shows nothing. */
export type BlameRule = (seen: SeenCell) => BlameFinding | undefined;

/** Prefixes the operation, unless the message starts with it. */
export const titled = (operation: string, message: string): string =>
  message.startsWith(operation) ? message : `${operation}: ${message}`;

export const broken = (
  { rule, message, party }: ExchangeBreach,
  { id }: MatrixExchange,
  version: SeenCell["cell"]["version"],
): BlameReason => ({ says: message, exchange: id, ...citing(rule, version), party });

export function citing(rule: string, version: SeenCell["cell"]["version"]): Pick<BlameReason, "rule"> {
  const cited = ruleCited(rule, version);
  return cited ? { rule: cited } : {};
}

export const at = (answer: ReturnType<typeof placeOf>): Pick<BlameReason, "at"> => (answer ? { at: { answer } } : {});

/** Describes the program's actual result in a sentence. */
export function surfacedText({ step }: SeenCell): string {
  const answer = step?.answer;
  const events = answer?.events?.length ?? 0;
  if (!answer || answer.late)
    return `The program got ${events ? `${counted(events)}, but not the end of the stream,` : "nothing"} before its timeout.`;
  const { error } = answer;
  if (error) return `The program got an error${named(error)}: ${error.message}`;
  return answer.events ? `The program got ${counted(events)}.` : "The program got a result.";
}

const counted = (events: number): string => `${events} ${events === 1 ? "event" : "events"}`;

const named = ({ type, code }: NonNullable<CellStepError>): string => {
  const words = [type, code].filter((each) => each !== undefined).join(" ");
  return words === "" ? "" : ` (${words})`;
};

export type CellStepError = NonNullable<NonNullable<SeenCell["step"]>["answer"]>["error"];

/** Returns the error code in a body, in any format. */
export function codeWritten(body: string): number | undefined {
  const code = /"code"\s*:\s*(-?\d+)/.exec(body)?.[1];
  return code === undefined ? undefined : Number(code);
}

/** Unifies list positions: `events[3].status` and `events[5].status` are the same place. */
export const anyIndex = (path: string): string => path.replaceAll(/\[\d+\]/g, "[*]");

export const shown = (value: JsonValue): string => {
  const text = JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
};

/**
 * Returns true if the request was rejected as invalid: -32602, INVALID_ARGUMENT, or 400, as a status or in a
 * stream.
 */
export function isInvalid(exchange: MatrixExchange): boolean {
  const { response } = exchange.entry;
  if (exchange.interface?.binding === "GRPC") return grpcStatusOf(exchange) === "3";
  if (exchange.interface?.binding === "JSONRPC") return codeWritten(response.content.text) === -32602;
  return response.status === 400 || codeWritten(errorEventIn(exchange) ?? "") === 400;
}
