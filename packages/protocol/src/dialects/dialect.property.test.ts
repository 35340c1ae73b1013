import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { messageOf, withoutDefaults } from "../arbitraries.fixture.ts";
import type { Messages } from "../generated/model.ts";
import type { JsonObject } from "../json.ts";
import type { AgentCard } from "../model.ts";
import { type Operation, operations } from "../operations.ts";
import type { OlderWire } from "./check.ts";
import { definitionOf, objections } from "./definitions.fixture.ts";
import {
  afterLosses,
  type Case,
  carries,
  dialectsUnderTest,
  messageOfCase,
  roundTrip,
  written,
} from "./dialect.fixture.ts";
import { losses } from "./losses.fixture.ts";

const older = dialectsUnderTest.filter(({ wire }) => wire !== "1.0");
const lossesOf = (wire: string) => losses.filter(({ wires }) => (wires as readonly string[]).includes(wire));

const payloadKinds = (Object.keys(operations) as Operation[]).flatMap((operation): Omit<Case, "value" | "name">[] => [
  { operation, is: "request" },
  ...(operations[operation].answer === null ? [] : [{ operation, is: "answer" } as const]),
]);

/** Rules of 1.0 that its schema does not know, without which a value cannot be meant. */
function meant(name: keyof Messages, value: JsonObject): JsonObject {
  const copy = structuredClone(value);
  visit(copy, (object) => {
    const { artifacts, apiKeySecurityScheme, taskPushNotificationConfig, supportedInterfaces } = object;
    // Artifact ids are unique in a task.
    for (const [index, artifact] of ((artifacts ?? []) as JsonObject[]).entries())
      artifact["artifactId"] = `a-${index}`;
    if (apiKeySecurityScheme) (apiKeySecurityScheme as JsonObject)["location"] = "query";
    // An inline configuration belongs to a task that does not exist yet.
    if (taskPushNotificationConfig) delete (taskPushNotificationConfig as JsonObject)["taskId"];
    for (const [index, entry] of ((supportedInterfaces ?? []) as JsonObject[]).entries()) {
      entry["protocolVersion"] = ["1.0", "0.3", "0.2"][index % 3]!;
    }
  });
  const configs = name === "TaskPushNotificationConfig" ? [copy] : ((copy["configs"] ?? []) as JsonObject[]);
  for (const config of configs) config["taskId"] ||= "t-1";
  return copy;
}

function visit(value: unknown, act: (object: JsonObject) => void): void {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) act(value as JsonObject);
  for (const inner of Object.values(value)) visit(inner, act);
}

describe.each(older.map((dialect) => ({ dialect, wire: dialect.wire as OlderWire })))("$wire", ({ dialect, wire }) => {
  const kinds = payloadKinds.filter(({ operation }) => dialect.methodOf(operation) !== undefined);

  test.each(kinds)("any $is of $operation is written strictly, and comes back but for the losses", (kind) => {
    const name = messageOfCase(kind);
    fc.assert(
      fc.property(messageOf(name), (any) => {
        const payload = { ...kind, value: meant(name, any) };
        const definition = definitionOf(wire, kind.operation, kind.is);
        if (definition) expect(objections(wire, definition, written(dialect, payload))).toEqual([]);
        if (!carries(dialect, payload)) return;
        expect(withoutDefaults(name, roundTrip(dialect, payload))).toEqual(
          afterLosses(name, payload.value, lossesOf(wire)),
        );
      }),
    );
  });

  test("any card is written strictly, and comes back but for the losses", () => {
    fc.assert(
      fc.property(messageOf("AgentCard"), (any) => {
        const card = meant("AgentCard", any);
        const json = dialect.writeCard(card as unknown as AgentCard);
        expect(objections(wire, "AgentCard", json)).toEqual([]);
        const { value, notes } = dialect.readCard(JSON.parse(JSON.stringify(json)));
        expect(notes).toBe(undefined);
        expect(withoutDefaults("AgentCard", value as never)).toEqual(afterLosses("AgentCard", card, lossesOf(wire)));
      }),
    );
  });

  test.each(kinds)("no document makes the reader of a $operation $is throw", ({ operation, is }) => {
    const read = is === "request" ? dialect.readRequest : dialect.readAnswer;
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (json) => {
        const { value, violations } = read(operation, json);
        expect((value === undefined) !== (violations === undefined)).toBe(true);
      }),
    );
  });
});
