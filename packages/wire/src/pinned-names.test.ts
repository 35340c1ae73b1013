import { expect, test } from "vitest";
import { createEgressGuard } from "./egress.ts";
import { pinnedNames } from "./pinned-names.ts";

/** A resolver that says something else each time, and counts how often it was asked. */
function changing(...answers: (string | Error)[]) {
  const asked: string[] = [];
  const resolve = async (hostname: string) => {
    asked.push(hostname);
    const answer = answers[Math.min(asked.length, answers.length) - 1]!;
    if (answer instanceof Error) throw answer;
    return [{ address: answer, family: 4 }];
  };
  return { asked, resolve };
}

test("a name is asked for once, until its time is over", async () => {
  let time = 0;
  const { asked, resolve } = changing("93.184.215.14", "10.0.0.1");
  const pinned = pinnedNames(resolve, 1_000, () => time);
  const first = await pinned("hook.test");
  time = 999;
  expect([await pinned("hook.test"), asked.length]).toEqual([first, 1]);
  time = 1_000;
  expect([await pinned("hook.test"), asked.length]).toEqual([[{ address: "10.0.0.1", family: 4 }], 2]);
});

test("calls at the same time share one question", async () => {
  const { asked, resolve } = changing("93.184.215.14");
  const pinned = pinnedNames(resolve, 1_000);
  await Promise.all([pinned("hook.test"), pinned("hook.test"), pinned("other.test")]);
  expect(asked).toEqual(["hook.test", "other.test"]);
});

test("a name that did not resolve is asked for again", async () => {
  const { asked, resolve } = changing(new Error("not found"), "93.184.215.14");
  const pinned = pinnedNames(resolve, 1_000);
  await expect(pinned("hook.test")).rejects.toThrow("not found");
  expect(await pinned("hook.test")).toEqual([{ address: "93.184.215.14", family: 4 }]);
  expect(asked).toHaveLength(2);
});

test("no more than a thousand names are remembered", async () => {
  const { asked, resolve } = changing("93.184.215.14");
  const pinned = pinnedNames(resolve, 1_000);
  for (let n = 0; n <= 1_000; n++) await pinned(`n${n}.test`);
  await pinned("n1000.test");
  expect(asked).toHaveLength(1_001);
  await pinned("n0.test");
  expect(asked).toHaveLength(1_002);
});

test("what a guard has judged it dials, though the name says something else by then", async () => {
  const { asked, resolve } = changing("93.184.215.14", "127.0.0.1");
  const guard = createEgressGuard({ lookup: resolve, pinMs: 60_000 });
  expect(await guard.checkUrl("http://rebind.test/")).toEqual({ allowed: true });
  const dialed = await new Promise((done) => {
    guard.lookup("rebind.test", {}, (_error, address) => done(address));
  });
  expect([dialed, asked.length]).toEqual(["93.184.215.14", 1]);
});
