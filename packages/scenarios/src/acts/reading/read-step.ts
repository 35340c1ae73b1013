import { defined, isObject, type JsonObject, type JsonValue } from "@assay/protocol";
import { isMap, type Node } from "yaml";
import { errorTypes, protocolErrorType } from "../error-types.ts";
import {
  type AbstractOperation,
  abstractOperations,
  type CollectionMatch,
  type EventExpectation,
  type Expect,
  type ExpectError,
  type ExpectStream,
  extensionKey,
  type NamedAssertion,
  type Repeat,
  type Step,
} from "../model.ts";
import { readCondition } from "../values/until.ts";
import type { ActsPage } from "./page.ts";
import { readExpectation } from "./read-expectation.ts";
import { readAnswerExtension, readSince, readStepExtension } from "./read-extension.ts";
import { RecordReader } from "./record.ts";

/** Rule `push-operation-names`. */
const otherNames: Readonly<Record<string, AbstractOperation>> = {
  set_push_notification_config: "create_push_config",
  create_push_notification_config: "create_push_config",
  get_push_notification_config: "get_push_config",
  list_push_notification_configs: "list_push_configs",
  delete_push_notification_config: "delete_push_config",
};

export function readStep(page: ActsPage, node: Node): Step | undefined {
  const step = new RecordReader(page, node, "a step");
  if (!step.isRecord) return undefined;
  const base = { id: step.requiredText("id"), at: page.at(node) };
  step.text("description");
  const read = readKind(page, step, base);
  step.close();
  return read;
}

type Base = Pick<Step, "id" | "at">;

function readKind(page: ActsPage, step: RecordReader, base: Base): Step | undefined {
  if (step.has("operation")) return readOperation(page, step, base);
  if (step.has("raw")) return readRaw(page, step, base);
  if (step.has("client_response")) return readClient(page, step, base);
  if (step.has("assertion")) {
    const assertion = readAssertion(page, step.take("assertion")!);
    return { is: "assertion", ...base, assertions: assertion ? [assertion] : [] };
  }
  return page.wrong(step.node, "a step: expected one of operation, raw, client_response or assertion, found none");
}

function readOperation(page: ActsPage, step: RecordReader, base: Base): Step {
  const named = readOperationName(page, step.take("operation")!);
  step.require("params");
  const params = readJson(page, step.take("params")) ?? {};
  if (!isObject(params)) page.wrong(step.take("params"), "params: expected names with values");
  // An object read as JSON is a JSON object.
  const given = (isObject(params) ? params : {}) as JsonObject;
  const isExtended = named === "get_agent_card" && given["extended"] === true;
  if (isExtended) page.apply("extended-card-by-parameter", step.take("params")!);
  const { extended: _, ...withoutExtended } = given;
  const repeat = readRepeat(page, step.take("repeat"));
  const delayMs = step.count("delay_ms");
  return {
    is: "operation",
    ...base,
    operation: isExtended ? "get_extended_agent_card" : named,
    params: isExtended ? withoutExtended : given,
    ...readAnswer(page, step),
    ...defined({ repeat, delayMs }),
  };
}

function readOperationName(page: ActsPage, node: Node): AbstractOperation {
  const text = page.text(node) ?? "";
  const known = abstractOperations.find((each) => each === text);
  if (known) return known;
  const other = Object.hasOwn(otherNames, text) ? otherNames[text] : undefined;
  if (other) {
    page.apply("push-operation-names", node);
    return other;
  }
  page.wrong(node, `operation: expected one of ${abstractOperations.join(", ")}, found ${page.shown(node)}`);
  return "get_agent_card";
}

function readRaw(page: ActsPage, step: RecordReader, base: Base): Step {
  const raw = new RecordReader(page, step.take("raw"), "raw");
  raw.require("method", "path");
  const body = readJson(page, raw.take("body"));
  const bodyRaw = raw.text("body_raw");
  const read = {
    method: raw.choice("method", ["GET", "POST", "PUT", "DELETE"]) ?? "GET",
    path: raw.text("path") ?? "/",
    headers: raw.map("headers"),
    ...defined({ body, bodyRaw }),
  };
  raw.close();
  const stream = step.take("expect_stream");
  if (stream) page.apply("stream-of-a-raw-step", stream);
  return { is: "raw", ...base, ...read, ...readAnswer(page, step, { isRaw: true }) };
}

function readClient(page: ActsPage, step: RecordReader, base: Base): Step {
  const response = new RecordReader(page, step.take("client_response"), "client_response");
  response.require("operation", "wire_payload");
  const operation = response.has("operation") ? readOperationName(page, response.take("operation")!) : "get_task";
  const payload = readJson(page, response.take("wire_payload")) ?? null;
  response.close();
  step.require("expect_parsed");
  const expected = step.take("expect_parsed");
  return {
    is: "client",
    ...base,
    operation,
    payload,
    expectParsed: expected
      ? readExpectation(page, expected)
      : { is: "shape", operators: [], members: [], at: page.at(step.node) },
    assertions: readAssertions(page, step),
  };
}

/** Reads the expected response of a step that sends a request. */
function readAnswer(page: ActsPage, step: RecordReader, { isRaw = false } = {}) {
  const expect = readExpect(page, step.take("expect"), isRaw);
  const error = step.take("expect_error");
  const expectError = error ? readExpectError(page, error) : expect?.error;
  if (error && step.has("expect")) page.wrong(error, "expect_error: expected either this or expect, found both");
  const stream = step.take("expect_stream");
  const expectStream = stream && readExpectStream(page, stream, isRaw);
  return {
    ...readStepExtension(page, step),
    ...(expect && !expect.error && { expect: expect.block }),
    ...defined({ expectError, expectStream }),
    captures: step.map("capture"),
    assertions: readAssertions(page, step),
  };
}

function readExpect(
  page: ActsPage,
  node: Node | undefined,
  isRaw: boolean,
): { block: Expect; error?: ExpectError } | undefined {
  if (!node) return undefined;
  const expect = new RecordReader(page, node, "expect");
  const status = expect.take("status");
  const body = expect.take("body");
  const ours = readAnswerExtension(page, expect);
  const rest = expect.rest();
  const error = rest.find(([name]) => name === "error")?.[1];
  if (!isRaw && error && (!status || page.text(status) === "error")) {
    page.apply("error-in-expect", error);
    expect.take("error");
    expect.close();
    return { block: {}, error: {} };
  }
  if (status && page.text(status) === "error")
    page.wrong(status, 'expect.status: expected a number or a map of operators, found "error"');
  const block: Expect = {
    ...(status && { status: readExpectation(page, status) }),
    ...(body && { body: readExpectation(page, body) }),
    ...ours,
  };
  if (!rest.length || isRaw || body) {
    expect.close();
    return { block };
  }
  page.apply("body-beside-status", rest[0]![1]);
  const members = rest.map(([name, value]) => [name, readExpectation(page, value)] as const);
  return { block: { ...block, body: { is: "shape", operators: [], members, at: page.at(rest[0]![1]) } } };
}

function readExpectError(page: ActsPage, node: Node): ExpectError {
  const error = new RecordReader(page, node, "expect_error");
  const type = error.take("error_type");
  const code = error.take("code");
  if (type && code) page.wrong(code, "expect_error: expected error_type only, found code too");
  if (code) page.apply("error-type-as-code", code);
  const named = type ?? code;
  if (!named) page.apply("error-of-any-type", node);
  const message = error.take("message");
  const details = error.take("details");
  const data = error.take("data");
  if (data) page.apply("error-data", data);
  const ours = readAnswerExtension(page, error);
  error.close();
  return {
    ...ours,
    ...(named && { types: readErrorTypes(page, named) }),
    ...(message && { message: readExpectation(page, message) }),
    ...(details && { details: readExpectation(page, details) }),
    ...(data && { data: readExpectation(page, data) }),
  };
}

function readErrorTypes(page: ActsPage, node: Node): string[] {
  const several = isMap(node) ? page.elements(page.members(node)?.get("one_of")?.value) : undefined;
  return (several ?? [node]).flatMap((each) => {
    const type = page.text(each);
    if (type !== undefined && Object.hasOwn(errorTypes, type)) return type;
    if (type !== undefined && protocolErrorType(type)) {
      page.apply("protocol-error-name", each);
      return type;
    }
    page.wrong(each, `error_type: expected one of ${Object.keys(errorTypes).join(", ")}, found ${page.shown(each)}`);
    return [];
  });
}

const payloads = ["status_update", "artifact_update", "task", "message"];

function readExpectStream(page: ActsPage, node: Node, isRaw: boolean): ExpectStream {
  const stream = new RecordReader(page, node, "expect_stream");
  const minCount = stream.count("min_count");
  const maxCount = stream.count("max_count");
  const timeoutMs = stream.count("timeout_ms");
  const ordering = stream.choice("ordering", ["monotonic_state"]);
  const final = stream.take("final_event");
  const each = stream.take("each_event");
  const events = stream.list("events").flatMap((entry, index) => readEvent(page, entry, index, isRaw) ?? []);
  const ours = readAnswerExtension(page, stream, { isStream: true });
  stream.close();
  return {
    ...ours,
    ...defined({ minCount, maxCount, timeoutMs, ordering }),
    events: events,
    ...(final && { finalEvent: readEventContent(page, final, isRaw) }),
    ...(each && { eachEvent: readEventContent(page, each, isRaw) }),
  };
}

/** Keys of an events entry besides the event. */
const ofEntries = ["description", "match", "index", extensionKey];

function readEvent(page: ActsPage, node: Node, position: number, isRaw: boolean): EventExpectation | undefined {
  const event = new RecordReader(page, node, "an entry of events");
  if (!event.isRecord) return undefined;
  const description = event.text("description");
  const match = event.choice("match", ["exact_position", "any_position"]) ?? "exact_position";
  const index = event.count("index");
  const since = readSince(page, event);
  const content = readEventContent(page, node, isRaw);
  if (content.is !== "shape") return undefined;
  const members = content.members.filter(([name]) => !ofEntries.includes(name));
  return {
    ...(description !== undefined && { description }),
    ...(match === "exact_position" && { index: index ?? position }),
    ...(since !== undefined && { since }),
    event: { ...content, members },
  };
}

function readEventContent(page: ActsPage, node: Node, isRaw: boolean): Expectation {
  const content = readExpectation(page, node);
  if (isRaw || content.is !== "shape") return content;
  const own = [...ofEntries, ...payloads];
  if (content.members.some(([name]) => !own.includes(name))) page.apply("payload-of-an-event", node);
  return { ...content, members: content.members.map(([name, expected]) => [name, present(name, expected)] as const) };
}

/**
 * Requires a named payload to be present: in an event of another kind, `not` and `absent` would match
 * nothing.
 */
function present(name: string, expected: Expectation): Expectation {
  if (!payloads.includes(name) || expected.is !== "shape" || expected.operators.some(({ op }) => op === "absent"))
    return expected;
  return { ...expected, operators: [{ op: "exists" }, ...expected.operators] };
}

type Expectation = ReturnType<typeof readExpectation>;

function readRepeat(page: ActsPage, node: Node | undefined): Repeat | undefined {
  if (!node) return undefined;
  const repeat = new RecordReader(page, node, "repeat");
  repeat.require("until");
  const text = repeat.text("until");
  const read = {
    maxAttempts: repeat.count("max_attempts") ?? 10,
    delayMs: repeat.count("delay_ms") ?? 1_000,
    backoff: repeat.choice("backoff", ["none", "linear", "exponential"]) ?? "none",
  } as const;
  repeat.close();
  const until = text === undefined ? undefined : readCondition(text);
  if (text !== undefined && !until)
    page.wrong(
      repeat.take("until"),
      `until: expected path == value, path != value or path in [value, …], found ${JSON.stringify(text)}`,
    );
  return until && { until, ...read };
}

const readAssertions = (page: ActsPage, step: RecordReader): NamedAssertion[] =>
  step.list("assertions").flatMap((node) => readAssertion(page, node) ?? []);

export function readAssertion(page: ActsPage, node: Node): NamedAssertion | undefined {
  const assertion = new RecordReader(page, node, "an assertion");
  if (!assertion.isRecord) return undefined;
  assertion.text("id");
  const description = assertion.text("description");
  const source = assertion.requiredText("source");
  const path = assertion.text("path");
  const match = assertion.take("match");
  const [any, all, none] = (["any", "all", "none"] as const).map((name) =>
    readCollection(page, name, assertion.take(name)),
  );
  const since = readSince(page, assertion);
  assertion.close();
  if (!match && !any && !all && !none)
    page.wrong(node, "an assertion: expected one of match, any, all or none, found none");
  return {
    ...(description !== undefined && { description }),
    source,
    ...(path !== undefined && { path }),
    ...(match && { match: readExpectation(page, match) }),
    ...defined({ any, all, none, since }),
    at: page.at(node),
  };
}

function readCollection(page: ActsPage, name: string, node: Node | undefined): CollectionMatch | undefined {
  if (!node) return undefined;
  const collection = new RecordReader(page, node, name);
  const path = collection.requiredText("path");
  collection.require("match");
  const match = collection.take("match");
  collection.close();
  return match && { path, match: readExpectation(page, match) };
}

const readJson = (page: ActsPage, node: Node | undefined): JsonValue | undefined =>
  // The YAML core schema yields JSON.
  node && (page.json(node) as JsonValue);
