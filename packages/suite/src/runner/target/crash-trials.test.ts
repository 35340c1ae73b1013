import type { FailureCode, Reply } from "@assay/wire";
import { describe, expect, test } from "vitest";
import type { Call } from "../../define/call.ts";
import { type AnsweredRequest, bySuspicion, type Crash, CrashTrials, type Suspect } from "./crash-trials.ts";
import { Restarts } from "./restarts.ts";

let issued = 0;
const callOf = (code?: FailureCode, fair = false, body?: string): Call => {
  issued += 1;
  const reply: Reply = code ? { is: "failure", failure: { code, message: "no" } } : { is: "result", json: {} };
  const request = { method: "POST", url: "http://127.0.0.1/", headers: [], body: Buffer.from(body ?? String(issued)) };
  const http = { request, ...(!code && { response: { status: 200, headers: [] } }) };
  return {
    exchange: { id: `x${issued}`, http, transport: { reused: false } },
    on: { url: "http://127.0.0.1/", binding: "JSONRPC", dialect: "1.0" },
    operation: "GetTask",
    reply,
    said: reply,
    fair,
    streamed: false,
  } as unknown as Call;
};

/** A process that ends when it is told to. */
function mortal() {
  const process = {
    starts: 1,
    isDead: false,
    answers() {},
    ending: async () => (process.isDead ? "The agent ended with exit code 3" : undefined),
    restart() {
      process.starts += 1;
      process.isDead = false;
    },
  };
  return process;
}

function trialsWith({ isUp = true, process }: { isUp?: boolean; process?: ReturnType<typeof mortal> } = {}) {
  const told: { crashes: readonly Crash[]; cleared: readonly Call[] }[] = [];
  const clock = { now: 0 };
  const restarts = process && new Restarts({ process, isUp: async () => isUp, onRestart: () => trials.exited() });
  const trials: CrashTrials = new CrashTrials({
    restarts,
    isBack: async (control) => {
      await restarts?.recover();
      return isUp && control(0);
    },
    settled: async () => {},
    onTried: (crashes, cleared) => void told.push({ crashes, cleared }),
    now: () => clock.now,
    sleep: async (ms) => {
      clock.now += ms;
    },
  });
  return { trials, told, clock, restarts };
}

/** A stream whose response began, and broke off before its first event. */
const brokenOff = (): Call => {
  const call = callOf("closed-early");
  const reply: Reply = { is: "stream", events: [], failure: { code: "closed-early", message: "no" } };
  return { ...call, operation: "SubscribeToTask", reply, said: reply, streamed: true } as Call;
};

const suspect = (send: () => Call, more: Partial<Suspect<Call>> = {}): Suspect<Call> => ({
  call: callOf("reset"),
  observation: "requests with wrong parameters",
  check: undefined,
  again: async () => {
    const call = send();
    return { value: call, call };
  },
  twin: async () => callOf(),
  control: async () => true,
  kept: async () => true,
  mostCuts: Number.POSITIVE_INFINITY,
  ...more,
});

describe("a request at which the process of the agent exits", () => {
  test("twice when it is sent alone is a crash", async () => {
    const process = mortal();
    const { trials } = trialsWith({ process });
    const deadly = suspect(() => {
      process.isDead = true;
      return callOf("closed-early");
    });
    const trial = await trials.try(deadly);
    expect(trial.is).toBe("crash");
    const [crash] = trials.all;
    expect(crash).toMatchObject({
      observation: "requests with wrong parameters",
      saw: "The agent ended with exit code 3, within 2 s of this request, 2 of 2 times that Assay sent it alone",
    });
    expect(trials.of(crash!.call.exchange.id)).toBe(crash);
    expect(process.starts).toBe(3);
  });

  test("once, and is answered then, is none", async () => {
    const process = mortal();
    const { trials } = trialsWith({ process });
    let sent = 0;
    const trial = await trials.try(
      suspect(() => {
        sent += 1;
        process.isDead = sent === 1;
        return sent === 1 ? callOf("reset") : callOf();
      }),
    );
    expect(trial.is).toBe("answered");
    expect(trials.all).toEqual([]);
  });
});

describe("a request that ends the connections of an agent whose process we cannot see", () => {
  test("three times, while twins of it are answered, is a crash", async () => {
    let twins = 0;
    const { trials } = trialsWith();
    const twin = async () => {
      twins += 1;
      return callOf();
    };
    expect((await trials.try(suspect(() => callOf("reset"), { twin }))).is).toBe("crash");
    expect(twins).toBe(3);
    expect(trials.all[0]?.saw).toMatch(/^The connection closed without a response, 3 of 3 times .* were answered$/);
  });

  test.each<[string, Partial<Suspect<Call>>]>([
    ["a twin of it does so too", { twin: async () => callOf("reset") }],
    ["no message is left for a twin", { twin: async () => undefined }],
    ["the agent answers no control call", { control: async () => false }],
    ["it is a message that the agent may be at work on", { mostCuts: 1 }],
  ])("is not proven to where %s", async (_, more) => {
    const { trials } = trialsWith();
    expect((await trials.try(suspect(() => callOf("reset"), more))).is).toBe("undecided");
    expect(trials.all).toEqual([]);
  });

  test("two times of three is none", async () => {
    const { trials } = trialsWith();
    let sent = 0;
    const trial = await trials.try(suspect(() => (++sent < 3 ? callOf("reset") : callOf())));
    expect(trial.is).toBe("answered");
  });

  test("is not blamed for a connection that was refused", async () => {
    const { trials } = trialsWith();
    expect((await trials.try(suspect(() => callOf("connect-refused")))).is).toBe("undecided");
  });
});

test("requests that were in flight together are sent one at a time, the malformed ones first", async () => {
  const process = mortal();
  const { trials, told } = trialsWith({ process });
  const order: string[] = [];
  let inFlight = 0;
  const sends = (name: string, fair: boolean, isDeadly = false): Suspect<Call> => {
    const call = callOf("reset", fair);
    const again = async () => {
      order.push(name);
      inFlight += 1;
      expect(inFlight).toBe(1);
      await new Promise((resolve) => setImmediate(resolve));
      inFlight -= 1;
      process.isDead = isDeadly;
      const sent = isDeadly ? callOf("reset") : callOf();
      return { value: sent, call: sent };
    };
    return { ...suspect(() => call), call, again };
  };
  const results = await Promise.all([
    trials.try(sends("message", true)),
    trials.try(sends("call", true)),
    trials.try(sends("malformed", false)),
    trials.try(sends("deadly", false, true)),
  ]);
  expect(results.map(({ is }) => is)).toEqual(["answered", "answered", "answered", "crash"]);
  expect(order).toEqual(["malformed", "deadly", "deadly", "message", "call"]);
  await trials.ready();
  expect(told.map(({ crashes, cleared }) => [crashes.length, cleared.length])).toEqual([[1, 3]]);
});

test("a request that was proven to be deadly is not sent again for another rule", async () => {
  const { trials } = trialsWith();
  const deadly = (id: string): Call => callOf("reset", false, `{"id":1,"message":"${id}"}`);
  let sent = 0;
  const again = (id: string) => async () => {
    sent += 1;
    const call = deadly(id);
    return { value: call, call };
  };
  const [one, other] = ["0f0c3011-14ae-8192-990a-cdd6c24e2dc6", "3a1b4856-43de-5404-165c-afb0a54a7ad8"] as const;
  const first = suspect(() => callOf("reset"), { call: deadly(one), again: again(one) });
  expect((await trials.try(first)).is).toBe("crash");
  const noTwin = { twin: async () => undefined };
  const second = suspect(() => callOf("reset"), {
    call: deadly(other),
    again: again(other),
    check: "SEC-010",
    ...noTwin,
  });
  expect((await trials.try(second)).is).toBe("crash");
  expect(sent).toBe(3);
  expect(trials.of(second.call.exchange.id)).toMatchObject({ check: "SEC-010", saw: trials.all[0]?.saw });
});

test("an error of sending again is that of the request, and holds up no other", async () => {
  const { trials } = trialsWith();
  const failing = suspect(() => {
    throw new Error("no message left");
  });
  await expect(trials.try(failing)).rejects.toThrow("no message left");
  expect((await trials.try(suspect(() => callOf()))).is).toBe("answered");
});

test("after many crashes no more malformed requests are sent", async () => {
  const { trials } = trialsWith();
  for (let count = 0; count < 8; count++) {
    expect(trials.isEnough).toBe(false);
    await trials.try(suspect(() => callOf("reset")));
  }
  expect(trials.isEnough).toBe(true);
});

test("suspects are sorted by whether they were malformed, then by when they were sent", () => {
  const [fair, early, late] = [callOf("reset", true), callOf("reset"), callOf("reset")];
  expect([late, fair, early].toSorted(bySuspicion)).toEqual([early, late, fair]);
});

describe("a stream that breaks off before its first event", () => {
  const tried = (more: Partial<Suspect<Call>>, send = brokenOff) => {
    const { trials } = trialsWith();
    return trials.try(suspect(send, { call: brokenOff(), ...more })).then((trial) => ({ trial, trials }));
  };

  test("again, while a kept connection outlives it, is what the agent answers", async () => {
    const { trial, trials } = await tried({});
    expect(trial.is).toBe("broken-off");
    expect(trials.all).toEqual([]);
  });

  test("once, and is answered then, is not", async () => {
    const { trial } = await tried({}, () => callOf());
    expect(trial.is).toBe("answered");
  });

  test("is tried like a lost connection where every connection ends with it", async () => {
    const { trial } = await tried({ kept: async () => false });
    expect(trial.is).toBe("crash");
  });

  test("is a crash where the process exits", async () => {
    const process = mortal();
    const { trials } = trialsWith({ process });
    const send = (): Call => {
      process.isDead = true;
      return brokenOff();
    };
    expect((await trials.try(suspect(send, { call: brokenOff() }))).is).toBe("crash");
  });
});

describe("a request that is answered before the process exits", () => {
  /** Five malformed requests, the third of which ends the process a moment after its answer, as `ends` says. */
  async function exitAfter({ ends, twinEnds = () => false }: { ends: () => boolean; twinEnds?: () => boolean }) {
    const process = mortal();
    const set = trialsWith({ process });
    const sent: string[] = [];
    const requestOf = (name: string): AnsweredRequest => ({
      call: callOf(undefined, false, name),
      observation: "requests with wrong parameters",
      check: undefined,
      again: async () => {
        sent.push(name);
        if (name === "c") process.isDead ||= ends();
        return callOf(undefined, false, name);
      },
      twin: async () => {
        sent.push("twin");
        process.isDead ||= twinEnds();
        return callOf(undefined, true);
      },
      control: async () => true,
    });
    for (const name of ["a", "b", "c", "d", "e"]) {
      set.trials.answered(requestOf(name));
      set.clock.now += 100;
    }
    process.isDead = true;
    await set.restarts?.recover();
    await set.trials.ready();
    return { ...set, sent, requestOf, process };
  }

  test("every time that it is sent alone, and never after its twins, is a crash", async () => {
    const { trials, told, sent } = await exitAfter({ ends: () => true });
    expect(trials.all).toMatchObject([
      {
        how: "exit-after-response",
        observation: "requests with wrong parameters",
        saw: "The agent ended with exit code 3, within 2 s of answering this request, 4 of 4 times that Assay sent it alone, and never after 4 well-formed requests of the same operation and size",
      },
    ]);
    expect(Buffer.from(trials.all[0]!.call.exchange.http.request.body).toString()).toBe("c");
    expect(sent.slice(-8)).toEqual(["twin", "twin", "c", "c", "c", "c", "twin", "twin"]);
    expect(told.map(({ crashes }) => crashes)).toEqual([trials.all]);
  });

  test("not every time is none, and it is named with the others", async () => {
    let times = 0;
    const { trials, told } = await exitAfter({ ends: () => ++times !== 6 });
    expect(trials.all).toEqual([]);
    expect(told.map(({ crashes, cleared }) => [crashes.length, cleared.length])).toEqual([[0, 5]]);
  });

  test("is none where the process exits after a twin too", async () => {
    let twins = 0;
    const { trials } = await exitAfter({ ends: () => true, twinEnds: () => ++twins === 4 });
    expect(trials.all).toEqual([]);
  });

  test("is none where the process exits at intervals, whatever is sent", async () => {
    let age = 0;
    const isOver = (): boolean => ++age % 3 === 0;
    const { trials } = await exitAfter({ ends: isOver, twinEnds: isOver });
    expect(trials.all).toEqual([]);
  });

  test("explains the next exit without being sent again", async () => {
    const { trials, told, sent, requestOf, process, restarts } = await exitAfter({ ends: () => true });
    const before = sent.length;
    trials.answered(requestOf("c"));
    process.isDead = true;
    await restarts?.recover();
    await trials.ready();
    expect(sent).toHaveLength(before);
    expect(told.at(-1)?.crashes).toEqual(trials.all);
  });

  test("is looked for after three exits at most", async () => {
    const { trials, told, sent, requestOf, process, restarts } = await exitAfter({ ends: () => false });
    const counts: number[] = [];
    for (let exits = 2; exits <= 4; exits++) {
      const before = sent.length;
      trials.answered(requestOf("a"));
      process.isDead = true;
      await restarts?.recover();
      await trials.ready();
      counts.push(sent.length - before);
    }
    expect(counts).toEqual([1, 1, 0]);
    expect(told).toHaveLength(4);
    expect(trials.isEnough).toBe(false);
  });

  test("may be the last of the run: the process is watched until 2 s after it", async () => {
    const process = mortal();
    const { trials, told, clock } = trialsWith({ process });
    const call = callOf();
    const again = async () => call;
    trials.answered({ call, observation: "o", check: undefined, again, twin: again, control: async () => true });
    clock.now += 500;
    process.isDead = true;
    await trials.end();
    expect(clock.now).toBe(2_000);
    expect(told).toHaveLength(1);
  });

  test("and cannot be sent again for want of a message is tried at the end of the run", async () => {
    const process = mortal();
    const { trials, restarts } = trialsWith({ process });
    let isLeft = false;
    const request: AnsweredRequest = {
      call: callOf(undefined, false, "deadly"),
      observation: "o",
      check: undefined,
      again: async () => {
        process.isDead = isLeft;
        return isLeft ? callOf(undefined, false, "deadly") : undefined;
      },
      twin: async () => callOf(undefined, true),
      control: async () => true,
    };
    trials.answered(request);
    process.isDead = true;
    await restarts?.recover();
    await trials.ready();
    expect(trials.all).toEqual([]);
    isLeft = true;
    await trials.end();
    expect(trials.all).toMatchObject([{ how: "exit-after-response" }]);
  });
});
