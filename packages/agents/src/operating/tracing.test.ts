import type { Message } from "@assay/protocol";
import { createEgressGuard, createPeer, createPeerClients, type PeerInterface } from "@assay/wire";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { receiver } from "../push/receiver.fixture.ts";
import type { Testbed } from "../testbed/options.ts";
import { startTestbed } from "../testbed/testbed.ts";
import { type ReceivedSpan, startCollector } from "./collector.fixture.ts";
import { openTelemetry } from "./opentelemetry.ts";
import type { Tracing } from "./tracing.ts";

let collector: Awaited<ReturnType<typeof startCollector>>;
const tracings: Tracing[] = [];
const beds: Testbed[] = [];
const clients = createPeerClients({
  guard: createEgressGuard({ allowLoopback: true, allowPrivate: false, allowHosts: [] }),
  userAgent: "test",
});

async function startTraced(): Promise<Testbed> {
  const onError = (error: unknown): void => {
    throw error;
  };
  const tracing = await openTelemetry({ endpoint: collector.url, version: "test", onError });
  tracings.push(tracing);
  const bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "test", timeScale: 0, tracing });
  beds.push(bed);
  return bed;
}

let first: Testbed;
let second: Testbed;
beforeAll(async () => {
  collector = await startCollector();
  [first, second] = [await startTraced(), await startTraced()];
});
afterAll(async () => {
  await Promise.all(beds.map((bed) => bed.close(0)));
  await clients.close();
  collector.close();
});

const clientSpan = "00f067aa0ba902b7";

/** A client with its own trace asks the first test bed to ask the second, with a webhook. */
async function traceOver(binding: PeerInterface["binding"], traceId: string) {
  const hook = await receiver();
  const url = binding === "GRPC" ? new URL(first.url).host : `${first.url}/full`;
  const at: PeerInterface = { url, binding, dialect: "1.0", ...(binding === "GRPC" && { tenant: "full" }) };
  const peer = createPeer(clients, at, [
    ["traceparent", `00-${traceId}-${clientSpan}-01`],
    ["tracestate", "vendor=opaque"],
  ]);
  const text = `relay ${second.url}/spec task-lifecycle hello`;
  const message: Message = { messageId: "m", role: "ROLE_USER", parts: [{ text }] };
  const configuration = { taskPushNotificationConfig: { url: hook.url, taskId: "" } };
  const answer = await peer.call("SendMessage", { message, configuration });
  expect(answer).toMatchObject({ is: "value" });
  await hook.count(4);
  const spansOf = (name: string) => collector.spans.filter((span) => span.traceId === traceId && span.name === name);
  const areAllSent = async () => {
    await Promise.all(tracings.map((tracing) => tracing.flush()));
    return spansOf("POST webhook").length === hook.heard.length;
  };
  await expect.poll(areAllSent).toBe(true);
  return { hook, spansOf };
}

describe.each<[PeerInterface["binding"], string]>([
  ["JSONRPC", "4bf92f3577b34da6a3ce929d0e0e4736"],
  ["GRPC", "0af7651916cd43dd8448eb211c80319c"],
])("tracing over %s", (binding, traceId) => {
  test("one trace covers client, relay, second agent and webhooks, each below its caller", async () => {
    const { hook, spansOf } = await traceOver(binding, traceId);
    const only = (name: string, parent: string): ReceivedSpan => {
      const found = spansOf(name).filter(({ parentSpanId }) => parentSpanId === parent);
      expect([name, found.length]).toEqual([name, 1]);
      return found[0]!;
    };
    const asked = only("SendMessage", clientSpan);
    const skill = only("skill relay", asked.spanId);
    const relay = only("relay", skill.spanId);
    const passedOn = only("SendMessage", relay.spanId);
    only("skill task-lifecycle", passedOn.spanId);
    expect([asked.kind, skill.kind, relay.kind, passedOn.kind]).toEqual([2, 1, 3, 2]);
    expect(asked.traceState).toBe("vendor=opaque");

    const posts = spansOf("POST webhook");
    expect(new Set(posts.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([asked.spanId]));
    expect(hook.heard.map(({ headers }) => headers["traceparent"]).toSorted()).toEqual(
      posts.map(({ spanId }) => `00-${traceId}-${spanId}-01`).toSorted(),
    );
    const said = JSON.stringify(collector.spans);
    expect([said.includes("hello"), said.includes("/hook")]).toEqual([false, false]);
  });
});
