import type { RpcFailure } from "../bindings/jsonrpc.ts";
import { A2AError, type ErrorName, errorDetails, errorTable } from "../errors.ts";
import { isObject, type JsonObject, type JsonValue } from "../json.ts";
import type { TaskState } from "../model.ts";
import { enumNames } from "../schemas/tables.ts";
import { writeState } from "./states.ts";

/**
 * Errors of the older dialects. Codes down to -32005 have always had the same meaning. Those beyond have had several,
 * so a code is read only inside its dialect. An error that a dialect lacks is sent as the nearest one it has; its 1.0
 * reason stays readable in `data` (an array of details in 1.0, an object before).
 */
export interface ErrorCodec {
  readError(failure: RpcFailure): A2AError;
  writeError(error: A2AError): RpcFailure;
}

interface ErrorWords {
  /** 1.0 errors that the dialect lacks, and their replacements */
  readonly instead: Partial<Record<ErrorName, ErrorName>>;
  /** codes with another meaning in this dialect */
  readonly meanings?: Readonly<Record<number, ErrorName>>;
  /** texts that the dialect prescribes; our text then moves into `data` */
  readonly texts?: Partial<Record<ErrorName, string>>;
  /** request members that have another name in this dialect, for example `message.contextId` */
  readonly fields?: Readonly<Record<string, string>>;
  /** nouns in our texts that have another name in this dialect */
  readonly nouns?: Readonly<Record<string, string>>;
}

const reasons = new Map<unknown, ErrorName>(
  Object.entries(errorTable).map(([name, { reason }]) => [reason, name as ErrorName]),
);

const names: Readonly<Record<number, ErrorName>> = Object.fromEntries(
  Object.entries(errorTable)
    .filter(([, row]) => !("transport" in row))
    .map(([name, { code }]) => [code, name as ErrorName]),
);

export function errorsWith({ instead, meanings = {}, texts = {}, fields = {}, nouns = {} }: ErrorWords): ErrorCodec {
  const inWords = (text: string): string =>
    Object.entries(nouns).reduce(
      (said, [noun, other]) => said.replaceAll(new RegExp(`\\b${noun}\\b`, "g"), other),
      text,
    );
  const means = (code: number): ErrorName | undefined => {
    const name = meanings[code] ?? names[code];
    return name !== undefined && (code in meanings || !(name in instead)) ? name : undefined;
  };
  return {
    readError(failure) {
      const { code, message, data } = innermost(failure);
      const { reason, detail, facts } = told(data);
      const kind = reasons.get(reason) ?? means(code);
      if (kind) return new A2AError(kind, detail ?? message, { facts });
      return new A2AError("Internal", message, { facts: { ...facts, code: String(code) } });
    },
    writeError(error) {
      const kind = instead[error.kind] ?? error.kind;
      const text = texts[kind];
      const message = inWords(error.message);
      return {
        code: errorTable[kind].code,
        message: text ?? message,
        data: { ...(text !== undefined && text !== message ? { detail: message } : {}), ...factsOf(error, fields) },
      };
    },
  };
}

/** Error codec of 1.0: `data` is the array of details, and every error has its code. */
export const errorsOfDetails: ErrorCodec = {
  ...errorsWith({ instead: {} }),
  writeError: (error) => ({ code: errorTable[error.kind].code, message: error.message, data: errorDetails(error) }),
};

/** Flattens the 1.0 details into one object, with states and members renamed for the dialect. */
function factsOf(error: A2AError, fields: Readonly<Record<string, string>>): JsonObject {
  const { reason, metadata, fieldViolations } = Object.assign({}, ...errorDetails(error)) as {
    reason: string;
    metadata?: Record<string, string>;
    fieldViolations?: { field: string; description: string }[];
  };
  const state = metadata?.["state"];
  return {
    reason,
    ...(metadata && { metadata: { ...metadata, ...(isState(state) && { state: writeState(state) }) } }),
    ...(fieldViolations && {
      fieldViolations: fieldViolations.map((each) => ({ ...each, field: fields[each.field] ?? each.field })),
    }),
  };
}

const isState = (value: string | undefined): value is TaskState =>
  enumNames("TaskState")?.includes(value ?? "") ?? false;

/** Unwraps errors of the JS 0.1 server, which wraps every error into an internal one. */
function innermost(failure: RpcFailure): RpcFailure {
  const inner = isObject(failure.data) ? failure.data["error"] : undefined;
  if (!isObject(inner)) return failure;
  const { code, message, data } = inner;
  if (typeof code !== "number" || typeof message !== "string") return failure;
  return { code, message, ...(data === undefined ? {} : { data: data as JsonValue }) };
}

/** Reads `data` in our own format, or in the details that 1.0 compatibility layers send to older clients. */
function told(data: JsonValue | undefined): {
  reason: unknown;
  detail: string | undefined;
  facts: Record<string, string>;
} {
  const details: JsonValue[] = Array.isArray(data) ? data : [data ?? null];
  const info = details.find((entry) => isObject(entry) && typeof entry["reason"] === "string");
  const { reason, detail, metadata } = (isObject(info) ? info : {}) as JsonObject;
  const facts = Object.entries((isObject(metadata) ? metadata : {}) as JsonObject).filter(
    (fact): fact is [string, string] => typeof fact[1] === "string",
  );
  return { reason, detail: typeof detail === "string" ? detail : undefined, facts: Object.fromEntries(facts) };
}
