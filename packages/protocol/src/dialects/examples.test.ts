import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readRpcAnswer, writeCall } from "../bindings/jsonrpc.ts";
import { matchRouteV03, readQueryV03, readRestErrorV03, writeRestRequestV03 } from "../bindings/rest-v0.3.ts";
import { isObject, type JsonObject, type JsonValue, parseJson } from "../json.ts";
import type { Operation } from "../operations.ts";
import { validate } from "../schemas/validate.ts";
import { type OlderWire, validateDialect } from "./check.ts";
import type { Dialect } from "./dialect.ts";
import { startExchange } from "./exchange.ts";
import { type Release, releases } from "./releases.ts";
import { v01 } from "./v0.1/dialect.ts";
import { v02 } from "./v0.2/dialect.ts";
import { v03 } from "./v0.3/dialect.ts";
import { v03Proto } from "./v0.3-proto/dialect.ts";

interface Example {
  readonly file: string;
  readonly binding: string;
  readonly schema?: string;
  readonly proto?: string;
  readonly result?: string;
  readonly results?: string[];
  readonly error?: string;
  readonly each?: boolean;
  readonly since?: string;
  readonly http?: string;
}

const folder = new URL("../../examples/", import.meta.url);
const jsonOf = (file: string): JsonValue => parseJson(readFileSync(new URL(file, folder), "utf8"));
const manifest = jsonOf("manifest.json") as unknown as Example[];
const named = (examples: Example[]): [string, Example][] => examples.map((example) => [example.file, example]);

const folders: Record<string, Dialect> = { "v0.1": v01, "v0.2": v02, "v0.3": v03, "v0.3-rest": v03Proto };
const dialectOf = ({ file }: Example): Dialect => folders[file.split("/")[0]!]!;
const older = manifest.filter((example) => dialectOf(example) && (example.schema ?? example.proto));
const rpc = older.filter(({ binding }) => binding.startsWith("jsonrpc"));
const isRequest = ({ file }: Example) => file.includes(".request");

/** The payloads of a file, each with what it must be. */
function payloadsOf(example: Example): { wire: OlderWire; definition: string; json: JsonValue }[] {
  const wire = dialectOf(example).wire as OlderWire;
  const documents = example.each ? (jsonOf(example.file) as JsonObject[]) : [jsonOf(example.file) as JsonObject];
  return documents.flatMap((json, index) => {
    const result = example.results?.[index] ?? example.result;
    return [
      { wire, definition: example.schema ?? example.proto!.replace("v03:", ""), json },
      ...(result ? [{ wire, definition: result, json: json["result"]! }] : []),
      ...(example.error ? [{ wire, definition: example.error, json: json["error"]! }] : []),
    ];
  });
}

/** Proto names instead of camelCase: ProtoJSON, but not what a strict writer writes. */
const loose = "v0.3-rest/send.request.snake.json";

describe("an example of an older dialect is what the manifest says, strictly", () => {
  test.each(named(older.filter(({ file }) => file !== loose)))("%s", (_file, example) => {
    for (const { wire, definition, json } of payloadsOf(example)) {
      expect(validateDialect(wire, definition, json)).toEqual([]);
    }
  });

  const v02Examples = older.filter(({ file }) => file.startsWith("v0.2/"));
  test.each(named(v02Examples))("%s, in every release of 0.2 that has it", (file, example) => {
    // A null id came with 0.2.2, as the README of the examples says.
    const first = file.endsWith("error.parse.json") ? "0.2.2" : (example.since ?? "0.2.0");
    for (const release of releases.slice(0, -1) as Exclude<Release, "0.3">[]) {
      const violations = payloadsOf(example).flatMap(({ definition, json }) =>
        validateDialect(release, definition, json),
      );
      expect([release, violations.length > 0]).toEqual([release, release < first]);
    }
  });
});

/** Members that say what a message is made of by the user: anything goes inside. */
const freeForm = new Set(["metadata", "data", "params", "header"]);

/** Every member and element of a document with its path, down to where the user's own data begins. */
function* placesIn(
  json: JsonValue,
  path = "$",
  steps: (string | number)[] = [],
): Generator<{ path: string; steps: (string | number)[]; value: JsonValue }> {
  if (typeof json !== "object" || json === null) return;
  const entries = Array.isArray(json) ? [...json.entries()] : Object.entries(json);
  for (const [step, value] of entries) {
    const there =
      typeof step === "number"
        ? `${path}[${step}]`
        : /^\w+$/.test(step)
          ? `${path}.${step}`
          : `${path}[${JSON.stringify(step)}]`;
    yield { path: there, steps: [...steps, step], value };
    const ours = !freeForm.has(String(step)) || (step === "params" && steps.length === 0);
    if (ours) yield* placesIn(value, there, [...steps, step]);
  }
}

function changed(
  json: JsonValue,
  steps: (string | number)[],
  change: (holder: Record<string | number, JsonValue>, step: string | number) => void,
): JsonValue {
  const copy = structuredClone(json);
  const holder = steps
    .slice(0, -1)
    .reduce<unknown>((inner, step) => (inner as Record<string | number, unknown>)[step], copy);
  change(holder as Record<string | number, JsonValue>, steps.at(-1)!);
  return copy;
}

describe("a change to an example is noticed where it was made", () => {
  const examples = older.filter(({ file }) => file !== loose);

  test.each(named(examples))("%s: another type", (_file, example) => {
    for (const { wire, definition, json } of payloadsOf(example)) {
      for (const { path, steps, value } of placesIn(json)) {
        // The data of an error and the answer to a delete may be anything.
        if (path === "$.error.data" || path === "$.data") continue;
        const wrong = changed(json, steps, (holder, step) => {
          holder[step] = typeof value === "object" && value !== null ? "text" : {};
        });
        const paths = validateDialect(wire, definition, wrong).map((violation) => violation.path);
        expect([path, paths.some((found) => found === path)]).toEqual([path, true]);
      }
    }
  });

  test.each(named(examples))("%s: a member less", (_file, example) => {
    for (const { wire, definition, json } of payloadsOf(example)) {
      for (const { path, steps } of placesIn(json)) {
        if (typeof steps.at(-1) === "number") continue;
        const less = changed(json, steps, (holder, step) => {
          delete holder[step];
        });
        const holder = path.slice(0, path.lastIndexOf("."));
        // An event of 0.1 without its artifact looks like a status event without its status.
        if (wire === "0.1" && path === "$.result.artifact") continue;
        for (const violation of validateDialect(wire, definition, less)) {
          expect(violation.message.startsWith("needs exactly one of") ? [holder] : [path]).toContain(violation.path);
        }
      }
    }
  });
});

/** A file is called after its operation. */
const operationsByFile: Record<string, Operation> = {
  send: "SendMessage",
  stream: "SendStreamingMessage",
  get: "GetTask",
  cancel: "CancelTask",
  resubscribe: "SubscribeToTask",
  "push-set": "CreateTaskPushNotificationConfig",
  "push-create": "CreateTaskPushNotificationConfig",
  "push-get": "GetTaskPushNotificationConfig",
  "push-list": "ListTaskPushNotificationConfigs",
  "push-delete": "DeleteTaskPushNotificationConfig",
  "extended-card": "GetExtendedAgentCard",
};
const operationOf = ({ file }: Example): Operation => operationsByFile[file.split("/").at(-1)!.split(".")[0]!]!;

describe("a request over JSON-RPC is read without a finding and written again as it was", () => {
  test.each(named(rpc.filter(isRequest)))("%s", (file, example) => {
    const dialect = dialectOf(example);
    const json = jsonOf(file) as JsonObject;
    const operation = dialect.operationOf(json["method"] as string)!;
    expect(operation).toBe(operationOf(example));
    const { value, notes } = dialect.readRequest(operation, json["params"] ?? {});
    expect(notes).toBe(undefined);
    const written = dialect.writeRequest(operation, value as never) as JsonObject;
    const call = writeCall(json["id"] as string, dialect.methodOf(operation)!, written);
    expect(call).toEqual({ ...json, params: json["params"] ?? {} });
    expect(validateDialect(dialect.wire as OlderWire, example.schema!, call)).toEqual([]);
  });
});

describe("an answer over JSON-RPC is read without a finding and written again as it was", () => {
  test.each(named(rpc.filter((example) => !isRequest(example) && !example.error)))("%s", (file, example) => {
    const dialect = dialectOf(example);
    const operation = operationOf(example);
    const [reader, writer] = [startExchange(), startExchange()];
    const envelopes = example.each ? (jsonOf(file) as JsonValue[]) : [jsonOf(file)];
    for (const envelope of envelopes) {
      const { result } = readRpcAnswer(envelope) as { result: JsonValue };
      const reading = example.each ? dialect.readEvents(result, reader) : dialect.readAnswer(operation, result, reader);
      expect([reading.violations, reading.notes]).toEqual([undefined, undefined]);
      const written = example.each
        ? (reading.value as never[]).flatMap((event) => dialect.writeEvents(event, writer))
        : [dialect.writeAnswer(operation, reading.value as never, writer)];
      expect(written).toEqual([result]);
    }
  });
});

describe("an error is read for what it is", () => {
  test.each(named(rpc.filter(({ error }) => error)))("%s", (file, example) => {
    const dialect = dialectOf(example);
    const { failure } = readRpcAnswer(jsonOf(file)) as { failure: { code: number; message: string } };
    const error = dialect.readError(failure);
    const kinds: Record<string, string> = {
      JSONParseError: "Parse",
      AuthenticatedExtendedCardNotConfiguredError: "ExtendedAgentCardNotConfigured",
    };
    expect(error.kind).toBe(kinds[example.error!] ?? example.error!.replace("Error", ""));
    const written = dialect.writeError(error);
    expect(validateDialect(dialect.wire as OlderWire, example.error!, written)).toEqual([]);
    expect([written.code, written.message]).toEqual([failure.code, failure.message]);
  });
});

describe("a webhook body is a task", () => {
  test.each(named(older.filter(({ binding }) => binding === "webhook")))("%s", (file, example) => {
    const dialect = dialectOf(example);
    const { value } = dialect.readAnswer("GetTask", jsonOf(file));
    expect(dialect.writeAnswer("GetTask", value!)).toEqual(jsonOf(file));
  });
});

describe("a card is read, and written again without what no dialect can keep", () => {
  const lost = new Set(["signatures", "stateTransitionHistory"]);
  const kept = (json: JsonValue): JsonValue => {
    if (Array.isArray(json)) return json.map(kept);
    if (!isObject(json)) return json;
    const entries = Object.entries(json as JsonObject).filter(([name]) => !lost.has(name));
    return Object.fromEntries(entries.map(([name, value]) => [name, kept(value)]));
  };
  // The short words of 0.1's first cards come back as media types.
  const modes = { defaultInputModes: ["text/plain"], defaultOutputModes: ["text/plain", "application/json"] };

  test.each(named(older.filter(({ binding }) => binding === "discovery")))("%s", (file, example) => {
    const dialect = dialectOf(example);
    const { value, notes } = dialect.readCard(jsonOf(file));
    expect(notes).toBe(undefined);
    expect(validate("AgentCard", value)).toEqual([]);
    const expected = kept(jsonOf(file)) as JsonObject;
    expect(dialect.writeCard(value!)).toEqual({
      ...expected,
      ...modes,
      ...(dialect === v01 ? {} : { preferredTransport: "JSONRPC" }),
    });
  });

  test("the hybrid card is a card of 0.3 and reads as one", () => {
    const card = jsonOf("hybrid/card.v1.0+v0.3.json");
    expect(validateDialect("0.3", "AgentCard", card)).toEqual([]);
    expect(v03.readCard(card).value!.supportedInterfaces).toEqual([
      { url: "http://127.0.0.1:7110/rpc", protocolBinding: "JSONRPC", protocolVersion: "0.3" },
    ]);
  });
});

describe("0.3 over HTTP+JSON", () => {
  const rest = older.filter(({ binding }) => binding.startsWith("rest"));

  test.each(named(rest.filter(isRequest)))(
    "%s is read from path and body, and written as ProtoJSON",
    (file, example) => {
      const operation = operationOf(example);
      const body = jsonOf(file) as JsonObject;
      const [verb, target] = example.http!.split(" ") as [string, string];
      const match = matchRouteV03(verb, target) as { operation: Operation; members: JsonObject };
      expect(match.operation).toBe(operation);
      const { value, notes } = v03Proto.readRequest(operation, { ...body, ...match.members });
      expect(notes).toBe(undefined);
      const written = writeRestRequestV03(operation, v03Proto.writeRequest(operation, value as never) as JsonObject);
      // We always say whether we wait, and write camelCase.
      const camel = {
        message: { messageId: "m-0001", role: "ROLE_USER", content: [{ text: "high water at Whitby tomorrow" }] },
        configuration: { acceptedOutputModes: ["text/plain"], blocking: true },
      };
      const asWeWrite =
        file === loose ? camel : file.includes("all-parts") ? { ...body, configuration: { blocking: true } } : body;
      expect(written).toEqual({ verb, target, body: asWeWrite });
    },
  );

  test.each(named(rest.filter((example) => !isRequest(example))))(
    "%s is read and written again as it was",
    (file, example) => {
      const operation = operationOf(example);
      const bodies = example.each ? (jsonOf(file) as JsonValue[]) : [jsonOf(file)];
      for (const body of bodies) {
        const { value, notes } = v03Proto.readAnswer(operation, body);
        expect(notes).toBe(undefined);
        expect(v03Proto.writeAnswer(operation, value as never)).toEqual(body);
      }
    },
  );

  test.each(named(rest.filter((example) => !isRequest(example) && example.http)))(
    "%s answers the request line",
    (_file, example) => {
      const [verb, target] = example.http!.split(" ") as [string, string];
      const [path, query = ""] = target.split("?") as [string, string?];
      const { operation, members } = matchRouteV03(verb, path) as { operation: Operation; members: JsonObject };
      expect(operation).toBe(operationOf(example));
      const { value } = v03Proto.readRequest(operation, { ...readQueryV03(operation, query), ...members });
      const written = writeRestRequestV03(operation, v03Proto.writeRequest(operation, value as never) as JsonObject);
      expect([written.verb, written.target]).toEqual([verb, target]);
    },
  );

  test("every error body that SDKs send is understood", () => {
    const seen = jsonOf("v0.3-rest/error.bodies-seen.json") as unknown as Record<
      string,
      { status: number; body: JsonValue }
    >;
    for (const { status, body } of Object.values(seen))
      expect(readRestErrorV03(status, body)?.kind).toBe("TaskNotFound");
  });
});
