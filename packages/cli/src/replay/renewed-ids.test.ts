import { expect, test } from "vitest";
import { RenewedIds } from "./renewed-ids.ts";

const [task, later] = ["0886fddc-865b-44b9-8f57-a4b04a579bbc", "1111fddc-865b-44b9-8f57-a4b04a579bbc"];

test("what the agent calls a task now takes the place of what it called it then", () => {
  const ids = new RenewedIds();
  ids.learn({ task: { id: task } }, { task: { id: later } }, new Set([task]));
  expect(ids.text(`{"id":"${task}"}`)).toBe(`{"id":"${later}"}`);
  expect(ids.text(`/v1/tasks/${task}:cancel`, true)).toBe(`/v1/tasks/${later}:cancel`);
});

test("a short id is renewed only as a whole value", () => {
  const ids = new RenewedIds();
  ids.learn({ id: "7" }, { id: "12" }, new Set(["7"]));
  expect(ids.text('{"id":"7","pageSize":7,"text":"7 dwarfs"}')).toBe('{"id":"12","pageSize":7,"text":"7 dwarfs"}');
  expect(ids.text("/v1.7/tasks/7?historyLength=77", true)).toBe("/v1.7/tasks/12?historyLength=77");
});

test("a list in another order teaches nothing about tasks that were known before", () => {
  const ids = new RenewedIds();
  ids.learn({ tasks: [{ id: task }, { id: "t2" }] }, { tasks: [{ id: "t9" }, { id: later }] }, new Set());
  expect(ids.text(task)).toBe(task);
});

test("ids of the client are made up anew, the same one in the same way, and words stay words", () => {
  const ids = new RenewedIds();
  const message = { messageId: task, parts: [{ text: `order ${later}` }] };
  ids.renew({ message });
  const sent = JSON.parse(ids.text(JSON.stringify({ message }))) as { message: typeof message };
  expect(sent.message.messageId).not.toBe(task);
  expect(sent.message.parts).toEqual(message.parts);
  expect(ids.text(task)).toBe(sent.message.messageId);
  ids.renew({ message: { messageId: "m1" } });
  expect(ids.text('"m1"')).not.toBe('"m1"');
});
