import { setTimeout as wait } from "node:timers/promises";
import type { TaskPushNotificationConfig } from "@assay/protocol";
import { Ledger } from "@assay/wire/server";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Clock } from "../definition/clock.ts";
import { FakeClock, settle } from "../definition/fake-clock.fixture.ts";
import type { PostResult } from "../definition/layers.ts";
import type { DeadLetter, Recipient } from "../store/dead-letter.ts";
import { type PushDelivery, type PushDeliveryOptions, QueuedDelivery } from "./delivery.ts";
import { hang, inTurn, ok, outboundWith, type Receiver, receiver, say } from "./receiver.fixture.ts";

/** A clock a hundred times as fast that records its sleeps. */
function swiftClock(): Clock & { slept: number[] } {
  const slept: number[] = [];
  return {
    slept,
    now: () => Date.now(),
    async sleep(ms, signal) {
      slept.push(ms);
      await wait(ms / 100, undefined, { signal });
    },
  };
}

interface Line extends PushDelivery {
  readonly outcomes: string[];
  readonly slept: number[];
  /** undelivered notifications, and their recipients */
  readonly letters: { readonly recipient: Recipient; readonly letter: DeadLetter }[];
  /** Resolves when this many notifications are settled. */
  settled(notifications: number): Promise<void>;
}

/** A delivery over real HTTP, closed after the test. */
function lineTo(
  url: string,
  config: Partial<TaskPushNotificationConfig> = {},
  options: Partial<PushDeliveryOptions> = {},
): Line {
  const clock = swiftClock();
  const outcomes: string[] = [];
  const letters: Line["letters"] = [];
  const waiting: { notifications: number; resolve: () => void }[] = [];
  const settledSoFar = () => outcomes.filter((outcome) => outcome !== "retried").length;
  const delivery = new QueuedDelivery(
    { url, taskId: "t", ...config },
    {
      clock,
      ledger: new Ledger(),
      chance: () => 1,
      onUndelivered: (recipient, letter) => letters.push({ recipient, letter }),
      post: options.post ?? outboundWith().post,
      onOutcome(outcome) {
        outcomes.push(outcome);
        for (const each of waiting) if (settledSoFar() >= each.notifications) each.resolve();
      },
      ...options,
    },
    { contentType: "application/a2a+json", account: "here", scope: "full\n\n" },
  );
  onTestFinished(() => delivery.close());
  return {
    post: (body) => delivery.post(body),
    finish: (done) => delivery.finish(done),
    close: (reason) => delivery.close(reason),
    outcomes,
    letters,
    slept: clock.slept,
    settled: (notifications) =>
      new Promise((resolve) => {
        waiting.push({ notifications, resolve });
        if (settledSoFar() >= notifications) resolve();
      }),
  };
}

const bodies = ({ heard }: Receiver): string[] => heard.map(({ body }) => body);

describe("a notification", () => {
  test("is a POST with the body as it was given, and says of what kind it is", async () => {
    const hook = await receiver();
    const line = lineTo(`${hook.url}?for=me`);
    line.post('{"statusUpdate":{"text":"grüße"}}');
    await line.settled(1);
    expect(hook.heard).toEqual([
      {
        method: "POST",
        path: "/hook?for=me",
        headers: {
          connection: "keep-alive",
          "content-length": "35",
          "content-type": "application/a2a+json",
          host: new URL(hook.url).host,
          "user-agent": "a2a-assay/0.0.0-test",
        },
        body: '{"statusUpdate":{"text":"grüße"}}',
      },
    ]);
    expect(line.outcomes).toEqual(["delivered"]);
  });

  test.each([
    [{ authentication: { scheme: "Bearer", credentials: "s3cret" } }, "Bearer s3cret", undefined],
    [{ authentication: { scheme: "Basic", credentials: "dTpw" }, token: "t0ken" }, "Basic dTpw", "t0ken"],
    [{ authentication: { scheme: "Negotiate" } }, "Negotiate", undefined],
    [{ token: "t0ken" }, undefined, "t0ken"],
    [{ token: "" }, undefined, undefined],
  ])("carries what its configuration says: %j", async (config, authorization, token) => {
    const hook = await receiver();
    const line = lineTo(hook.url, config);
    line.post("{}");
    await line.settled(1);
    const { headers } = hook.heard[0]!;
    expect([headers.authorization, headers["x-a2a-notification-token"]]).toEqual([authorization, token]);
  });

  test("comes after the one before it was taken, however long that takes", async () => {
    let busy = 0;
    let most = 0;
    const hook = await receiver((response) => {
      most = Math.max(most, ++busy);
      setTimeout(() => {
        busy--;
        ok(response, 0);
      }, 3);
    });
    const line = lineTo(hook.url);
    const sent = Array.from({ length: 20 }, (_, n) => `${n}`);
    for (const body of sent) line.post(body);
    await line.settled(20);
    expect([bodies(hook), most]).toEqual([sent, 1]);
  });
});

describe("trouble that may pass", () => {
  test.each([500, 502, 503, 429, 408, 425])("is tried again with growing pauses: %s", async (status) => {
    const hook = await receiver(inTurn(say(status), say(status), say(status)));
    const line = lineTo(hook.url);
    line.post("one");
    line.post("two");
    await line.settled(2);
    expect(bodies(hook)).toEqual(["one", "one", "one", "one", "two"]);
    expect([line.slept, line.outcomes]).toEqual([
      [500, 2_000, 8_000],
      ["retried", "retried", "retried", "delivered", "delivered"],
    ]);
  });

  test("is given up after four more attempts, and the next notification has its own chance", async () => {
    const hook = await receiver(inTurn(...Array.from({ length: 5 }, () => say(500))));
    const line = lineTo(hook.url);
    line.post("one");
    line.post("two");
    await line.settled(2);
    expect(bodies(hook)).toEqual([...Array(5).fill("one"), "two"]);
    expect(line.slept).toEqual([500, 2_000, 8_000, 20_000]);
    expect(line.outcomes.filter((outcome) => outcome !== "retried")).toEqual(["given-up", "delivered"]);
  });

  test("is a connection that is refused, too", async () => {
    const hook = await receiver();
    const line = lineTo("http://127.0.0.1:1/hook", {}, { post: refusedTwice(hook.url) });
    line.post("one");
    await line.settled(1);
    expect([bodies(hook), line.slept, line.outcomes]).toEqual([
      ["one"],
      [500, 2_000],
      ["retried", "retried", "delivered"],
    ]);
  });

  /** No server listens on port 1 of this machine; the third attempt goes to one that does. */
  function refusedTwice(url: string): PushDeliveryOptions["post"] {
    const { post } = outboundWith();
    let attempts = 0;
    return (dead, ...rest) => post(++attempts > 2 ? url : dead, ...rest);
  }

  test("is a connection that is cut, too", async () => {
    const hook = await receiver(inTurn((response) => response.destroy()));
    const line = lineTo(hook.url);
    line.post("one");
    await line.settled(1);
    expect([bodies(hook), line.outcomes]).toEqual([
      ["one", "one"],
      ["retried", "delivered"],
    ]);
  });

  test("is a webhook that does not answer in time, too", async () => {
    const clock = new FakeClock();
    const seen: string[] = [];
    const line = lineTo(
      "http://hook.test/",
      {},
      {
        clock,
        post: async (_url, _headers, body) => {
          seen.push(body);
          return seen.length === 1 ? { failure: "timeout-idle" } : { status: 200 };
        },
      },
    );
    line.post("one");
    await clock.pass(499);
    expect(seen).toEqual(["one"]);
    await clock.pass(1);
    expect([seen, line.outcomes]).toEqual([
      ["one", "one"],
      ["retried", "delivered"],
    ]);
  });
});

describe("a refusal is final for its notification", () => {
  test.each([
    ["400", say(400)],
    ["401", say(401)],
    ["404", say(404)],
    ["410", say(410)],
    ["a redirect", say(307, { Location: "http://127.0.0.1:1/elsewhere" })],
    ["another redirect", say(301, { Location: "/other" })],
    ["304", say(304)],
  ])("%s", async (_name, answer) => {
    const hook = await receiver(inTurn(answer));
    const line = lineTo(hook.url);
    line.post("one");
    line.post("two");
    await line.settled(2);
    expect([hook.heard.map(({ path, body }) => `${path} ${body}`), line.outcomes, line.slept]).toEqual([
      ["/hook one", "/hook two"],
      ["given-up", "delivered"],
      [],
    ]);
  });

  test("a name that resolves to this machine, where this machine is off limits", async () => {
    const hook = await receiver();
    const lookup = async () => [{ address: "127.0.0.1", family: 4 }];
    const line = lineTo(hook.url.replace("127.0.0.1", "hook.test"), {}, { post: outboundWith({ lookup }).post });
    line.post("one");
    await line.settled(1);
    expect([hook.heard, line.outcomes, line.slept]).toEqual([[], ["given-up"], []]);
  });

  test("the same name is called where this machine may be called", async () => {
    const hook = await receiver();
    const lookup = async () => [{ address: "127.0.0.1", family: 4 }];
    const post = outboundWith({ lookup, allowLoopback: true }).post;
    const line = lineTo(hook.url.replace("127.0.0.1", "hook.test"), {}, { post });
    line.post("one");
    await line.settled(1);
    expect([bodies(hook), line.outcomes]).toEqual([["one"], ["delivered"]]);
  });

  test("what cannot be sent at all, and nothing else suffers", async () => {
    const line = lineTo(
      "http://127.0.0.1:1/",
      {},
      {
        post: async (_url, _headers, body) => {
          if (body === "one") throw new TypeError("Invalid character in header content");
          return { status: 200 };
        },
      },
    );
    line.post("one");
    line.post("two");
    await line.settled(2);
    expect(line.outcomes).toEqual(["given-up", "delivered"]);
  });
});

describe("a webhook that never works", () => {
  test("is not called again after it missed three notifications in a row", async () => {
    const hook = await receiver(say(400));
    const line = lineTo(hook.url);
    for (const body of ["one", "two", "three", "four", "five"]) line.post(body);
    await line.settled(5);
    expect(bodies(hook)).toEqual(["one", "two", "three"]);
    expect(line.outcomes).toEqual(["given-up", "given-up", "given-up", "dropped", "dropped"]);
  });

  test("is forgiven when it works in between", async () => {
    const no = say(400);
    const hook = await receiver(inTurn(no, no, ok, no, no, ok));
    const line = lineTo(hook.url);
    for (let n = 1; n <= 6; n++) line.post(`${n}`);
    await line.settled(6);
    expect(bodies(hook)).toEqual(["1", "2", "3", "4", "5", "6"]);
  });

  test("delays no other webhook", async () => {
    const [hanging, well] = [await receiver(hang), await receiver()];
    const post = outboundWith().post;
    const [stuck, other] = [lineTo(hanging.url, {}, { post }), lineTo(well.url, {}, { post })];
    for (const body of ["one", "two", "three"]) {
      stuck.post(body);
      other.post(body);
    }
    await Promise.all([other.settled(3), hanging.count(1)]);
    expect([bodies(well), bodies(hanging), stuck.outcomes]).toEqual([["one", "two", "three"], ["one"], []]);
  });

  test("gets the final event even if its queue is full and drops others", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const seen: string[] = [];
    const line = lineTo(
      "http://hook.test/",
      {},
      {
        post: async (_url, _headers, body) => {
          if (seen.push(body) === 1) await held;
          return { status: 200 };
        },
      },
    );
    line.post("first");
    for (let n = 1; n <= 1_200; n++) line.post(`${n}`);
    line.post("the end");
    expect(line.outcomes).toEqual(Array(201).fill("dropped"));
    release();
    await line.settled(201 + 1_001);
    expect([seen[0], seen[1], seen.length, seen.at(-1)]).toEqual(["first", "202", 1_001, "the end"]);
  });
});

describe("what could not be delivered is kept", () => {
  const secret = { id: "c", token: "t0ken", authentication: { scheme: "Bearer", credentials: "s3cret" } };

  test("with how far it came, and without what is secret", async () => {
    const hook = await receiver(say(503, { "Retry-After": "0" }));
    const address = hook.url.replace("http://", "http://user:pass@");
    const line = lineTo(`${address}/p4th?key=qu3ry`, secret, { retries: { attempts: 2, withinMs: 60_000 } });
    line.post('{"statusUpdate":{}}');
    await line.settled(1);
    expect(line.letters).toEqual([
      {
        recipient: { scope: "full\n\n", account: "here" },
        letter: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          taskId: "t",
          configId: "c",
          origin: new URL(hook.url).origin,
          at: expect.stringMatching(/^\d{4}-.*Z$/),
          reason: "failed",
          status: 503,
          attempts: 2,
          body: '{"statusUpdate":{}}',
          bodyBytes: 19,
        },
      },
    ]);
    expect(JSON.stringify(line.letters)).not.toMatch(/t0ken|s3cret|user|pass|p4th|qu3ry/);
  });

  test.each<[string, () => Promise<PostResult>, object]>([
    ["a refusal", async () => ({ status: 410 }), { reason: "refused", status: 410, attempts: 1 }],
    ["a redirect", async () => ({ status: 302 }), { reason: "refused", status: 302, attempts: 1 }],
    [
      "an address that is off limits",
      async () => ({ failure: "refused-by-guard", final: true }),
      { reason: "off-limits", failure: "refused-by-guard", attempts: 1 },
    ],
    [
      "a connection that is not accepted",
      async () => ({ failure: "connect-refused" }),
      { reason: "failed", failure: "connect-refused", attempts: 5 },
    ],
    [
      "what cannot be written",
      () => Promise.reject(new TypeError("t0ken")),
      { reason: "unsendable", failure: "unsendable", attempts: 1 },
    ],
  ])("after %s", async (_what, post, trouble) => {
    const line = lineTo("http://hook.test/", secret, { post });
    line.post("{}");
    await line.settled(1);
    expect(line.letters.map(({ letter }) => letter)).toEqual([expect.objectContaining(trouble)]);
  });

  test("also where it was not tried any more, or not at all", async () => {
    const line = lineTo("http://hook.test/", {}, { post: async () => ({ status: 400 }) });
    for (const body of ["1", "2", "3", "4"]) line.post(body);
    await line.settled(4);
    expect(line.letters.map(({ letter: { body, reason } }) => `${body} ${reason}`)).toEqual([
      "1 refused",
      "2 refused",
      "3 refused",
      "4 webhook-given-up",
    ]);
  });

  test("without its content where that is long", async () => {
    const line = lineTo("http://hook.test/", {}, { post: async () => ({ status: 400 }) });
    line.post("x".repeat(70_000));
    await line.settled(1);
    expect(line.letters[0]!.letter).toMatchObject({ bodyBytes: 70_000 });
    expect(line.letters[0]!.letter).not.toHaveProperty("body");
  });

  test("when the server stops, and not when the webhook is not wanted any more", async () => {
    const stopped = lineTo("http://hook.test/", {}, { post: () => new Promise(() => {}) });
    const deleted = lineTo("http://hook.test/", {}, { post: () => new Promise(() => {}) });
    for (const line of [stopped, deleted]) for (const body of ["1", "2"]) line.post(body);
    stopped.close("stopped");
    deleted.close();
    expect(stopped.letters.map(({ letter: { body, reason } }) => `${body} ${reason}`)).toEqual([
      "1 stopped",
      "2 stopped",
    ]);
    expect(deleted.letters).toEqual([]);
  });
});

describe("waiting notifications are in the outbox", () => {
  function outbox() {
    const held = new Map<string, string>();
    const said: string[] = [];
    return {
      said,
      held,
      add: (_to: Recipient, { id, body, reason }: DeadLetter) => {
        held.set(id, body!);
        said.push(`${body} ${reason}`);
      },
      remove: (id: string) => void held.delete(id),
    };
  }

  test("until it was delivered or given up", async () => {
    const box = outbox();
    const post = async (_url: string, _headers: unknown, body: string) => ({ status: body === "two" ? 400 : 200 });
    const line = lineTo("http://hook.test/", {}, { post, outbox: box });
    for (const body of ["one", "two", "three"]) line.post(body);
    expect([...box.held.values()]).toEqual(["one", "two", "three"]);
    await line.settled(3);
    expect([box.held.size, box.said]).toEqual([0, ["one stopped", "two stopped", "three stopped"]]);
  });

  test.each(["stopped", undefined] as const)("and not after the end of the delivery: %s", (reason) => {
    const box = outbox();
    const line = lineTo("http://hook.test/", {}, { post: () => new Promise(() => {}), outbox: box });
    for (const body of ["one", "two"]) line.post(body);
    line.close(reason);
    expect([box.held.size, line.letters.length]).toEqual([0, reason ? 2 : 0]);
  });
});

describe("host names of webhooks", () => {
  /** Resolves to this machine first, then to an address without a server. */
  function rebinding() {
    const asked: string[] = [];
    const lookup = async (hostname: string) => {
      asked.push(hostname);
      return [{ address: asked.length === 1 ? "127.0.0.1" : "127.0.0.9", family: 4 }];
    };
    return { asked, lookup };
  }

  test("a host name is resolved once, even when a retry opens a new connection", async () => {
    const { asked, lookup } = rebinding();
    const hook = await receiver(inTurn(say(503, { Connection: "close" }), say(503, { Connection: "close" })));
    const { post } = outboundWith({ lookup, allowLoopback: true, pinMs: 60_000 });
    const line = lineTo(hook.url.replace("127.0.0.1", "rebind.test"), {}, { post });
    line.post("one");
    await line.settled(1);
    expect([bodies(hook), asked, line.outcomes]).toEqual([
      ["one", "one", "one"],
      ["rebind.test"],
      ["retried", "retried", "delivered"],
    ]);
  });
});

test("says when the last has left", async () => {
  const hook = await receiver();
  const line = lineTo(hook.url);
  line.post("one");
  line.post("two");
  await new Promise<void>((done) => line.finish(done));
  expect(bodies(hook)).toEqual(["one", "two"]);
  await new Promise<void>((done) => line.finish(done));
});

describe("after it was closed, nothing leaves", () => {
  test("not what waits in line", async () => {
    let first: (() => void) | undefined;
    const hook = await receiver((response) => {
      first = () => ok(response, 0);
    });
    const line = lineTo(hook.url);
    line.post("one");
    line.post("two");
    await hook.count(1);
    line.close();
    first!();
    await wait(20);
    expect([bodies(hook), line.outcomes]).toEqual([["one"], []]);
  });

  test("not even what is under way: the connection is cut", async () => {
    const hook = await receiver(hang);
    const line = lineTo(hook.url);
    line.post("one");
    await hook.count(1);
    line.close();
    await hook.abandoned;
    expect(line.outcomes).toEqual([]);
  });

  test("not what waits for its next attempt", async () => {
    const clock = new FakeClock();
    const hook = await receiver(say(500));
    const line = lineTo(hook.url, {}, { clock });
    line.post("one");
    await hook.count(1);
    while (clock.sleepers === 0) await wait(1);
    line.close();
    await clock.pass(60_000);
    expect([bodies(hook), line.outcomes, clock.sleepers]).toEqual([["one"], ["retried"], 0]);
  });

  test("not what comes later", async () => {
    const hook = await receiver();
    const line = lineTo(hook.url);
    line.close();
    line.post("one");
    await settle();
    await wait(20);
    expect(hook.heard).toEqual([]);
  });
});

describe("what waits for a webhook is bounded in bytes", () => {
  /**
   * A webhook that accepts the first notification and never answers, with room for three of a thousand
   * characters.
   */
  async function silent() {
    const hook = await receiver(hang);
    const ledger = new Ledger({ caller: 8_000, total: 1_000_000 });
    const line = lineTo(hook.url, {}, { ledger });
    const letter = (name: string) => name.repeat(1_000);
    line.post(letter("a"));
    await hook.count(1);
    return { hook, ledger, line, letter };
  }

  test("the oldest goes, and the one under way stays", async () => {
    const { ledger, line, letter } = await silent();
    for (const name of ["b", "c"]) line.post(letter(name));
    expect([ledger.of("here"), line.outcomes]).toEqual([7_500, []]);
    for (const name of ["d", "e"]) line.post(letter(name));
    expect([ledger.of("here"), line.outcomes]).toEqual([7_500, ["dropped", "dropped"]]);
    line.close();
    expect(ledger.total).toBe(0);
  });

  test("one that cannot fit at all is dropped alone", async () => {
    const { ledger, line } = await silent();
    line.post("x".repeat(4_000));
    expect([ledger.of("here"), line.outcomes]).toEqual([2_500, ["dropped"]]);
  });

  test("what was delivered is given back", async () => {
    const hook = await receiver();
    const ledger = new Ledger({ caller: 8_000, total: 1_000_000 });
    const line = lineTo(hook.url, {}, { ledger });
    for (let n = 0; n < 3; n++) line.post("x".repeat(1_000));
    await line.settled(3);
    expect([line.outcomes, ledger.total]).toEqual([["delivered", "delivered", "delivered"], 0]);
  });
});
