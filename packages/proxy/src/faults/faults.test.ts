import { once } from "node:events";
import { type IncomingMessage, request, type ServerResponse } from "node:http";
import { randomFrom } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { agentThat, before, textOf } from "../passing/passing.fixture.ts";
import { faultNames } from "./fault-table.ts";
import { Faults } from "./faults.ts";

const event = (n: number): string => `data: ${JSON.stringify({ jsonrpc: "2.0", id: 1, result: { n } })}\n\n`;
const events = (...numbers: number[]): string => numbers.map(event).join("");
const date = "Tue, 17 Nov 2026 22:50:13 GMT";

interface Heard {
  readonly method: string;
  readonly version: string | string[] | undefined;
}

/** An agent that counts its calls, and streams three events. `endless` streams never end. */
async function counting({ endless = false, hasLength = false } = {}) {
  const heard: Heard[] = [];
  const url = await agentThat(async (incoming: IncomingMessage, response: ServerResponse) => {
    const { id, method } = JSON.parse(await textOf(incoming)) as { id: number; method: string };
    heard.push({ method, version: incoming.headers["a2a-version"] });
    response.sendDate = false;
    if (method !== "SendStreamingMessage") {
      const result = { calls: heard.length, timestamp: "2026-11-17T22:50:13.123Z" };
      const text = JSON.stringify({ jsonrpc: "2.0", id, result });
      const length = hasLength ? { "content-length": text.length } : {};
      response.writeHead(200, { "content-type": "application/json", "a2a-version": "1.0", date, ...length });
      return void response.end(text);
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(events(1, 2, 3));
    if (!endless) response.end();
  });
  return { url, heard };
}

async function through(faults: readonly string[], options: Parameters<typeof counting>[0] = {}) {
  const agent = await counting(options);
  const proxy = await before(agent.url, { faults: new Faults(faults) });
  let id = 0;
  const call = async (method: string, headers: Record<string, string> = {}) => {
    id += 1;
    const response = await fetch(proxy.url, {
      method: "POST",
      headers: { "content-type": "application/json", "a2a-version": "1.0", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params: {} }),
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const hits = (): (readonly string[])[] => proxy.exchanges.map((exchange) => exchange.faults ?? []);
  return { ...proxy, heard: agent.heard, call, hits };
}

const plain = (calls: number, id = calls) =>
  JSON.stringify({ jsonrpc: "2.0", id, result: { calls, timestamp: "2026-11-17T22:50:13.123Z" } });

/** A timer may fire this much early. */
const timerMs = 10;

/** Returns the text of a response, which takes this long at least. */
async function textAfter(leastMs: number, answer: Promise<{ readonly text: string }>): Promise<string> {
  const began = performance.now();
  const { text } = await answer;
  expect(performance.now() - began).toBeGreaterThan(leastMs - timerMs);
  return text;
}

/** One test for each fault; the last test of this group compares the list with the table. */
const tested: Record<string, () => Promise<void>> = {
  async latency() {
    const { call, hits } = await through(["latency=100ms"]);
    expect(await textAfter(100, call("GetTask"))).toBe(plain(1));
    expect(hits()).toEqual([["latency=100ms"]]);
  },
  async jitter() {
    const { call, hits } = await through(["jitter=200ms"]);
    // The first number of a fault selects the call, the second one is its chance.
    const random = randomFrom(1_000);
    const [, chance] = [random(), random()];
    expect(await textAfter(200 * chance, call("GetTask"))).toBe(plain(1));
    expect(hits()).toEqual([["jitter=200ms"]]);
  },
  async slow() {
    // 10 bytes after every 50 ms.
    const { call, hits } = await through(["slow=200"]);
    expect(await textAfter(Math.ceil(plain(1).length / 10) * 50, call("GetTask"))).toBe(plain(1));
    expect(hits()).toEqual([["slow=200"]]);
    // A client may disconnect as soon as it has the last byte.
    const sized = await through(["slow=2000"], { hasLength: true });
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "GetTask", params: {} });
    const headers = { "content-type": "application/json", "a2a-version": "1.0" };
    const asked = request(sized.url, { method: "POST", headers, agent: false });
    const [response] = (await once(asked.end(body), "response")) as [IncomingMessage];
    expect(await textOf(response)).toBe(plain(1));
    await sized.until(() => sized.exchanges.length === 1);
    expect([sized.exchanges[0]?.failure, sized.codes()]).toEqual([undefined, []]);
  },
  async cut() {
    const byEvents = await through(["cut=2"], { endless: true });
    await expect(byEvents.call("SendStreamingMessage")).rejects.toThrow("terminated");
    const byTime = await through(["cut=20ms"], { endless: true });
    await expect(byTime.call("SendStreamingMessage")).rejects.toThrow("terminated");
    for (const [{ hits, until, exchanges, codes }, text] of [
      [byEvents, "cut=2"],
      [byTime, "cut=20ms"],
    ] as const) {
      await until(() => exchanges.length === 1);
      // Neither side ended the connection, so no notice says so.
      expect([hits(), codes()]).toEqual([[[text]], []]);
    }
  },
  async reset() {
    const { call, hits, heard, codes } = await through(["reset@GetTask"]);
    const error = await call("GetTask").catch((failed: Error) => failed.cause);
    expect(error).toMatchObject({ code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) });
    expect([hits(), heard.length, codes()]).toEqual([[["reset@GetTask"]], 1, []]);
  },
  async "rate-limit"() {
    const { call, hits, heard } = await through(["rate-limit=1500ms"]);
    const { status, headers } = await call("GetTask");
    expect([status, headers.get("retry-after"), hits(), heard]).toEqual([429, "2", [["rate-limit=1500ms"]], []]);
  },
  async status() {
    const { call, hits, heard, exchanges } = await through(["status=502@GetTask"]);
    expect([(await call("GetTask")).status, (await call("CancelTask")).status]).toEqual([502, 200]);
    expect([hits(), heard.map(({ method }) => method)]).toEqual([[["status=502@GetTask"], []], ["CancelTask"]]);
    expect(exchanges[0]!.http.response?.status).toBe(502);
  },
  async drop() {
    const { call, hits } = await through(["drop=2"]);
    expect((await call("SendStreamingMessage")).text).toBe(events(1, 3));
    expect(hits()).toEqual([["drop=2"]]);
  },
  async duplicate() {
    const { call, hits } = await through(["duplicate=3"]);
    expect((await call("SendStreamingMessage")).text).toBe(events(1, 2, 3, 3));
    expect(hits()).toEqual([["duplicate=3"]]);
  },
  async reorder() {
    const { call, hits } = await through(["reorder=1", "reorder=3"]);
    expect((await call("SendStreamingMessage")).text).toBe(events(2, 1, 3));
    // No event follows the third, so the second fault changed nothing.
    expect(hits()).toEqual([["reorder=1"]]);
  },
  async "lose-header"() {
    const { call, hits, heard } = await through(["lose-header"]);
    const { headers } = await call("GetTask");
    expect([heard[0]!.version, headers.get("a2a-version"), hits()]).toEqual([undefined, null, [["lose-header"]]]);
  },
  async truncate() {
    const { call, hits } = await through(["truncate=10"]);
    expect((await call("GetTask")).text).toBe(plain(1).slice(0, 10));
    expect(hits()).toEqual([["truncate=10"]]);
  },
  async refuse() {
    const { call, hits, heard, until, exchanges } = await through(["refuse=100ms"]);
    await expect(call("GetTask")).rejects.toThrow("fetch failed");
    await until(() => exchanges.length === 1);
    expect([hits(), heard]).toEqual([[["refuse=100ms"]], []]);
    await expect.poll(() => call("GetTask").then(({ status }) => status, String)).toBe(200);
  },
  async lag() {
    const { call, hits, heard } = await through(["lag=60s"]);
    const answers = [
      await call("GetTask"),
      await call("GetTask"),
      await call("GetTask", { authorization: "Bearer b" }),
    ];
    expect(answers.map(({ text }) => text)).toEqual([plain(1), plain(1, 2), plain(2, 3)]);
    expect([hits(), heard.length]).toEqual([[[], ["lag=60s"], []], 2]);
  },
  async "deliver-twice"() {
    const { call, hits, heard } = await through(["deliver-twice@CancelTask"]);
    await call("CancelTask");
    await expect.poll(() => heard.map(({ method }) => method)).toEqual(["CancelTask", "CancelTask"]);
    expect(hits()).toEqual([["deliver-twice@CancelTask"]]);
  },
  async skew() {
    const { call, hits } = await through(["skew=-90s"]);
    const { text, headers } = await call("GetTask");
    expect([JSON.parse(text).result.timestamp, headers.get("date"), hits()]).toEqual([
      "2026-11-17T22:48:43.123Z",
      "Tue, 17 Nov 2026 22:48:43 GMT",
      [["skew=-90s"]],
    ]);
  },
};

describe("a fault does what the table says, and is noted on the exchange", () => {
  test.each(Object.entries(tested))("%s", (_name, run) => run());

  test("every fault has a test here", () => {
    expect(Object.keys(tested).toSorted()).toEqual(faultNames.toSorted());
  });
});

describe("selection", () => {
  const statuses = async (faults: readonly string[], seed: number, calls: number): Promise<number[]> => {
    const { url } = await counting();
    const proxy = await before(url, { faults: new Faults(faults, seed) });
    const seen: number[] = [];
    for (let id = 0; id < calls; id++) {
      const body = JSON.stringify({ jsonrpc: "2.0", id, method: "GetTask", params: {} });
      seen.push((await fetch(proxy.url, { method: "POST", body })).status);
    }
    return seen;
  };

  test("the same seed selects the same calls, and another seed others", async () => {
    const [first, again, other] = [
      await statuses(["status@0.5"], 7, 20),
      await statuses(["status@0.5"], 7, 20),
      await statuses(["status@0.5"], 8, 20),
    ];
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    expect(new Set(first)).toEqual(new Set([200, 503]));
  });

  test("a number of calls is an upper limit", async () => {
    expect(await statuses(["status@GetTask:2x"], 1, 4)).toEqual([503, 503, 200, 200]);
  });

  test("faults of different kinds add up", async () => {
    const { call, hits } = await through(["drop=1", "duplicate=1", "latency=1ms"]);
    expect((await call("SendStreamingMessage")).text).toBe(events(2, 2, 3));
    expect(hits()).toEqual([["drop=1", "duplicate=1", "latency=1ms"].toSorted(byHit)]);
  });

  /** A delay is noted before the body passes. */
  const byHit = (one: string, other: string): number =>
    Number(other.startsWith("latency")) - Number(one.startsWith("latency"));
});

test("a request that is not A2A passes unchanged", async () => {
  const agent = await agentThat((_incoming, response) => void response.end("fine"));
  const { url, exchanges } = await before(agent, { faults: new Faults(["status=503"]) });
  expect(await (await fetch(`${url}/health`)).text()).toBe("fine");
  expect(exchanges[0]!.faults).toBeUndefined();
});
