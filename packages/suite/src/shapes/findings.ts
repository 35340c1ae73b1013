import { enumNames, fieldsOf, type JsonValue } from "@assay/protocol";
import { brief } from "../answers/loose-json.ts";
import type { Call } from "../define/call.ts";
import { breach, broken, type Finding } from "../define/finding.ts";
import type { Deviation } from "./deviations.ts";
import { oldContent } from "./owners.ts";

/** Identifiers, which must not be empty. Other REQUIRED strings may be empty (§8.4.1). */
const ids: ReadonlySet<string> = new Set(["id", "taskId", "contextId", "messageId", "artifactId"]);

/** REQUIRED fields that serializers omit when empty, which no text forbids (AMB-09). */
const maybeOmitted: ReadonlySet<string> = new Set([
  "description",
  "organization",
  "tags",
  "defaultInputModes",
  "defaultOutputModes",
  "skills",
  "scopes",
]);

/** Reports a deviation in the same sentence everywhere; the place is a separate member. */
export function findingOf(deviation: Deviation, call: Call): Finding {
  const { kind, message, member, path, tail, value, within } = deviation;
  const name = member === "" ? message : `${message}.${member}`;
  const field = fieldsOf(message).find(({ json }) => json === member);
  const want = field ? wanted(field) : undefined;
  const saw = `${placeIn(call, path)}: ${value === undefined ? brief(within) : brief(value)}`;
  const details = { saw, spot: { within, tail }, at: call };
  switch (kind) {
    case "missing": {
      const sentence = `${name} is ${value === null ? "null" : "missing"}`;
      const more = { ...details, want: `${want}, which is required` };
      return breach(maybeOmitted.has(member) ? "empty-member-left-out" : "broken", sentence, more);
    }
    case "empty":
      // Protobuf writes no empty string, so over gRPC empty equals missing.
      if (ids.has(member))
        return broken(`${name} is ${call.on.binding === "GRPC" ? "missing" : "empty"}`, {
          ...details,
          want: `${want}, not empty`,
        });
      return breach(Array.isArray(value) ? "broken" : "empty-text", `${name} is empty`, {
        ...details,
        want: `${want}, not empty`,
      });
    case "null":
      return breach("null-member", `${name} is null`, { ...details, want: "the member omitted if it has no value" });
    case "snake":
      return broken(`${name} is written as ${field?.proto}`, { ...details, want: `the member ${member}` });
    case "type":
      return broken(`${name} is ${inWords(value)}`, { ...details, ...(want !== undefined && { want }) });
    case "enum":
      return broken(`${name} is not a value of ${field?.kind}`, { ...details, ...(want !== undefined && { want }) });
    case "unspecified":
      return breach(member === "state" ? "unspecified-state" : "broken", `${name} is unspecified`, {
        ...details,
        ...(want !== undefined && { want }),
      });
    case "format":
      return broken(`${name} is not ${want}`, { ...details, ...(want !== undefined && { want }) });
    case "none-of": {
      const old = oldContent.find((each) => message === "Part" && Object.hasOwn(within, each));
      const sentence = old ? `Part has ${old} instead of its content` : `${message} has none of ${choices(deviation)}`;
      return broken(sentence, { ...details, want: `exactly one of ${choices(deviation)}` });
    }
    case "several-of":
      return broken(`${message} has more than one of ${choices(deviation)}`, {
        ...details,
        want: "exactly one of them",
      });
  }
}

/** Adjusts a path: before 1.0, JSON-RPC carries a task or an event without the member that wraps it in 1.0. */
export const placeIn = ({ on }: Call, path: string): string =>
  on.dialect === "1.0" || on.binding !== "JSONRPC"
    ? path
    : path.replace(/^\$\.(?:task|message|statusUpdate|artifactUpdate)(?=\.|$)/, "$");

const choices = ({ message, member }: Deviation): string =>
  fieldsOf(message)
    .filter(({ oneof }) => oneof === member)
    .map(({ json }) => json)
    .join(", ");

function wanted({ kind, repeated, map }: { kind: string; repeated?: boolean; map?: boolean }): string {
  const names = enumNames(kind);
  const one = names ? `one of ${names.slice(1).join(", ")}` : (words[kind] ?? `an object (${kind})`);
  if (repeated) return `an array, each element ${one}`;
  return map ? `an object whose values are each ${one}` : one;
}

const words: Readonly<Record<string, string>> = {
  string: "a string",
  bool: "true or false",
  int32: "an integer",
  bytes: "a base64 string",
  timestamp: 'an ISO 8601 time in UTC such as "2026-03-12T09:30:00.000Z"',
  struct: "a JSON object",
};

function inWords(value: JsonValue | undefined): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "an array";
  const type = typeof value;
  if (type === "number" && !Number.isInteger(value)) return "a number with a fraction";
  return type === "object" ? "an object" : `a ${type}`;
}
