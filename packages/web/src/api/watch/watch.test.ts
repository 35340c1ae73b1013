import { startTestbed } from "@assay/agents";
import type { WatchEvent } from "@assay/viewer/documents";
import { createEgressGuard } from "@assay/wire";
import { expect, test } from "vitest";
import type { Watch } from "./watch.ts";
import { watchAgent } from "./watch-proxy.ts";
import { watchTestbed } from "./watch-testbed.ts";

const send = (url: string, message: object, method = "SendMessage") =>
  fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "A2A-Version": "1.0", Authorization: "Bearer very-secret-token" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: { message: { messageId: "m1", role: "ROLE_USER", parts: [{ text: "message-only hi" }], ...message } },
    }),
  }).then((answer) => answer.text());

const calls = ({ log }: Watch): Extract<WatchEvent, { is: "call" }>[] =>
  log.items.filter((event) => event.is === "call");

test("what a client sends to the test bed is told when it begins and when it is judged", async () => {
  const watch = await watchTestbed("w1", "test");
  await send(watch.document.url, {});
  await send(watch.document.url, { messageId: undefined });
  await send(watch.document.url.replace(/spec$/, "mutants/DATA-018.nameless"), {});
  await watch.close();
  const begun = watch.log.items.filter((event) => event.is === "begun");
  expect(begun.map(({ id }) => id)).toEqual(calls(watch).map(({ id }) => id));
  const [good, faulty, mutant] = calls(watch);
  expect(good).toMatchObject({ asked: "SendMessage", answer: "message", over: { binding: "JSONRPC" }, breaches: [] });
  expect(faulty!.breaches).toContainEqual(expect.objectContaining({ party: "client", rule: "SEND-021" }));
  expect(mutant!.breaches).toContainEqual(expect.objectContaining({ party: "agent", rule: "DATA-018" }));
  expect(watch.exchanges.get(faulty!.id)?.entry.request.method).toBe("POST");
  expect(JSON.stringify([watch.log.items, watch.exchanges.all])).not.toContain("very-secret-token");
});

test("what crosses a proxy is told in the same way", async () => {
  const bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "test" });
  const url = new URL(`${bed.url}/spec`);
  const connection = { guard: createEgressGuard({ trustedHosts: [url.hostname] }) };
  const watch = await watchAgent("w2", { url, headers: [], secrets: [], connection }, "test");
  await send(watch.document.url, { role: "user" });
  await watch.close();
  await bed.close();
  expect(watch.log.items.map(({ is }) => is)).toEqual(["card", "begun", "call"]);
  expect(calls(watch)[0]!.breaches).toContainEqual(expect.objectContaining({ party: "client", severity: "fail" }));
});
