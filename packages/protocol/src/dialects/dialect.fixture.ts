import { withoutDefaults } from "../arbitraries.fixture.ts";
import { messages } from "../generated/fields.ts";
import type { Messages } from "../generated/model.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { isStreaming, type Operation, operations } from "../operations.ts";
import type { Dialect } from "./dialect.ts";
import { startExchange } from "./exchange.ts";
import type { Loss } from "./loss.fixture.ts";
import { releases } from "./releases.ts";
import { v01 } from "./v0.1/dialect.ts";
import { dialectFor, v03 } from "./v0.3/dialect.ts";
import { v03Proto } from "./v0.3-proto/dialect.ts";
import { v10 } from "./v1.0/dialect.ts";

/** Every wire format that we support, newest first. */
export const dialectsUnderTest: readonly Dialect[] = [
  v10,
  v03,
  v03Proto,
  ...releases.slice(0, -1).toReversed().map(dialectFor),
  v01,
];

/** One canonical payload, and the operation that carries it. */
export interface Case {
  readonly name: string;
  readonly is: "request" | "answer";
  readonly operation: Operation;
  readonly value: JsonObject;
}

export const messageOfCase = ({ is, operation }: Pick<Case, "is" | "operation">): keyof Messages =>
  operations[operation][is]!;

/** Writes a payload in the dialect and reads it back, with separate exchanges, as a client and a server do. */
export function roundTrip(dialect: Dialect, { is, operation, value }: Omit<Case, "name">): JsonObject {
  const json = throughText(written(dialect, { is, operation, value }));
  const exchange = startExchange(() => "minted");
  exchange.introduced = true;
  const reading =
    is === "request" ? dialect.readRequest(operation, json, exchange) : dialect.readAnswer(operation, json, exchange);
  if (reading.violations) throw new Error(`${dialect.wire} ${operation}: ${JSON.stringify(reading.violations)}`);
  if (reading.notes) throw new Error(`${dialect.wire} ${operation} was not strict: ${JSON.stringify(reading.notes)}`);
  return reading.value as JsonObject;
}

export function written(dialect: Dialect, { is, operation, value }: Omit<Case, "name">): JsonValue {
  const exchange = startExchange(() => "minted");
  return is === "request"
    ? dialect.writeRequest(operation, value as never, exchange)
    : dialect.writeAnswer(operation, value as never, exchange);
}

const throughText = (json: JsonValue): JsonValue => JSON.parse(JSON.stringify(json)) as JsonValue;

/** Returns true if the dialect can express this payload. */
export const carries = (dialect: Dialect, { is, operation, value }: Omit<Case, "name">): boolean =>
  dialect.methodOf(operation) !== undefined &&
  // 0.1 has no task among its events. v0.1/event.test.ts tests its conversion.
  !(dialect.wire === "0.1" && is === "answer" && isStreaming(operation) && ("task" in value || "message" in value));

/** Returns the value as protobuf prints it, after the losses of a wire. They apply to the innermost members first. */
export function afterLosses(name: keyof Messages, value: JsonObject, losses: readonly Loss[]): JsonObject {
  return forget(name, withoutDefaults(name, value), losses);
}

function forget(name: string, value: JsonObject, losses: readonly Loss[]): JsonObject {
  const result: JsonObject = { ...value };
  for (const { json, kind, map, repeated } of messages[name as keyof Messages]) {
    const inner = (entry: JsonValue): JsonValue => forget(kind, entry as JsonObject, losses);
    const member = result[json];
    if (member === undefined || !(kind in messages)) continue;
    if (repeated) result[json] = (member as JsonValue[]).map(inner);
    else if (map) result[json] = mapValues(member as JsonObject, inner);
    else result[json] = inner(member);
  }
  for (const loss of losses) {
    const [message, member] = loss.at.split(".") as [string, string];
    if (message !== name) continue;
    if ((result[member] === undefined) !== (loss.gains ?? false)) continue;
    if (loss.when && !loss.when(result[member], result)) continue;
    const left = loss.becomes?.(result[member], result);
    if (left === undefined) delete result[member];
    else result[member] = left;
  }
  return result;
}

const mapValues = (object: JsonObject, change: (entry: JsonValue) => JsonValue): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, entry]) => [name, change(entry)]));
