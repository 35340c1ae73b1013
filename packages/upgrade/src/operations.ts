import {
  operations as allOperations,
  type DialectVersion,
  isObject,
  type JsonObject,
  type Operation,
  writeRestRequest,
  writeRestRequestV03,
} from "@assay/protocol";
import { bindingName, type InterfaceName } from "@assay/suite/report";
import { dialectFor } from "@assay/wire";
import { behaviourOf, type Capabilities } from "./behaviour.ts";
import type { ErrorPlan, OperationName, OperationPlan, Sample, TrafficChange } from "./plan.ts";
import { changesIn, knownChanges } from "./traffic/changes.ts";
import { inOrderOf } from "./traffic/same-order.ts";
import { sideRows } from "./traffic/side-rows.ts";
import { endedIn, type TranslatedCall, type WireMessage } from "./traffic/translate.ts";
import { wireLines } from "./traffic/wire-lines.ts";

const names = Object.keys(allOperations) as Operation[];

interface AgentFacts {
  readonly capabilities?: Capabilities | undefined;
  /** the operations of all recorded exchanges, also of those that Assay cannot read */
  readonly called?: ReadonlySet<string>;
}

/** Returns every operation of 1.0, with the traffic of the older interfaces. */
export const operationPlans = (
  calls: readonly TranslatedCall[],
  interfaces: readonly InterfaceName[],
  version: DialectVersion,
  { capabilities, called }: AgentFacts = {},
): OperationPlan[] =>
  names.map((operation) => {
    const own = calls.filter(({ call }) => call.operation === operation);
    const samples = samplesOf(own);
    const named = namesOf(operation, interfaces, version, own);
    return {
      operation,
      names: named,
      behaviour: behaviourOf(
        operation,
        own,
        interfaces.map(({ binding }) => binding),
        capabilities,
      ),
      samples,
      ...(samples.length === 0 && { unrecorded: missing(operation, named, version, called?.has(operation) ?? false) }),
    };
  });

function missing(
  operation: Operation,
  named: readonly OperationName[],
  version: DialectVersion,
  isCalled: boolean,
): string {
  if (named.every(({ today }) => today === undefined))
    return `A2A ${version} defines no such operation over ${named.map(({ binding }) => binding).join(" and ")}.`;
  if (operation === "ListTasks")
    return `The text of A2A ${version} names this operation, but a2a.proto does not define it. Assay does not call it.`;
  return isCalled
    ? `The run called this operation, but recorded no call that the plan can show. The agent may lack the operation, or its responses may be unreadable or incomplete. See assay test --dialect ${version}.`
    : "The run recorded no complete call that Assay can read. Raise --budget, or choose one --binding.";
}

/** Returns the names of an operation on the bindings of the agent. */
function namesOf(
  operation: Operation,
  interfaces: readonly InterfaceName[],
  version: DialectVersion,
  calls: readonly TranslatedCall[],
): OperationName[] {
  const bindings = [...new Set(interfaces.map(({ binding }) => binding))];
  return bindings.map((binding) => {
    const today = todayName(operation, binding, version, verbsOf(calls, binding));
    return { binding: bindingName(binding), ...(today !== undefined && { today }), next: newName(operation, binding) };
  });
}

const ids = { id: "{id}", taskId: "{taskId}", name: "tasks/{id}", parent: "tasks/{id}" };
const readable = (path: string): string => decodeURIComponent(path).replace(/\?.*$/, "");

/** Returns the HTTP methods of the calls that succeeded, or else of all calls. */
function verbsOf(calls: readonly TranslatedCall[], binding: string): string[] {
  const here = calls.filter(({ call }) => call.binding === binding);
  const accepted = here.filter(({ error }) => !error);
  return (accepted.length ? accepted : here).map(({ call }) => call.request.verb);
}

/** Only the text of 0.3 has these names (§3.5.6): no schema and no proto defines the operation. */
const listNames: Readonly<Record<string, string>> = {
  "HTTP+JSON": "GET /v1/tasks",
  GRPC: "a2a.v1.A2AService/ListTask",
};

function todayName(
  operation: Operation,
  binding: string,
  version: DialectVersion,
  verbs: readonly string[],
): string | undefined {
  if (operation === "ListTasks" && version === "0.3") return listNames[binding];
  const dialect = dialectFor(binding as "JSONRPC" | "HTTP+JSON" | "GRPC", version);
  const method = dialect?.methodOf(operation);
  if (method === undefined || binding === "JSONRPC") return method;
  if (binding === "GRPC") return `a2a.v1.A2AService/${method}`;
  const isConfig = /^(Get|Delete)TaskPush/.test(operation);
  const request: JsonObject = { ...ids, ...(isConfig && { name: "tasks/{taskId}/pushNotificationConfigs/{id}" }) };
  const { verb, target } = writeRestRequestV03(operation, request);
  // The text and the proto of 0.3 differ about the method of a subscription.
  return `${verbs.includes(verb) ? verb : (verbs[0] ?? verb)} ${readable(target)}`;
}

function newName(operation: Operation, binding: string): string {
  if (binding === "JSONRPC") return operation;
  if (binding === "GRPC") return `lf.a2a.v1.A2AService/${operation}`;
  const { verb, target } = writeRestRequest(operation, { id: "{id}", taskId: "{taskId}" });
  return `${verb} ${readable(target)}`;
}

/** Successes and errors of one operation on one binding that the plan shows. */
const mostSuccesses = 2;
const mostErrors = 2;

/** Chooses the calls that show the most changes: successes first, then one call for each error. */
function samplesOf(calls: readonly TranslatedCall[]): Sample[] {
  const bindings = [...new Set(calls.map(({ call }) => call.binding))];
  return bindings.flatMap((binding) => {
    const here = calls.filter(({ call }) => call.binding === binding);
    const successes = distinct(
      here.filter(({ error, response }) => !error && !isErrorStream(response.today)),
      (call) => shapeOf(call),
    );
    const errors = distinct(
      here.filter(({ error }) => error),
      ({ error }) => error!.kind,
    );
    return [...successes.slice(0, mostSuccesses), ...errors.slice(0, mostErrors)].map(sampleOf);
  });
}

const isErrorStream = ({ events }: WireMessage): boolean =>
  events?.some((event) => typeof event === "object" && event !== null && "error" in event) ?? false;

/** Returns the shape of a call: the ids of its changes. Two calls with the same changes show the same. */
const shapeOf = (call: TranslatedCall): string =>
  changesIn(call)
    .map(({ id }) => id)
    .join(" ");

/**
 * Returns one call of each kind, those with the most changes first. Of equal ones, it prefers a stream that reaches the end
 * of its task, and then the shortest request.
 */
function distinct(calls: readonly TranslatedCall[], kindOf: (call: TranslatedCall) => string): TranslatedCall[] {
  const lengthOf = ({ request: { today } }: TranslatedCall): number => JSON.stringify(today).length;
  const isCut = ({ response: { next } }: TranslatedCall): number => Number(next.events && endedIn(next).length === 0);
  const ranked = calls.toSorted(
    (a, b) => changesIn(b).length - changesIn(a).length || isCut(a) - isCut(b) || lengthOf(a) - lengthOf(b),
  );
  return [...new Map(ranked.toReversed().map((call) => [kindOf(call), call])).values()].toReversed();
}

function sampleOf(translated: TranslatedCall): Sample {
  const { call, request, response, error, faults } = translated;
  const sides = ({ today, next }: TranslatedCall["request"]) =>
    sideRows(wireLines(today), wireLines(inOrder(today, next)));
  return {
    binding: bindingName(call.binding),
    dialect: call.dialect,
    exchange: call.id,
    ...(call.during !== undefined && { during: call.during }),
    ...(error && { error: error.kind }),
    request: sides(request),
    response: sides(response),
    changes: changesIn(translated).map(({ id }) => id),
    faults,
  };
}

const inOrder = (today: WireMessage, next: WireMessage): WireMessage => ({
  ...next,
  ...(next.body !== undefined && { body: inOrderOf(today.body, next.body) }),
  ...(next.events && { events: next.events.map((event, index) => inOrderOf(today.events?.[index], event)) }),
});

/** Returns the kinds of changes in all calls, each with its first example. */
export function trafficChanges(calls: readonly TranslatedCall[]): TrafficChange[] {
  const found = calls.map((translated) => ({ operation: translated.call.operation, changes: changesIn(translated) }));
  return knownChanges.flatMap((change) => {
    const here = found.filter(({ changes }) => changes.some(({ id }) => id === change.id));
    const example = here[0]?.changes.find(({ id }) => id === change.id)?.example;
    return example === undefined
      ? []
      : [{ ...change, example, operations: [...new Set(here.map(({ operation }) => operation))] }];
  });
}

/** Returns the errors of the traffic with their numbers in both versions. */
export function errorPlans(calls: readonly TranslatedCall[]): ErrorPlan[] {
  const plans = new Map<string, ErrorPlan>();
  for (const { call, error, response } of calls) {
    if (!error) continue;
    const { code } = error.numbers();
    const isRpc = call.binding === "JSONRPC";
    const today = isRpc ? String(rpcCode(response.today) ?? "no error") : response.today.line;
    const key = `${error.kind} ${call.binding} ${today}`;
    plans.set(key, {
      error: error.kind,
      binding: bindingName(call.binding),
      operations: [...new Set([...(plans.get(key)?.operations ?? []), call.operation])],
      today,
      next: isRpc ? String(code) : response.next.line,
    });
  }
  return [...plans.values()];
}

function rpcCode({ body, events = [] }: WireMessage): unknown {
  const json = body ?? events[0];
  const error = isObject(json) ? json["error"] : undefined;
  return isObject(error) ? error["code"] : undefined;
}
