import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "@assay/protocol";
import { openProxy, type PassedCall } from "@assay/proxy";
import { foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";
import { describe, expect, onTestFinished, test } from "vitest";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { plain, useTestbed } from "../fixtures/testbed.fixture.ts";
import { accusations, callsIn } from "./proxy.fixture.ts";

const bed = useTestbed({ timeScale: 0.05 });
const credentials = "token-of-the-webhook";

/** A webhook that keeps what arrives, whatever it is. */
async function webhook() {
  const received: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    received.push(request);
    request.resume().on("end", () => response.writeHead(204).end());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, received };
}

async function proxyWithCallback(path: string) {
  const { url, received } = await webhook();
  const events: RunEvent[] = [];
  const calls: PassedCall[] = [];
  const proxy = await openProxy({
    url: `${bed.url}/${path}`,
    callback: url,
    ...{ host: "127.0.0.1", port: 0, run: "proxy", version: "test" },
    connection: { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }) },
    record: (event) => events.push(event),
    show: (sight) => calls.push(...callsIn([sight])),
  });
  const deliveries = (): PassedCall[] => calls.filter(({ asked }) => asked === "← notification");
  return {
    ...{ url: proxy.url, callback: proxy.callback!, received, events, deliveries },
    async end() {
      await proxy.close();
      return { results: resultsOf(foldRun(events)), deliveries: deliveries() };
    },
  };
}

const post = (url: string, version: string, body: JsonObject) =>
  plain(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "A2A-Version": version },
    body: JSON.stringify(body),
  });

/** Sends a message whose task notifies the webhook, and waits until some notification arrived. */
async function notified(path: string, version = "1.0") {
  const proxy = await proxyWithCallback(path);
  const config = { url: `${proxy.callback}/of-a-client?n=1` };
  const text = "task-lifecycle hello";
  const params: JsonObject =
    version === "1.0"
      ? {
          message: { messageId: "m1", role: "ROLE_USER", parts: [{ text }] },
          configuration: {
            taskPushNotificationConfig: { ...config, authentication: { scheme: "Bearer", credentials } },
          },
        }
      : {
          message: { kind: "message", messageId: "m1", role: "user", parts: [{ kind: "text", text }] },
          configuration: {
            pushNotificationConfig: { ...config, authentication: { schemes: ["Bearer"], credentials } },
          },
        };
  await post(proxy.url, version, {
    jsonrpc: "2.0",
    id: 1,
    method: version === "1.0" ? "SendMessage" : "message/send",
    params,
  });
  await expect.poll(() => proxy.deliveries().length).toBeGreaterThan(0);
  const { received, events } = proxy;
  return { received, events, ...(await proxy.end()) };
}

describe("notifications to the callback address", () => {
  const good = [
    ["full", "1.0"],
    ["spec03", "0.3"],
    ["variants/one-config-per-task", "1.0"],
    ["variants/config-named-after-task", "1.0"],
  ] as const;
  test.each(good.slice(0, provesAll ? good.length : 2))(
    "reach the client from /%s in %s, and nobody is accused",
    async (path, version) => {
      const { received, results, deliveries, events } = await notified(path, version);
      expect(accusations(results).filter((line) => line.includes(" PUSH-") || line.includes("-PUSH-"))).toEqual([]);
      expect(deliveries.flatMap(({ unjudged }) => unjudged ?? [])).toEqual([]);
      expect([received[0]!.url, received[0]!.headers.authorization]).toEqual([
        "/hook/of-a-client?n=1",
        `Bearer ${credentials}`,
      ]);
      expect(results.filter(({ test: id, verdict }) => id === "PUSH-020" && verdict === "pass")).toHaveLength(1);
      expect(JSON.stringify(events).includes(credentials)).toBe(false);
    },
  );

  const wrong = [
    ["PUSH-022.bare", "PUSH-022"],
    ["PUSH-024.none", "PUSH-024"],
    ["PUSH-023.envelope", "PUSH-023"],
    ["PUSH-023.snake-case", "PUSH-023"],
    ["PUSH-025.form", "PUSH-025"],
  ] as const;
  test.each(wrong.slice(0, provesAll ? wrong.length : 2))(
    "show what /mutants/%s does wrong (%s)",
    async (mutant, rule) => {
      const { deliveries, results } = await notified(`mutants/${mutant}`);
      expect(deliveries.flatMap(({ breaches }) => breaches.map((each) => each.rule))).toContain(rule);
      const [result] = results.filter(({ test: id, verdict }) => id === rule && verdict !== "not-examined");
      expect([result!.party, result!.evidence]).toEqual([undefined, [expect.any(String)]]);
      expect(deliveries.map(({ id }) => id)).toContain(result!.evidence[0]);
    },
  );

  test("are passed on but not judged, if no call through the proxy registered the webhook", async () => {
    const proxy = await proxyWithCallback("full");
    await post(proxy.callback, "1.0", { wrong: true });
    const { deliveries, results } = await proxy.end();
    expect(proxy.received).toHaveLength(1);
    expect(deliveries.map(({ unjudged }) => unjudged)).toEqual(["no call through the proxy registered this webhook"]);
    expect(results.filter(({ verdict }) => verdict === "fail")).toEqual([]);
  });
});
