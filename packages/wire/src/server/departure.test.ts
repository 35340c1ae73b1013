import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { Departure } from "./departure.ts";
import { dial, get, serve, sleep } from "./raw-client.fixture.ts";
import { WireError } from "./wire-error.ts";

/** A server that never answers, and the signals of the requests it got. */
async function silent() {
  const signals: AbortSignal[] = [];
  const server = await serve((request) => void signals.push(request.signal));
  const arrived = async (count: number) => {
    while (signals.length < count) await sleep(5);
    return signals;
  };
  return { server, arrived };
}

test.each(["destroy", "resetAndDestroy", "end"] as const)(
  "the signal aborts when the client does %s()",
  async (leave) => {
    const { server, arrived } = await silent();
    const client = dial(server, get("/"));
    const [signal] = await arrived(1);
    client.socket[leave]();
    await once(signal!, "abort");
    expect(signal!.reason).toMatchObject({ code: "disconnected" });
  },
);

test("requests queued behind another one hear of it, too", async () => {
  const { server, arrived } = await silent();
  const client = dial(server, get("/1") + get("/2"));
  const signals = await arrived(2);
  client.socket.resetAndDestroy();
  await Promise.all(signals.map((signal) => once(signal, "abort")));
});

test("an answered request's signal stays quiet when the client leaves later", async () => {
  let signal: AbortSignal | undefined;
  const server = await serve((request, reply) => {
    signal = request.signal;
    reply.send(200, {}, "done");
  });
  const client = dial(server, get("/"));
  await client.until("done");
  client.socket.destroy();
  while (server.connections > 0) await sleep(5);
  expect(signal?.aborted).toBe(false);
});

test("a signal asked for after the client left is aborted already", async () => {
  let aborted: boolean | undefined;
  let arrived = false;
  let left = false;
  const server = await serve(async (request) => {
    arrived = true;
    while (!left) await sleep(5);
    aborted = request.signal.aborted;
  });
  const client = dial(server, get("/"));
  while (!arrived) await sleep(5);
  client.socket.destroy();
  // The server sees the end of the connection in the next turns of the event loop.
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  left = true;
  while (aborted === undefined) await sleep(5);
  expect(aborted).toBe(true);
});

test("an answered request releases its listeners", () => {
  const departure = new Departure(undefined);
  const told: string[] = [];
  departure.addEventListener("abort", () => told.push("aborted"));
  departure.settle(true);
  departure.announce(new WireError("disconnected", "too late"));
  expect(told).toEqual([]);
});
