import { setTimeout as delay } from "node:timers/promises";
import { Faults, faultNames } from "@assay/proxy";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ForeignAgent, startForeignAgent } from "../fixtures/foreign-agent.fixture.ts";
import { converse } from "../fixtures/good-client.fixture.ts";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { useTestbed } from "../fixtures/testbed.fixture.ts";
import { accusations, callsIn, type ProxyUnderTest, proxyBefore } from "./proxy.fixture.ts";

let agent: ForeignAgent;
beforeAll(async () => {
  agent = await startForeignAgent({ slowMs: 0 });
});
afterAll(() => agent.close());

const bed = useTestbed({ timeScale: 0.05 });

/** Values that keep the tests short. */
const values: Readonly<Record<string, string>> = {
  latency: "=1ms",
  jitter: "=2ms",
  slow: "=100000",
  refuse: "=20ms",
  lag: "=60s",
};
const faultOf = (name: string): string => `${name}${values[name] ?? ""}`;

let messages = 0;

/** A client that sends, streams, reads and lists, and repeats the identical request while the connection fails. */
async function talk(proxy: ProxyUnderTest): Promise<void> {
  const rpc = async (method: string, params: object): Promise<string> => {
    const ask = async (): Promise<string> => {
      const response = await fetch(`${proxy.url}/rpc`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "A2A-Version": "1.0" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      });
      return response.text();
    };
    for (let attempts = 1; ; attempts++)
      try {
        return await ask();
      } catch (error) {
        if (attempts === 500) throw error;
        await delay(5);
      }
  };
  const message = (kind: string) => {
    messages += 1;
    return { messageId: `${kind}-${messages}`, role: "ROLE_USER", parts: [{ text: "hello" }] };
  };
  await rpc("SendMessage", { message: message("plain") });
  const open = await rpc("SendMessage", { message: message("tck-input-required") });
  await rpc("SendStreamingMessage", { message: message("tck-stream") });
  const id = /"id":"([^"]{36})"/.exec(open)?.[1] ?? "unknown";
  for (const _ of [1, 2]) await rpc("GetTask", { id });
  await rpc("SendMessage", { message: { ...message("plain"), taskId: id } });
  await rpc("GetTask", { id });
  await rpc("ListTasks", {});
}

const notesAbout = (notes: readonly string[], fault: string): string[] =>
  notes.filter((note) => note.startsWith(`fault ${fault}: hit `));

describe("neither the agent nor the client is accused of what a fault does", () => {
  test.each(faultNames)("%s", async (name) => {
    const fault = faultOf(name);
    // One share of the calls, so that the others are judged.
    const proxy = await proxyBefore(agent.url, { faults: new Faults([`${fault}@0.6`], 3) });
    for (const _ of [1, 2, 3]) await talk(proxy);
    const { report, results } = await proxy.end();
    expect(accusations(results)).toEqual([]);
    const calls = callsIn(proxy.sights);
    const hit = calls.filter(({ faults }) => faults?.includes(`${fault}@0.6`));
    expect(hit.map(({ id }) => id)).not.toEqual([]);
    expect(new Set(hit.map(({ unjudged }) => unjudged))).toEqual(new Set([`fault: ${fault}@0.6`]));
    expect(calls.filter(({ faults }) => !faults).length).toBeGreaterThan(0);
    expect(report.parties!.agent.examined).toBeGreaterThan(0);
    expect(notesAbout(report.notes, `${fault}@0.6`)).toHaveLength(1);
    expect(notesAbout(report.notes, `${fault}@0.6`)[0]).toContain(`hit ${hit.length} call`);
  });

  test("the same response of an agent itself is blamed on the agent", async () => {
    const faulty = await proxyBefore(agent.url, { faults: new Faults(["truncate=20@GetTask:0.5"], 1) });
    const proxy = await proxyBefore(faulty.url);
    await talk(proxy);
    const { results } = await proxy.end();
    await faulty.end();
    expect(accusations(results)).not.toEqual([]);
  });

  test("the recording names the faults of an exchange", async () => {
    const proxy = await proxyBefore(agent.url, { faults: new Faults(["drop=2"]) });
    await talk(proxy);
    await proxy.end();
    const recorded = proxy.events.flatMap((event) =>
      event.event === "exchange" ? [[event.operation, event.entry._faults]] : [],
    );
    expect(recorded).toContainEqual(["SendStreamingMessage", ["drop=2"]]);
    expect(recorded).toContainEqual(["GetTask", undefined]);
  });
});

describe("gRPC", () => {
  /** A clock of gRPC messages is not shifted, as the table says. */
  const overGrpc = faultNames.filter((name) => name !== "skew");

  test.each(overGrpc.filter((_, index) => provesAll || index % 4 === 3))("%s", async (name) => {
    // A read is late only if the same read was there before, so all reads are selected.
    const fault = name === "lag" ? faultOf(name) : `${faultOf(name)}@2x`;
    const proxy = await proxyBefore(`${bed.url}/strict`, { faults: new Faults([fault]) });
    // The client reports the faults as errors.
    for (const _ of [1, 2, 3]) await converse(proxy.url, { binding: "GRPC", dialect: "1.0" }).catch(() => {});
    const { results } = await proxy.end();
    expect(accusations(results)).toEqual([]);
    const hit = callsIn(proxy.sights).filter(({ faults }) => faults?.includes(fault));
    expect(hit.map(({ asked }) => asked)).not.toEqual([]);
    expect(callsIn(proxy.sights).some(({ faults }) => !faults)).toBe(true);
  });
});
