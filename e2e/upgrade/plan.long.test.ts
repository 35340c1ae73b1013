import { isObject, type JsonObject, type JsonValue, lintCard, matchRoute, v10 } from "@assay/protocol";
import type { ExchangeRecorded, RunEvent } from "@assay/suite/report";
import { knownClients, planMarkdown, planOf, planPage } from "@assay/upgrade";
import { expect, test } from "vitest";
import { readExchange } from "../../packages/upgrade/src/traffic/read-exchange.ts";
import { type TranslatedCall, translateAll } from "../../packages/upgrade/src/traffic/translate.ts";
import { useTestbed } from "../fixtures/testbed.fixture.ts";
import { record, startSpec } from "./two-versions.fixture.ts";

const bed = useTestbed({ timeScale: 0.1 });

const isExchange = (event: RunEvent): event is ExchangeRecorded => event.event === "exchange";

const callsIn = (events: readonly RunEvent[]): TranslatedCall[] =>
  translateAll(events.filter(isExchange).flatMap((exchange) => readExchange(exchange) ?? []));

/** What 1.0 does not allow in a translated call. */
function violationsOf({ call, request, response, error }: TranslatedCall): string[] {
  const { operation, binding } = call;
  const told = (where: string, found: readonly { path: string; message: string }[] = []): string[] =>
    found.map(({ path, message }) => `${operation} ${binding} ${where} ${path} ${message}`);
  const inside = (json: JsonValue | undefined, member: string): JsonValue =>
    (binding === "JSONRPC" ? (json as JsonObject)[member] : json) ?? {};
  const [verb = "", path = ""] = request.next.line.split(" ");
  const route = matchRoute(verb, path.replace(call.request.base, "").replace(/\?.*/, ""));
  const params =
    binding === "JSONRPC"
      ? inside(request.next.body, "params")
      : {
          ...(route && "members" in route ? route.members : {}),
          ...(isObject(request.next.body) ? request.next.body : {}),
        };
  const answered = response.next.body;
  return [
    ...told("request", v10.readRequest(operation, params).violations),
    ...(error || answered === undefined || operation === "GetExtendedAgentCard"
      ? []
      : told("response", v10.readAnswer(operation, inside(answered, "result")).violations)),
    ...(response.next.events ?? []).flatMap((event) =>
      isObject(event) && "error" in event ? [] : told("event", v10.readEvents(inside(event, "result")).violations),
    ),
  ];
}

test.each([
  ["0.3", "spec03", "JSONRPC"],
  ["0.3", "spec03", "HTTP+JSON"],
  ["0.3", "spec03", "GRPC"],
  ["0.2", "spec02", "JSONRPC"],
  ["0.1", "spec01", "JSONRPC"],
] as const)(
  "the plan for an agent of %s (%s over %s) writes every call as 1.0 wants it",
  async (from, path, binding) => {
    const events = await record(`${bed.url}/${path}`, { bindings: [binding] });
    const calls = callsIn(events);
    expect(new Set(calls.map(({ call }) => call.operation)).size).toBeGreaterThanOrEqual(6);
    expect([...new Set(calls.flatMap(violationsOf))]).toEqual([]);
    expect([...new Set(calls.flatMap(({ faults }) => faults))]).toEqual([]);

    const plan = planOf(events, knownClients);
    if (!("format" in plan)) throw new Error(plan.message);
    expect(plan).toMatchObject({ from, speaks: [from], to: "1.0" });
    expect(plan.errors.map(({ error }) => error)).toContain("TaskNotFound");
    expect(plan.messages.sent).toBeLessThanOrEqual(plan.messages.announced);
    for (const { card, toDo } of [plan.cards.next, plan.cards.both]) {
      expect(toDo).toEqual([]);
      expect(lintCard(card).filter(({ level }) => level === "error")).toEqual([]);
    }
    const unrecorded = plan.operations.filter(({ samples }) => samples.length === 0).map(({ operation }) => operation);
    expect(unrecorded).toContain("ListTasks");
    expect(plan.clients.breaking.every(({ versions }) => !versions.includes("1.0"))).toBe(true);
    expect(plan.steps.map(({ gate }) => gate)).toContain(
      `assay test ${bed.url}/${path} --dialect ${from} --dialect 1.0 --equivalent --baseline assay-baseline.yaml`,
    );
    expect(planMarkdown(planPage(plan, true)).length).toBeLessThan(65_536);
  },
);

test("each kind of change in the traffic of 0.3 and 0.1 is in the plan", async () => {
  const changesOf = async (path: string): Promise<string[]> => {
    const plan = planOf(await record(`${bed.url}/${path}`, { bindings: ["JSONRPC"] }), knownClients);
    return "format" in plan ? plan.changes.map(({ id }) => id) : [];
  };
  expect(await changesOf("spec03")).toEqual(
    expect.arrayContaining([
      "method",
      "version-header",
      "error-details",
      "wrapper",
      "kind",
      "part",
      "state",
      "role",
      "final",
      "push-config",
    ]),
  );
  expect(await changesOf("spec01")).toEqual(
    expect.arrayContaining(["method", "part", "state", "role", "final", "session", "artifact-id"]),
  );
});

test("a card without a description has a plan, which says what to complete", async () => {
  const silent = await startSpec({ card: ({ description: _, ...card }) => card }, { dialects: ["0.2"] });
  try {
    const plan = planOf(await record(`${silent.url}/spec`, { bindings: ["JSONRPC"] }), knownClients);
    if (!("format" in plan)) throw new Error(plan.message);
    expect(plan.cards.next.toDo).toEqual([expect.stringMatching(/^\$\.description: /)]);
  } finally {
    await silent.close(0);
  }
});

test("an agent that speaks only 1.0 needs no plan", async () => {
  expect(planOf(await record(`${bed.url}/minimal`), knownClients)).toMatchObject({
    message: `The agent at ${bed.url}/minimal speaks only A2A 1.0.`,
  });
});
