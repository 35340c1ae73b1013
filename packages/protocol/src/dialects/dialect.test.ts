import { describe, expect, test } from "vitest";
import { withoutDefaults } from "../arbitraries.fixture.ts";
import { A2AError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import type { AgentCard } from "../model.ts";
import { type Operation, operations } from "../operations.ts";
import { validate } from "../schemas/validate.ts";
import { afterLosses, carries, dialectsUnderTest, messageOfCase, roundTrip } from "./dialect.fixture.ts";
import { losses } from "./losses.fixture.ts";
import { cards, payloads } from "./payloads.fixture.ts";
import type { Wire } from "./releases.ts";

const lossesOf = (wire: Wire) => losses.filter(({ wires }) => wires.includes(wire));
const operationNames = Object.keys(operations) as Operation[];

test.each(payloads)("$name is a payload of 1.0", (payload) => {
  expect(validate(messageOfCase(payload), payload.value)).toEqual([]);
});

describe.each(dialectsUnderTest.map((dialect) => ({ dialect, wire: dialect.wire })))("$wire", ({ dialect, wire }) => {
  test.each(payloads.filter((payload) => carries(dialect, payload)))(
    "$name comes back as it was, but for the losses",
    (payload) => {
      const name = messageOfCase(payload);
      expect(withoutDefaults(name, roundTrip(dialect, payload))).toEqual(
        afterLosses(name, payload.value, lossesOf(wire)),
      );
    },
  );

  test.each(cards)("the card comes back as it was, but for the losses", (card) => {
    const { value } = dialect.readCard(dialect.writeCard(card as unknown as AgentCard));
    expect(withoutDefaults("AgentCard", value as never)).toEqual(afterLosses("AgentCard", card, lossesOf(wire)));
  });

  test("methods and operations name each other", () => {
    for (const operation of operationNames) {
      const method = dialect.methodOf(operation);
      if (method !== undefined) expect(dialect.operationOf(method)).toBe(operation);
    }
    for (const method of ["", "tasks/", "toString", "__proto__"]) expect(dialect.operationOf(method)).toBe(undefined);
  });

  test("an operation that does not exist is refused by name", () => {
    for (const operation of operationNames.filter((name) => dialect.methodOf(name) === undefined)) {
      const refusal = new A2AError("UnsupportedOperation", `A2A ${wire} has no ${operation}`);
      expect(() => dialect.writeRequest(operation, {} as never)).toThrow(refusal);
      expect(() => dialect.readRequest(operation, {})).toThrow(refusal);
      expect(() => dialect.readAnswer(operation, {})).toThrow(refusal);
    }
  });
});

const rows = losses.flatMap((loss) => loss.wires.map((wire) => ({ loss, wire, at: loss.at, because: loss.because })));

test.each(rows)("$wire loses $at: $because", ({ loss, wire }) => {
  const dialect = dialectsUnderTest.find((candidate) => candidate.wire === wire)!;
  const all = lossesOf(wire);
  const others = all.filter((other) => other !== loss);
  // The tests above show that the losses are right together; here each must be needed.
  const cases = [
    ...payloads
      .filter((payload) => carries(dialect, payload))
      .map((payload) => [messageOfCase(payload), payload.value]),
    ...cards.map((card) => ["AgentCard", card]),
  ] as [ReturnType<typeof messageOfCase>, JsonObject][];
  const telling = cases.filter(
    ([name, value]) =>
      JSON.stringify(afterLosses(name, value, all)) !== JSON.stringify(afterLosses(name, value, others)),
  );
  expect(telling.length).toBeGreaterThan(0);
});

test("the operations that dialects lack", () => {
  const lacking = dialectsUnderTest.map(({ wire, methodOf }) => [
    wire,
    operationNames.filter((operation) => methodOf(operation) === undefined),
  ]);
  const early = [
    "ListTasks",
    "ListTaskPushNotificationConfigs",
    "DeleteTaskPushNotificationConfig",
    "GetExtendedAgentCard",
  ];
  expect(Object.fromEntries(lacking)).toEqual({
    "1.0": [],
    "0.3": ["ListTasks"],
    "0.3-proto": ["ListTasks"],
    "0.2.6": ["ListTasks", "GetExtendedAgentCard"],
    "0.2.5": ["ListTasks", "GetExtendedAgentCard"],
    "0.2.4": early,
    "0.2.3": early,
    "0.2.2": early,
    "0.2.1": early,
    "0.2.0": early,
    "0.1": early,
  });
});
