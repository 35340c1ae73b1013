import { expect, test } from "vitest";
import { type Operation, operations } from "../../operations.ts";
import { v10 } from "./dialect.ts";

test("methods carry the names of the operations", () => {
  for (const operation of Object.keys(operations) as Operation[]) {
    expect([v10.methodOf(operation), v10.operationOf(operation)]).toEqual([operation, operation]);
  }
});

test.each(["", "sendMessage", "message/send", "tasks/get", "toString", "__proto__", "constructor"])(
  "%j is no method of 1.0",
  (method) => {
    expect(v10.operationOf(method)).toBe(undefined);
  },
);

test.each([{}, null, undefined, { id: "x" }, "deleted"])("a delete may answer %j, which says nothing", (json) => {
  expect(v10.readAnswer("DeleteTaskPushNotificationConfig", json)).toEqual({ value: {} });
});
