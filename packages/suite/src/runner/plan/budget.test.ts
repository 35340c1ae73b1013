import type { PeerInterface } from "@assay/wire";
import { describe, expect, test } from "vitest";
import { Obstacle } from "../../define/obstacle.ts";
import { Budget } from "./budget.ts";

const on: PeerInterface = { url: "http://agent.test/", binding: "JSONRPC", dialect: "1.0" };
const other: PeerInterface = { ...on, binding: "HTTP+JSON" };

/** A send that is answered when it is told to, and how. */
function pending() {
  let answer: (how: "accepted" | "refused") => void = () => {};
  const answered = new Promise<"accepted" | "refused">((resolve) => {
    answer = resolve;
  });
  return { answered, answer };
}
const isAccepted = (answer: string): boolean => answer === "accepted";
const at = (budget: Budget, answer: "accepted" | "refused", place = on): Promise<string> =>
  budget.attempt({ on: place, by: undefined }, async () => answer, isAccepted);

describe("messages", () => {
  test("are counted, and not sent beyond the number that was announced", async () => {
    const budget = new Budget({ messages: 1, more: "--depth full" });
    await budget.take(undefined);
    await expect(budget.take(undefined)).rejects.toMatchObject({
      kind: { reason: "budget", enable: "--depth full", because: "the limit of 1 messages was reached before it" },
    });
    expect(budget.spent).toBe(1);
  });

  test("that the agent turned away unread are taken back", async () => {
    const budget = new Budget({ messages: 1, kept: new Map([["stream", 1]]) });
    const takeBack = await budget.take("stream");
    takeBack();
    expect(budget.spent).toBe(0);
    await budget.take("stream");
  });

  test("are kept for the observation they were granted to, whatever others repeat", async () => {
    const budget = new Budget({ messages: 3, kept: new Map(Object.entries({ task: 1, stream: 1 })) });
    await budget.take("task");
    await budget.take("task");
    await expect(budget.take("task")).rejects.toThrow(Obstacle);
    await budget.take("stream");
    expect(budget.spent).toBe(3);
  });

  test("that an observation did not need are for all", async () => {
    const budget = new Budget({ messages: 1, kept: new Map([["stream", 1]]) });
    await expect(at(budget, "refused")).rejects.toThrow(Obstacle);
    budget.release("stream");
    await at(budget, "refused");
  });
});

describe("what the agent should refuse", () => {
  test("costs nothing where it does, and is counted where it does not", async () => {
    const budget = new Budget({ messages: 1 });
    await at(budget, "refused");
    await at(budget, "refused");
    expect(budget.spent).toBe(0);
    await at(budget, "accepted");
    expect(budget.spent).toBe(1);
    await expect(at(budget, "refused")).rejects.toThrow(Obstacle);
  });

  test("waits until it is known whether the last message is still there", async () => {
    const budget = new Budget({ messages: 1 });
    const [first, second] = [pending(), pending()];
    const sent: string[] = [];
    const all = [first, second].map(({ answered }, index) =>
      budget.attempt(
        { on, by: undefined },
        () => {
          sent.push(`${index}`);
          return answered;
        },
        isAccepted,
      ),
    );
    const third = at(budget, "refused");
    await Promise.resolve();
    expect(sent).toEqual(["0"]);
    first.answer("refused");
    await all[0];
    second.answer("accepted");
    await all[1];
    expect(sent).toEqual(["0", "1"]);
    await expect(third).rejects.toThrow(Obstacle);
  });

  test("waits for what the observations in progress return, in all the announced number", async () => {
    const budget = new Budget({ messages: 2, kept: new Map([["stream", 2]]) });
    budget.begin("stream");
    const [first, second] = [at(budget, "accepted"), at(budget, "refused")];
    await budget.isDry;
    await budget.take("stream");
    budget.release("stream");
    await first;
    await expect(second).rejects.toThrow("the limit of 2 messages was reached before it");
    expect(budget.spent).toBe(2);
  });

  test("does not wait for observations that wait themselves, or have not begun", async () => {
    const budget = new Budget({ messages: 3, kept: new Map(Object.entries({ task: 1, stream: 1, later: 1 })) });
    const place = pending();
    budget.begin("task");
    budget.begin("stream");
    const tried = budget.attempt({ on, by: "task" }, async () => "refused", isAccepted);
    await budget.isDry;
    const turn = budget.standBy("stream", () => place.answered);
    await expect(tried).rejects.toThrow("the rest of the 3 messages was reserved for other rules");
    place.answer("refused");
    await turn;
  });

  test("a request that fails on our side is none that was accepted", async () => {
    const budget = new Budget({ messages: 1 });
    const failing = async (): Promise<string> => {
      throw new TypeError("ours");
    };
    await expect(budget.attempt({ on, by: undefined }, failing, isAccepted)).rejects.toThrow("ours");
    await at(budget, "refused");
  });

  test("where none is announced, each interface may accept one before no more are sent there", async () => {
    const budget = new Budget({ messages: 0, mayAccept: [on, other] });
    await at(budget, "accepted");
    await expect(at(budget, "refused")).rejects.toThrow("accepted a malformed message over this interface");
    await at(budget, "accepted", other);
    expect(budget.spent).toBe(2);
  });

  test("what was accepted while the versions were asked for is that one", async () => {
    const budget = new Budget({ messages: 0, mayAccept: [on, other], acceptedAt: [on.url] });
    expect(budget.spent).toBe(1);
    await expect(at(budget, "refused")).rejects.toThrow(Obstacle);
    await at(budget, "refused", other);
  });
});

test("what is kept for one observation pays for another that is made in its place, unless something is kept for that", async () => {
  const budget = new Budget({
    messages: 3,
    kept: new Map([
      ["a", 1],
      ["b", 1],
      ["c", 1],
    ]),
  });
  budget.pass("a", "shared");
  budget.pass("b", "shared");
  budget.pass("none", "c");
  await budget.take("shared");
  await budget.take("b");
  await expect(budget.take("a")).rejects.toThrow();
  await budget.take("c");
  expect(budget.spent).toBe(3);
});
