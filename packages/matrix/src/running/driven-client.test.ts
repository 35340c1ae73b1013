import { expect, test } from "vitest";
import type { ClientDriver, RawDriverAnswer } from "../driver/client-driver.ts";
import type { DriverDescription } from "../driver/description.ts";
import { DrivenClient } from "./driven-client.ts";
import type { ObservedAgent } from "./observed-agent.ts";

const why = "The client gives no handle on a stream.";
const description = { unsupported: [{ op: "close", why, bindings: ["JSONRPC"] }] } as unknown as DriverDescription;
const nobody = {} as ClientDriver & ObservedAgent;

test("a client that cannot hang up is not asked for a stream that is to be left", async () => {
  const client = new DrivenClient(description, nobody, nobody, { binding: "JSONRPC", version: "1.0" });
  const asked = { operation: "send_streaming_message", request: {}, headers: {}, timeoutMs: 1_000, leaveAfter: 2 };
  expect(await client.ask(asked as Parameters<typeof client.ask>[0])).toEqual({
    given: { error: { kind: "unsupported", message: why } },
    exchanges: [],
    isPending: false,
  });
});

const spoken = { binding: "HTTP+JSON", version: "0.3" } as const;
const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "hi" }] };
const unread = { kind: "transport", message: "Unexpected token" } as const;

test.each<[string, RawDriverAnswer, number | undefined, number]>([
  ["has its answer", { events: [{}, {}], done: true }, undefined, 1_500],
  ["has left the stream", { events: [{}, {}] }, 2, 150],
  ["reports that it was left as an error", { events: [{}, {}], error: unread }, 2, 150],
  // The server is still writing. Whether it was right must not depend on when it ends.
  ["cannot read the stream", { events: [], error: unread }, undefined, 10_000],
  ["cannot read a stream that it is to leave", { events: [{}], error: unread }, 2, 10_000],
])("Assay waits for the end of the exchange if the client %s", async (_what, answer, leaveAfter, expected) => {
  const waits: number[] = [];
  const agent = {
    ids: [],
    url: "http://127.0.0.1:1",
    async watch(work: () => Promise<RawDriverAnswer>, settlingMs: (value: RawDriverAnswer) => number) {
      const value = await work();
      waits.push(settlingMs(value));
      return { value, exchanges: [] };
    },
  } as unknown as ObservedAgent;
  const driver = { ask: async () => answer } as unknown as ClientDriver;
  const client = new DrivenClient(
    { model: "1.0", unsupported: [] } as unknown as DriverDescription,
    driver,
    agent,
    spoken,
  );
  const asked = {
    operation: "send_streaming_message",
    request: { message },
    headers: {},
    timeoutMs: 1_000,
    leaveAfter,
  };
  await client.ask(asked as Parameters<typeof client.ask>[0]);
  expect(waits).toEqual([expected]);
});
