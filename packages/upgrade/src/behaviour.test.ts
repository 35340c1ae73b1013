import { ruleIn } from "@assay/suite";
import { expect, test } from "vitest";
import { behaviourOf, behaviourRules } from "./behaviour.ts";

test("every requirement names a rule of 1.0 for agents", () => {
  expect(behaviourRules.filter((id) => ruleIn("1.0", id)?.actor !== "server")).toEqual([]);
});

test("an error has its number or status on each binding of the agent, and on no other", () => {
  const named = (...bindings: string[]) => behaviourOf("SubscribeToTask", [], bindings)[1]!.text;
  const start = "A subscription to an ended task is rejected with UnsupportedOperationError";
  expect(named("JSONRPC")).toBe(`${start} (JSON-RPC -32004).`);
  expect(named("GRPC", "HTTP+JSON")).toBe(`${start} (HTTP+JSON 400, gRPC FAILED_PRECONDITION).`);
  expect(named()).toBe(`${start}.`);
});

test("requirements of streams and webhooks concern only agents with streams and webhooks", () => {
  const operations = [
    "SendMessage",
    "SendStreamingMessage",
    "SubscribeToTask",
    "CreateTaskPushNotificationConfig",
  ] as const;
  const concerned = (streaming: boolean, pushNotifications: boolean) =>
    operations.filter(
      (operation) =>
        behaviourOf(operation, [], [], { streaming, pushNotifications, extendedAgentCard: false }).length > 0,
    );
  expect(concerned(true, true)).toEqual(operations);
  expect(concerned(false, true)).toEqual(["SendMessage", "CreateTaskPushNotificationConfig"]);
  expect(concerned(true, false)).toEqual(["SendMessage", "SendStreamingMessage", "SubscribeToTask"]);
});

test("only an agent without push notifications rejects a push configuration in a message", () => {
  const rules = (pushNotifications: boolean) =>
    behaviourOf("SendMessage", [], [], { streaming: true, pushNotifications, extendedAgentCard: false }).map(
      ({ rule }) => rule,
    );
  expect(rules(false)).toContain("PUSH-047");
  expect(rules(true)).not.toContain("PUSH-047");
});
