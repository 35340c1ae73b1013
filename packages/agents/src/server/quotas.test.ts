import { A2AError } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { CallerQuotas } from "./quotas.ts";

/** Returns the kind of the thrown error and when to retry, or "fine". */
function told(act: () => unknown): string {
  try {
    act();
    return "fine";
  } catch (error) {
    if (!(error instanceof A2AError)) throw error;
    return `${error.kind} ${error.facts["retryAfterSeconds"]}`;
  }
}

describe("requests a second", () => {
  test("may come at once up to a number, then as fast as the rate says, for each caller apart", () => {
    let time = 0;
    const quotas = new CallerQuotas({ requestsPerSecond: 2, burst: 3 }, () => time);
    const ask = (account = "a") => told(() => quotas.admit(account));
    expect([ask(), ask(), ask(), ask(), ask("b")]).toEqual(["fine", "fine", "fine", "TooManyRequests 1", "fine"]);
    time = 499;
    expect(ask()).toBe("TooManyRequests 1");
    time = 500;
    expect([ask(), ask()]).toEqual(["fine", "TooManyRequests 1"]);
    time = 60_000;
    expect([ask(), ask(), ask(), ask()]).toEqual(["fine", "fine", "fine", "TooManyRequests 1"]);
  });

  test("may be less than one: the answer says when there is one again", () => {
    const quotas = new CallerQuotas({ requestsPerSecond: 0.1, burst: 1 }, () => 0);
    expect([told(() => quotas.admit("a")), told(() => quotas.admit("a"))]).toEqual(["fine", "TooManyRequests 10"]);
  });

  test("that are refused cost nothing more", () => {
    let time = 0;
    const quotas = new CallerQuotas({ requestsPerSecond: 1, burst: 1 }, () => time);
    quotas.admit("a");
    for (let n = 0; n < 100; n++) told(() => quotas.admit("a"));
    time = 1_000;
    expect(told(() => quotas.admit("a"))).toBe("fine");
  });

  test("are not limited unless it is said", () => {
    const quotas = new CallerQuotas({}, () => 0);
    for (let n = 0; n < 1_000; n++) quotas.admit("a");
  });
});

describe("streams", () => {
  test("of a caller are counted while they are open", () => {
    const quotas = new CallerQuotas({ streams: 2 }, () => 0);
    const close = quotas.openStream("a");
    quotas.openStream("a");
    expect(told(() => quotas.openStream("a"))).toBe("TooManyRequests 1");
    expect(told(() => quotas.openStream("b"))).toBe("fine");
    close();
    close();
    expect([told(() => quotas.openStream("a")), told(() => quotas.openStream("a"))]).toEqual([
      "fine",
      "TooManyRequests 1",
    ]);
  });
});
