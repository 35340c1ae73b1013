import { expect, test } from "vitest";
import type { Call } from "../../define/call.ts";
import { SharedCalls } from "./shared-calls.ts";

const callOf = (name: string): Call => ({ operation: name }) as unknown as Call;

test("a request of one name is sent once", async () => {
  const shared = new SharedCalls();
  let sent = 0;
  const ask = (name: string) => shared.once(name, async () => callOf(`${name} ${++sent}`));
  const [first, again, other] = await Promise.all([ask("a"), ask("a"), ask("b")]);
  expect(again).toBe(first);
  expect(other).not.toBe(first);
  expect(sent).toBe(2);
});

test("a request that could not be made is sent again", async () => {
  const shared = new SharedCalls();
  const failing = async (): Promise<Call> => {
    throw new Error("interrupted");
  };
  await expect(shared.once("a", failing)).rejects.toThrow("interrupted");
  expect(shared.has("a")).toBe(false);
  expect(await shared.once("a", async () => callOf("a"))).toEqual(callOf("a"));
});
