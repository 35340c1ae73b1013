import { randomUUID } from "node:crypto";
import {
  type Binding,
  extensionsHeader,
  isObject,
  isStreaming,
  isTerminal,
  type JsonObject,
  type JsonValue,
  matchRoute,
  type Operation,
  operations,
  type StreamingOperation,
  type TaskState,
} from "@assay/protocol";
import type { How, Target } from "@assay/suite";
import { awakeStopwatch, type Exchange, type HeaderPairs, type PeerError, type RequestSpec } from "@assay/wire";
import type { ClientStep, OperationStep, RawHttpStep } from "../model.ts";
import type { QuirkRule } from "../quirks/rules.ts";
import { valueAt } from "../values/path.ts";
import type { ActsAgent } from "./agent.ts";
import { answerOf, brief, eventView, rawAnswer, type StepAnswer } from "./answer.ts";
import { operationOf, requestOf } from "./operations.ts";
import { Skipped } from "./verdicts.ts";

/**
 * Passes a payload to the client of the implementation under test and returns what it parsed. The agent gets
 * the behaviour `tck-client-parse`: the payload is sent as data, and the result returns as the artifact's
 * data.
 */
export async function askClient({ operation }: ClientStep, payload: JsonValue, target: Target): Promise<StepAnswer> {
  const message: JsonObject = {
    messageId: randomUUID(),
    role: "ROLE_USER",
    parts: [{ text: "tck-client-parse" }, { data: { operation, wire_payload: payload } }],
  };
  const sent = `SendMessage tck-client-parse ${brief({ operation, wire_payload: payload })}`;
  const { exchange, reply } = await target.call("SendMessage", { message });
  const answer = answerOf(exchange, reply, target.on, { sent, message: JSON.stringify({ message }) });
  const parsed = readingIn(answer.root);
  if (parsed === undefined)
    throw new Skipped(
      "the agent does not support tck-client-parse, the behaviour that exercises its client; use assay client to test clients directly",
    );
  return { ...answer, root: parsed, saw: `its client read: ${brief(parsed)}` };
}

function readingIn(root: JsonValue | undefined): JsonValue | undefined {
  const task = isObject(root) ? root["task"] : undefined;
  const artifacts = isObject(task) && Array.isArray(task["artifacts"]) ? task["artifacts"] : [];
  const [first] = artifacts;
  const parts = isObject(first) && Array.isArray(first["parts"]) ? first["parts"] : [];
  const [part] = parts;
  return isObject(part) ? (part["data"] as JsonValue | undefined) : undefined;
}

type Asked = Pick<OperationStep, "operation"> &
  Partial<Pick<OperationStep, "expect" | "expectError" | "expectStream" | "sentHeaders">>;

/** Sends an abstract operation to the agent, over the binding of the interface under test. */
export async function askOperation(
  step: Asked,
  params: JsonObject,
  target: Target,
  agent: ActsAgent,
  apply: (rule: QuirkRule) => void,
): Promise<StepAnswer> {
  const operation = operationOf[step.operation];
  const headers = Object.entries(step.sentHeaders ?? {});
  if (operation === "card") return askCard(headers, target, agent);
  const request = requestOf(step.operation, params, apply);
  const message = JSON.stringify(request);
  const said = { sent: `${operation} ${brief(message)}${shownHeaders(headers)}`, message };
  const how: How = {
    // A step that expects a rejection is not retried, and sends no message.
    ...(step.expectError && { refusable: true, unrepeated: true }),
    ...(headers.length && { edit: (fields) => [...without(fields, headers), ...headers] }),
  };
  if (isStreaming(operation)) return follow(operation, request, target, step, how, said);
  const { exchange, reply } = await target.call(operation, request, how);
  return answerOf(exchange, reply, target.on, said);
}

/** Milliseconds for a stream to close after its last event. */
const closing = 15_000;

async function follow(
  operation: StreamingOperation,
  request: JsonObject,
  target: Target,
  { expectStream: { timeoutMs, leaveAfter } = { events: [] } }: Asked,
  how: How,
  said: { sent: string; message: string },
): Promise<StepAnswer> {
  const stream = await target.open(operation, request, how);
  const elapsed = awakeStopwatch();
  let limit = timeoutMs ?? target.taskTimeout;
  const isFull = (): boolean => leaveAfter !== undefined && stream.frames.length >= leaveAfter;
  while (!isFull()) {
    const frame = await stream.next(limit - elapsed());
    if (!frame) break;
    if (frame.is === "result" && isOver(eventView(frame.json))) limit = Math.min(limit, elapsed() + closing);
  }
  const isLate = !stream.ended && !isFull();
  const { exchange, reply } = await stream.hangUp();
  const answer = answerOf(exchange, reply, target.on, said);
  if (!isLate && answer.trouble?.whose !== "neither") return answer;
  if (isOver(answer.events?.at(-1)))
    return { ...answer, trouble: { says: "the stream stays open after its last event", whose: "agent" } };
  // Slowness is not a failure, unless the test itself sets a limit.
  const says = "the stream did not end in time";
  return { ...answer, trouble: { says, whose: timeoutMs === undefined ? "neither" : "agent" } };
}

/** Returns true after a message or the end of a task, which nothing may follow (§3.1.2). */
function isOver(event: JsonValue | undefined): boolean {
  if (!isObject(event)) return false;
  const state = valueAt(event, "status.state");
  return "message" in event || (typeof state === "string" && isTerminal(state as TaskState));
}

const without = (fields: HeaderPairs, others: HeaderPairs): HeaderPairs =>
  fields.filter(([name]) => !others.some(([other]) => other.toLowerCase() === name.toLowerCase()));

async function askCard(headers: HeaderPairs, target: Target, { facts }: ActsAgent): Promise<StepAnswer> {
  const usual: HeaderPairs = [
    ["Accept", "application/json"],
    ["A2A-Version", "1.0"],
  ];
  const exchange = await askerWith(headers, target).fetch({
    method: "GET",
    url: facts.cardUrl,
    headers: [...without(usual, headers), ...headers],
    followRedirects: 3,
  });
  return rawAnswer(exchange, `GET ${facts.cardUrl}`);
}

/** A request with its own credentials does not get the configured ones. */
const askerWith = (headers: HeaderPairs, target: Target): Target =>
  headers.some(([name]) => name.toLowerCase() === "authorization") ? (target.as("anonymous") ?? target) : target;

type Raw = Pick<RawHttpStep, "method" | "path" | "headers" | "body" | "bodyRaw">;

/**
 * Sends a raw step: its headers, its body, and of the configuration only credentials, unless the test is
 * about them.
 */
export async function askRaw(
  step: Raw,
  target: Target,
  agent: ActsAgent,
  { isAboutLogin, apply }: { isAboutLogin: boolean; apply: (rule: QuirkRule) => void },
): Promise<StepAnswer> {
  const { method, path, body, bodyRaw } = step;
  const url = urlOf(path, target, agent);
  const headers = withExtensions(Object.entries(step.headers), agent, apply);
  const text = bodyRaw ?? (body === undefined ? undefined : JSON.stringify(body));
  const asker = isAboutLogin ? (target.as("anonymous") ?? target) : askerWith(headers, target);
  const request: RequestSpec = { method, url, headers, ...(text !== undefined && { body: Buffer.from(text) }) };
  const exchange = await sendRaw(step, request, asker);
  const answer = rawAnswer(
    exchange,
    `${method} ${url}${shownHeaders(headers)}${text === undefined ? "" : ` ${brief(text)}`}`,
  );
  const error = rawError(answer.events ? answer.events[0] : answer.root, answer.status ?? 0, target.on.binding);
  return error ? { ...answer, error } : answer;
}

function withExtensions(
  headers: HeaderPairs,
  { facts }: ActsAgent,
  apply: (rule: QuirkRule) => void,
): [string, string][] {
  const required = facts.extensions.filter((each) => each.required).map(({ uri }) => uri);
  const isSaid = headers.some(([name]) => name.toLowerCase() === extensionsHeader.toLowerCase());
  const given = headers.map(([name, value]): [string, string] => [name, value]);
  if (!required.length || isSaid) return given;
  apply("required-extensions");
  return [...given, [extensionsHeader, required.join(", ")]];
}

/** Sends a call of an operation as such, so that the traffic checks see it. */
async function sendRaw(step: Raw, request: RequestSpec, asker: Target): Promise<Exchange> {
  const operation = asker.on.dialect === "1.0" ? operationIn(step, asker) : undefined;
  if (!operation) return asker.fetch(request);
  const { exchange } = await asker.http(
    operation,
    {},
    ({ headers }) => ({ ...request, headers: [...(request.headers ?? []), ...ours(headers, request.headers ?? [])] }),
    // A server need not understand a request that a file invents.
    { fair: false, unrepeated: true },
  );
  return exchange;
}

const usual = ["content-type", "accept", "a2a-version", "a2a-extensions", "x-a2a-extensions"];

/** Returns the credentials and the user's own headers. */
const ours = (fields: HeaderPairs, given: HeaderPairs): HeaderPairs =>
  without(fields, given).filter(([name]) => !usual.includes(name.toLowerCase()));

function operationIn({ method, path, body }: Raw, { on }: Target): Operation | undefined {
  if (on.binding === "JSONRPC") {
    const name = method === "POST" && isObject(body) ? body["method"] : undefined;
    return typeof name === "string" && Object.hasOwn(operations, name) ? (name as Operation) : undefined;
  }
  const match = on.binding === "HTTP+JSON" ? matchRoute(method, path.split("?")[0]!) : undefined;
  return match && "operation" in match ? match.operation : undefined;
}

const shownHeaders = (headers: HeaderPairs): string =>
  headers.length ? ` [${headers.map(([name, value]) => `${name}: ${value}`).join(", ")}]` : "";

/** Resolves a path against the address of the interface, or of the card for the card's path. */
function urlOf(path: string, { on }: Target, { facts }: ActsAgent): string {
  if (/^https?:\/\//.test(path)) return path;
  if (on.binding === "GRPC") throw new Skipped("a raw step is an HTTP request, which gRPC does not have");
  if (path.startsWith("/.well-known/") && facts.cardUrl.includes("/.well-known/"))
    return `${facts.cardUrl.split("/.well-known/")[0]}${path}`;
  return path === "/" ? on.url : `${on.url.replace(/\/+$/, "")}${path}`;
}

/** Returns the error in a body in the format of the binding, if there is one. */
function rawError(root: JsonValue | undefined, http: number, binding: Binding): PeerError | undefined {
  const found = isObject(root) ? root["error"] : undefined;
  if (!isObject(found)) return undefined;
  const { code, message, data, details = data } = found as JsonObject;
  const list = Array.isArray(details) ? details : [];
  const reason = list
    .map((each) => (isObject(each) ? each["reason"] : undefined))
    .find((each) => typeof each === "string");
  return {
    message: typeof message === "string" ? message : "",
    http,
    ...(binding === "JSONRPC" && typeof code === "number" && { code }),
    ...(reason !== undefined && { reason: String(reason) }),
    details: list,
  };
}
