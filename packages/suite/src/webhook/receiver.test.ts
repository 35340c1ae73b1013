import { expect, onTestFinished, test } from "vitest";
import { droppedNote } from "./dropped-note.ts";
import { type ReceiverOptions, startReceiver, type WebhookReceiver } from "./receiver.ts";

async function receiverWith(more: Partial<ReceiverOptions> = {}): Promise<WebhookReceiver> {
  const receiver = await startReceiver({ host: "127.0.0.1", port: 0, ...more });
  onTestFinished(() => receiver.close());
  return receiver;
}

const post = async (url: string, body: string): Promise<number> =>
  (await fetch(url, { method: "POST", body, headers: { "X-Odd": "kept" } })).status;

test("what is posted to a mailbox is kept as it came, and answered as the mailbox says", async () => {
  const box = (await receiverWith()).mailbox((_delivery, nth) => (nth === 1 ? 503 : 204));
  expect(await post(box.url, "one")).toBe(503);
  expect(await post(box.url, "two")).toBe(204);
  expect(box.deliveries.map(({ body }) => Buffer.from(body).toString())).toEqual(["one", "two"]);
  expect(box.deliveries[0]?.method).toBe("POST");
  expect(box.deliveries[0]?.headers).toContainEqual(["X-Odd", "kept"]);
});

test("a mailbox can close the connection instead of answering", async () => {
  const box = (await receiverWith()).mailbox(() => "close");
  await expect(post(box.url, "one")).rejects.toThrow("fetch failed");
  expect(box.deliveries).toHaveLength(1);
});

test("a sender that asks for its token back gets it, and that is no notification", async () => {
  const box = (await receiverWith()).mailbox();
  const answer = await fetch(`${box.url}?validationToken=eyJh.bG-ci_42`);
  expect([answer.status, await answer.text()]).toEqual([200, "eyJh.bG-ci_42"]);
  expect(box.deliveries).toEqual([]);
  await fetch(`${box.url}?validationToken=<script>`);
  expect(box.deliveries.map(({ method }) => method)).toEqual(["GET"]);
});

test("an address that was never given out is answered with 404, and proves nothing", async () => {
  const receiver = await receiverWith();
  const box = receiver.mailbox();
  expect(await post(`${box.url}x`, "guess")).toBe(404);
  expect(box.deliveries).toEqual([]);
  expect(receiver.reachable).toBe(false);
});

test("the agent reaches us when something came, or when the operator says so", async () => {
  const undeclared = await receiverWith();
  expect(undeclared.reachable).toBe(false);
  await post(undeclared.mailbox().url, "here I am");
  expect(undeclared.reachable).toBe(true);
  expect((await receiverWith({ declared: true })).reachable).toBe(true);
});

test("addresses are those the agent can use, where the operator names another one", async () => {
  const box = (await receiverWith({ url: "https://hooks.example/assay/" })).mailbox();
  expect(box.url).toMatch(/^https:\/\/hooks\.example\/assay\/[0-9a-f-]{36}$/);
});

test("waiting ends with what was waited for", async () => {
  const box = (await receiverWith()).mailbox();
  const both = box.wait((deliveries) => deliveries.length === 2, 10_000);
  await post(box.url, "one");
  await post(box.url, "two");
  expect((await both).length).toBe(2);
});

test("waiting ends with the time, and with what came until then", async () => {
  const box = (await receiverWith()).mailbox();
  await post(box.url, "one");
  expect((await box.wait(() => false, 1)).length).toBe(1);
});

test("a body beyond the limit is left out, and the delivery still counts", async () => {
  const box = (await receiverWith({ limits: { bodyBytes: 10 } })).mailbox();
  await post(box.url, "x".repeat(11));
  await post(box.url, "x".repeat(10));
  expect(box.deliveries.map(({ cut, body }) => [cut, body.length])).toEqual([
    [true, 0],
    [false, 10],
  ]);
});

test("of many deliveries only so many are kept, and the rest is counted and turned away", async () => {
  const receiver = await receiverWith({ limits: { deliveriesPerMailbox: 2 } });
  const box = receiver.mailbox();
  const answers = [await post(box.url, "1"), await post(box.url, "2"), await post(box.url, "3")];
  expect(answers).toEqual([200, 200, 429]);
  expect([box.deliveries.length, receiver.dropped]).toEqual([2, { notifications: 1, bodies: 0 }]);
  expect(await post(receiver.mailbox().url, "another box")).toBe(200);
});

test("a flood closes the receiver, and missing notifications prove nothing afterwards", async () => {
  const receiver = await receiverWith({ limits: { deliveriesPerMailbox: 1, turnedAway: 2 } });
  const box = receiver.mailbox();
  await post(box.url, "1");
  expect([receiver.reachable, receiver.isFlooded]).toEqual([true, false]);
  for (const _ of [1, 2, 3]) await post(box.url, "more").catch(() => {});
  expect([receiver.reachable, receiver.isFlooded]).toEqual([false, true]);
  await expect(post(box.url, "still more")).rejects.toThrow();
});

test("all bodies together take no more memory than they may", async () => {
  const receiver = await receiverWith({ limits: { keptBytes: 10 } });
  const [one, other] = [receiver.mailbox(), receiver.mailbox()];
  await post(one.url, "x".repeat(8));
  await post(other.url, "x".repeat(8));
  expect([one.deliveries[0]?.cut, other.deliveries[0]?.cut]).toEqual([false, true]);
  expect(receiver.dropped).toEqual({ notifications: 0, bodies: 1 });
});

test("a sender that is left waiting does not keep the receiver open", async () => {
  const receiver = await startReceiver({ host: "127.0.0.1", port: 0 });
  const box = receiver.mailbox(() => new Promise<number>(() => {}));
  const waiting = post(box.url, "hello?").catch(() => "hung up");
  await box.wait((deliveries) => deliveries.length === 1, 10_000);
  await receiver.close();
  expect(await waiting).toBe("hung up");
});

test.each([
  [{ notifications: 0, bodies: 0 }, false, undefined],
  [{ notifications: 1, bodies: 0 }, false, "The webhook receiver dropped 1 notification: more came than it keeps."],
  [
    { notifications: 700, bodies: 2 },
    false,
    "The webhook receiver dropped 700 notifications and the body of 2 more notifications: more came than it keeps.",
  ],
  [
    { notifications: 5_001, bodies: 0 },
    true,
    "The webhook receiver dropped 5001 notifications: more came than it keeps. A flood of requests closed the webhook receiver: rules about later notifications are not examined.",
  ],
  [
    { notifications: 0, bodies: 0 },
    true,
    "A flood of requests closed the webhook receiver: rules about later notifications are not examined.",
  ],
])("the report says what was dropped: %j", (dropped, isFlooded, note) => {
  expect(droppedNote({ dropped, isFlooded } as WebhookReceiver)).toBe(note);
});
