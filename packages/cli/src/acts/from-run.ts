import {
  type ErrorName,
  errorTable,
  isObject,
  isResting,
  isStreaming,
  type JsonObject,
  type JsonValue,
  matchRoute,
  type Operation,
  operations,
  readQuery,
  type TaskState,
  validate,
  writtenText,
} from "@assay/protocol";
import type { ExchangeRecorded, RunEvent } from "@assay/suite/report";
import { stringify } from "yaml";
import { type RecordedRequest, requestsOf } from "../replay/recorded-requests.ts";

/** The reasons against a conversation, as the end of "left out because …". */
const reasons = {
  overlap: "their requests overlap, and the steps of a scenario follow each other",
  odd: "they contain requests that a scenario cannot send, such as malformed or interrupted ones",
  secret: "they contain secrets, which Assay removed from the recording",
  template: "they contain {{ }}, which scenarios replace",
  large: "they contain more than 20 kB in one request",
  breakdown: "the agent rejected a login, or failed with an internal error",
} as const;
type Reason = keyof typeof reasons;

export interface ScenariosFromRun {
  /** the ACTS file */
  readonly text: string;
  readonly count: number;
  /** one text for each reason: "2 conversations, because …" */
  readonly leftOut: readonly string[];
}

/** Returns the conversations of a recorded run as scenarios, in the order of the run and without duplicates. */
export function scenariosFromRun(events: readonly RunEvent[], run: string): ScenariosFromRun {
  const calls = requestsOf(events);
  const login = loginOf(calls.find(({ exchange }) => exchange.working)?.exchange);
  const scenarios = new Map<string, Scenario>();
  const leftOut = new Map<Reason, number>();
  for (const group of conversationsOf(calls)) {
    const scenario = scenarioOf(group, login);
    if (scenario === undefined) continue;
    if (typeof scenario === "string") leftOut.set(scenario, (leftOut.get(scenario) ?? 0) + 1);
    else scenarios.set(JSON.stringify(scenario.steps), scenarios.get(JSON.stringify(scenario.steps)) ?? scenario);
  }
  const tests = [...scenarios.values()].map(({ name, steps }, index) => ({
    id: `RECORDED-${index + 1}`,
    name,
    level: "must",
    steps,
  }));
  const file = {
    acts_version: "1.0",
    spec_version: "1.0",
    suites: [{ id: "recorded", name: "Recorded conversations", tests }],
  };
  return {
    text: `# Written from the run ${run} by assay acts --from. docs/scenarios.md explains the format.\n${stringify(file, { lineWidth: 120 })}`,
    count: tests.length,
    leftOut: [...leftOut].map(
      ([reason, count]) => `${count} ${count === 1 ? "conversation" : "conversations"}, because ${reasons[reason]}`,
    ),
  };
}

const loginOf = (exchange: ExchangeRecorded | undefined): string =>
  JSON.stringify(
    exchange?.entry.request.headers
      .filter(({ name }) => /^(authorization|cookie|.*api-?key)$/i.test(name))
      .map(({ value }) => value) ?? [],
  );

/** Groups each first message with the calls that depend only on it. */
function conversationsOf(calls: readonly RecordedRequest[]): RecordedRequest[][] {
  const groups = new Map<number, RecordedRequest[]>();
  const rootsOf: ReadonlySet<number>[] = [];
  for (const [index, call] of calls.entries()) {
    const roots = new Set(call.rests.flatMap((other) => [...(rootsOf[other] ?? [])]));
    if (!roots.size && call.exchange.operation?.startsWith("Send")) roots.add(index);
    rootsOf.push(roots);
    const [root, ...others] = roots;
    if (root === undefined || others.length) continue;
    groups.set(root, [...(groups.get(root) ?? []), call]);
  }
  return [...groups.values()];
}

interface Step {
  readonly id: string;
  readonly operation: string;
  readonly params: JsonObject;
  readonly repeat?: JsonObject;
  readonly expect?: JsonObject;
  readonly expect_error?: JsonObject;
  readonly expect_stream?: JsonObject;
  capture?: Record<string, string>;
}

interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** A call that a step can send. */
interface Call {
  readonly operation: Operation;
  readonly params: JsonObject;
  /** the events of a stream, or one result; empty for an error */
  readonly results: readonly JsonObject[];
  /** undefined for a success; "any" if the recording does not name the error */
  readonly error?: ErrorName | "any";
  readonly startedAt: number;
  readonly endedAt: number;
}

const stepNames: Partial<Record<Operation, { readonly id: string; readonly operation: string }>> = {
  SendMessage: { id: "send", operation: "send_message" },
  SendStreamingMessage: { id: "stream", operation: "send_streaming_message" },
  GetTask: { id: "get", operation: "get_task" },
  ListTasks: { id: "list", operation: "list_tasks" },
  CancelTask: { id: "cancel", operation: "cancel_task" },
  SubscribeToTask: { id: "subscribe", operation: "subscribe_to_task" },
};
const changesTasks = (operation: Operation): boolean => /^(Send|Cancel)/.test(operation);

/** Returns a scenario, the reason against it, or undefined for calls outside a conversation. */
function scenarioOf(group: readonly RecordedRequest[], login: string): Scenario | Reason | undefined {
  const calls: Call[] = [];
  for (const recorded of group) {
    const call = callOf(recorded, login);
    if (call === undefined) continue;
    if (typeof call === "string") return call;
    const previous = calls.at(-1);
    if (previous && call.startedAt < previous.endedAt) {
      // A reader at the same time as another call gets a random intermediate state.
      if (!changesTasks(call.operation)) continue;
      if (changesTasks(previous.operation)) return "overlap";
      calls.pop();
    }
    calls.push(call);
  }
  // Without a message that the agent accepted, there is no conversation.
  if (!calls.some(({ operation, results }) => operation.startsWith("Send") && results.length > 0)) return undefined;
  const text = JSON.stringify(calls.map(({ params }) => params));
  if (text.includes("«secret:")) return "secret";
  if (text.includes("{{")) return "template";
  if (calls.some(({ params }) => JSON.stringify(params).length > 20_000)) return "large";
  const steps = stepsOf(calls);
  return { name: nameOf(calls, steps.length), steps };
}

function callOf(recorded: RecordedRequest, login: string): Call | Reason | undefined {
  const { exchange, startedAt, endedAt } = recorded;
  const { entry, interface: on } = exchange;
  const operation = exchange.operation as Operation | undefined;
  if (!operation || on?.dialect !== "1.0" || stepNames[operation] === undefined) return undefined;
  const error = errorIn(recorded);
  const params = paramsOf(recorded, operation);
  const version = entry.request.headers.find(({ name }) => name.toLowerCase() === "a2a-version")?.value;
  const isOrdinary =
    params !== undefined &&
    validate(operations[operation].request, params).length === 0 &&
    (version === undefined || version === "1.0") &&
    loginOf(exchange) === login &&
    entry.response.status > 0 &&
    entry.response._error === undefined &&
    entry._faults === undefined;
  // A request without effect can be omitted.
  if (!isOrdinary) return changesTasks(operation) && error === undefined ? "odd" : undefined;
  if (error === "Internal" || [401, 403, 429].includes(entry.response.status) || entry.response.status >= 500)
    return changesTasks(operation) ? "breakdown" : undefined;
  const results = error === undefined ? resultsOf(recorded) : [];
  if (error === undefined && results.length === 0) return changesTasks(operation) ? "odd" : undefined;
  return { operation, params, results, startedAt, endedAt, ...(error !== undefined && { error }) };
}

/** Reads the parameters without those that only this recording knows: ids of messages, webhooks, tenants. */
function paramsOf({ exchange, body }: RecordedRequest, operation: Operation): JsonObject | undefined {
  const { request } = exchange.entry;
  const { binding, url } = exchange.interface!;
  let params: JsonObject | undefined;
  if (binding === "JSONRPC") {
    if (!isObject(body) || body["jsonrpc"] !== "2.0" || body["method"] !== operation) return undefined;
    params = isObject(body["params"]) ? (body["params"] as JsonObject) : undefined;
  } else if (binding === "HTTP+JSON") {
    const base = new URL(url).pathname.replace(/\/$/, "");
    const { pathname, search } = new URL(request.url);
    const match = pathname.startsWith(base) ? matchRoute(request.method, pathname.slice(base.length)) : undefined;
    if (!match || !("operation" in match) || match.operation !== operation) return undefined;
    const query = Object.entries(readQuery(operation, search.slice(1))).map(
      ([name, value]) =>
        [name, typeof value === "string" && /^-?\d{1,9}$/.test(value) ? Number(value) : value] as const,
    );
    params = { ...Object.fromEntries(query), ...(isObject(body) && (body as JsonObject)), ...match.members };
  } else params = isObject(body) ? (body as JsonObject) : undefined;
  if (!params) return undefined;
  const { tenant: _tenant, ...rest } = params;
  if (!isObject(rest["configuration"])) return rest;
  const { taskPushNotificationConfig: _webhook, ...configuration } = rest["configuration"] as JsonObject;
  return { ...rest, configuration };
}

function errorIn({ exchange: { entry, interface: on }, answers }: RecordedRequest): ErrorName | "any" | undefined {
  const { status, headers, _trailers: trailers = [] } = entry.response;
  if (on?.binding === "GRPC") {
    const code = [...trailers, ...headers].find(({ name }) => name.toLowerCase() === "grpc-status")?.value;
    return code === "0" ? undefined : code === "13" || code === "2" ? "Internal" : "any";
  }
  const [answer] = answers;
  const error = isObject(answer) && isObject(answer["error"]) ? answer["error"] : undefined;
  if (!error) return status >= 400 ? "any" : undefined;
  const details = objectsIn(error["details"]);
  const found = (Object.entries(errorTable) as [ErrorName, { code: number; reason: string; transport?: true }][]).find(
    ([, { code, reason, transport }]) =>
      !transport && (error["code"] === code || details.some((each) => each["reason"] === reason)),
  );
  return found?.[0] ?? "any";
}

const resultsOf = ({ exchange: { interface: on }, answers }: RecordedRequest): JsonObject[] =>
  answers.flatMap((answer) => {
    const result = isObject(answer) && on?.binding === "JSONRPC" ? answer["result"] : answer;
    return isObject(result) ? [result as JsonObject] : [];
  });

function stepsOf(calls: readonly Call[]): Step[] {
  const steps: Step[] = [];
  /** the calls that became steps, at the same positions */
  const sent: Call[] = [];
  const states = new Map<string, string>();
  /** the reads since the last change */
  const read = new Set<string>();
  const ends = calls.flatMap(({ results }) => results.map(stateIn)).filter(rests);
  for (const call of calls) {
    const { operation, results, error } = call;
    const task = operation === "GetTask" ? writtenText(call.params["id"]) : undefined;
    const state = results.map(stateIn).findLast((each) => each !== "");
    if (changesTasks(operation)) read.clear();
    const key = JSON.stringify([operation, call.params]);
    if (read.has(key)) continue;
    // A running task may have ended by the next time.
    if (task !== undefined && error === undefined && !rests(state)) continue;
    // A page token works only if the previous page is a step, too.
    const { pageToken } = call.params;
    if (pageToken && !sent.some(({ results }) => results.some((each) => each["nextPageToken"] === pageToken))) continue;
    read.add(key);
    const isAwaited = task !== undefined && rests(state) && states.has(task) && !rests(states.get(task));
    for (const result of results) {
      const id = taskIdIn(result);
      if (id !== undefined && stateIn(result) !== "") states.set(id, stateIn(result));
    }
    const { id: name, operation: abstract } = stepNames[operation]!;
    const number = sent.filter((other) => other.operation === operation).length + 1;
    steps.push({
      id: number === 1 ? name : `${name}-${number}`,
      operation: abstract,
      params: paramsOfStep(call.params, sent, steps),
      ...(isAwaited && { repeat: { until: `status.state == ${state}`, max_attempts: 60, delay_ms: 500 } }),
      ...expectationOf(call, ends),
    });
    sent.push(call);
  }
  return steps;
}

const rests = (state: string | undefined): boolean => state !== undefined && isResting(state as TaskState);

/** Replaces ids from earlier responses by variables, and captures the ids there. */
function paramsOfStep(params: JsonObject, sent: readonly Call[], steps: readonly Step[]): JsonObject {
  const named = (member: string, value: JsonValue): JsonValue => {
    if (typeof value === "string" && idMembers.has(member)) {
      for (const [index, { results }] of sent.entries()) {
        const path = results.map((result) => pathTo(value, result)).find((each) => each !== undefined);
        if (path === undefined) continue;
        const name = path.endsWith("task.id") || path === "id" ? "taskId" : path.split(".").at(-1)!;
        steps[index]!.capture = { ...steps[index]!.capture, [name]: path };
        return `{{${steps[index]!.id}.${name}}}`;
      }
      return member === "contextId" ? "{{$uuid}}" : value;
    }
    if (Array.isArray(value)) return value.map((each) => named(member, each));
    if (!isObject(value)) return value;
    const members = (Object.entries(value) as [string, JsonValue][]).filter(([name]) => name !== "messageId");
    return Object.fromEntries(members.map(([name, each]) => [name, named(name, each)]));
  };
  return named("", params) as JsonObject;
}

const idMembers = new Set(["id", "taskId", "contextId", "referenceTaskIds", "pageToken"]);

/** Returns the path of a text in a result, outside of lists: their order may change. */
function pathTo(text: string, value: JsonValue, path: readonly string[] = []): string | undefined {
  if (value === text) return path.join(".");
  if (!isObject(value)) return undefined;
  for (const [name, inner] of Object.entries(value) as [string, JsonValue][]) {
    const found = pathTo(text, inner, [...path, name]);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Expected = Pick<Step, "expect" | "expect_error" | "expect_stream">;

/** Expects only what is the same in every run: states, kinds and errors, but no generated text. */
function expectationOf({ operation, results, error }: Call, ends: readonly string[]): Expected {
  if (error !== undefined) return { expect_error: error === "any" ? {} : { error_type: `${error}Error` } };
  const [first] = results;
  if (isStreaming(operation)) {
    const [start, end] = [kindOf(first!), results.at(-1)!];
    const opened =
      start === "task" || start === "message" ? { events: [{ index: 0, [start]: { type: "object" } }] } : {};
    const closed = rests(stateIn(end)) || kindOf(end) === "message" ? { final_event: eventExpected(end) } : {};
    return { expect_stream: { min_count: 1, ...opened, ...closed } };
  }
  if (operation === "ListTasks") return { expect: { body: { tasks: { type: "array" } } } };
  if (operation === "SendMessage") {
    const kind = kindOf(first!);
    return {
      expect: { body: kind === "task" ? { task: taskExpected(first!, ends) } : { message: { role: "ROLE_AGENT" } } },
    };
  }
  return { expect: { body: taskExpected(first!, ends) } };
}

function taskExpected(result: JsonObject, ends: readonly string[]): JsonObject {
  const task = isObject(result["task"]) ? (result["task"] as JsonObject) : result;
  const state = stateIn(result);
  const expected = rests(state)
    ? state
    : { one_of: [...new Set(["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING", ...ends])] };
  const { artifacts } = task;
  const hasArtifacts = rests(state) && Array.isArray(artifacts) && artifacts.length > 0;
  return { status: { state: expected }, ...(hasArtifacts && { artifacts: { count_gte: 1 } }) };
}

function eventExpected(event: JsonObject): JsonObject {
  const kind = kindOf(event);
  if (kind === "message") return { message: { role: "ROLE_AGENT" } };
  return { [kind === "task" ? "task" : "status_update"]: { status: { state: stateIn(event) } } };
}

const kindOf = (result: JsonObject): string => Object.keys(result)[0] ?? "";

/** Returns the state that a result names, or "". */
function stateIn(result: JsonObject): string {
  const inner = result["task"] ?? result["statusUpdate"] ?? result;
  const status = isObject(inner) ? inner["status"] : undefined;
  return isObject(status) ? writtenText(status["state"]) : "";
}

function taskIdIn(result: JsonObject): string | undefined {
  const inner = result["task"] ?? result["statusUpdate"] ?? result["artifactUpdate"] ?? result;
  const id = isObject(inner) ? (inner["taskId"] ?? inner["id"]) : undefined;
  return typeof id === "string" ? id : undefined;
}

const objectsIn = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter((each) => isObject(each)) : [];

/** Names a scenario after the client's first message. */
function nameOf([first]: readonly Call[], steps: number): string {
  const message = first?.params["message"];
  const parts = isObject(message) ? objectsIn(message["parts"]) : [];
  const text = parts
    .map((part) => writtenText(part["text"]))
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .trim();
  const said = text === "" ? "" : ` "${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`;
  const others = steps - 1;
  return `${first?.operation}${said}${others ? `, then ${others} ${others === 1 ? "call" : "calls"}` : ""}`;
}
