import { connect } from "node:net";
import { ClientFactory, ClientFactoryOptions } from "@a2a-js/sdk/client";
import { GrpcTransportFactory } from "@a2a-js/sdk/client/grpc";
import { startTestbed } from "@assay/agents";
import { createEgressGuard } from "@assay/wire";
import { A2AClient } from "a2a-sdk-0.3/client";
import { describe, expect, test, vi } from "vitest";
import { makeCertificates } from "../../packages/wire/src/client/certificates.fixture.ts";
import { converse } from "../fixtures/good-client.fixture.ts";
import { provesAll } from "../fixtures/proves-all.fixture.ts";
import { request } from "../fixtures/sdk-client.fixture.ts";
import { plain, useTestbed } from "../fixtures/testbed.fixture.ts";
import { useSdkServer } from "../sdks/server.fixture.ts";
import { accusations, callsIn, proxyBefore } from "./proxy.fixture.ts";

const bed = useTestbed({ timeScale: 0.05 });

/** Our own client labels bodies application/json, which servers of the 1.0.0 text want (AMB-18). */
const ofLabels = (line: string): boolean => line.startsWith("client REST-014 ");

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  plain(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "A2A-Version": "1.0", ...headers },
    body: JSON.stringify(body),
  });

const send = (message: object, more: object = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "SendMessage",
  params: {
    message: { messageId: "m1", role: "ROLE_USER", parts: [{ text: "message-only hi" }], ...message },
    ...more,
  },
});

describe("a good client and a good agent are accused of nothing", () => {
  const pairs = [
    ["spec", "1.0", "JSONRPC"],
    ["full", "1.0", "HTTP+JSON"],
    ["strict", "1.0", "GRPC"],
    ["variants/context-free-messages", "1.0", "JSONRPC"],
    ["variants/split-bytes", "1.0", "HTTP+JSON"],
    ["spec03", "0.3", "JSONRPC"],
    ["spec03", "0.3", "HTTP+JSON"],
    ["spec03", "0.3", "GRPC"],
    // Two versions at one address: who names none speaks 0.3.
    ["spec", "0.3", "HTTP+JSON"],
    ["spec02", "0.2", "JSONRPC"],
    ["spec01", "0.1", "JSONRPC"],
    ["variants/js-server-01", "0.1", "JSONRPC"],
  ] as const;
  test.each(pairs.filter((_, index) => provesAll || index % 3 === 0))(
    "/%s %s over %s",
    async (path, dialect, binding) => {
      const proxy = await proxyBefore(`${bed.url}/${path}`);
      await converse(proxy.url, { binding, dialect });
      const { results, report } = await proxy.end();
      expect(accusations(results).filter((line) => !ofLabels(line) && line.includes(" fail: "))).toEqual([]);
      expect(callsIn(proxy.sights).flatMap(({ unjudged }) => unjudged ?? [])).toEqual([]);
      const { agent, client } = report.parties!;
      expect([agent.outcome, client.outcome, agent.examined > 10, client.examined > 0]).toEqual([
        "conformant",
        "conformant",
        true,
        true,
      ]);
    },
  );
});

test("a call is reported when it begins, and a breach names its place in the response", async () => {
  const begun: string[] = [];
  const proxy = await proxyBefore(`${bed.url}/mutants/DATA-018.nameless`, { begun: ({ id }) => begun.push(id) });
  await post(`${proxy.url}`, send({}));
  await proxy.end();
  const calls = callsIn(proxy.sights);
  expect(begun).toEqual(calls.map(({ id }) => id));
  expect(calls.flatMap(({ breaches }) => breaches).find(({ rule }) => rule === "DATA-018")).toMatchObject({
    party: "agent",
    place: { path: "$.result.message.messageId" },
  });
});

describe("a fault is blamed on the party whose it is", () => {
  test.each([
    ["STREAM-003.status-first", "JSONRPC"],
    ["STREAM-003.status-first", "GRPC"],
    ["DATA-018.nameless", "HTTP+JSON"],
    ["JSONRPC-004.id-as-text", "JSONRPC"],
    ["SEND-010.never-waits", "JSONRPC"],
    ["GRPC-001.no-get", "GRPC"],
  ] as const)("the agent's: %s over %s", async (mutant, binding) => {
    const proxy = await proxyBefore(`${bed.url}/mutants/${mutant}`);
    await converse(proxy.url, { binding, dialect: "1.0" });
    const { results } = await proxy.end();
    const failed = results.filter(({ verdict }) => verdict === "fail");
    expect(failed.map(({ test: rule, party = "agent" }) => `${party} ${rule}`)).toContain(
      `agent ${mutant.split(".")[0]}`,
    );
    expect(failed.filter(({ party }) => party === "client")).toEqual([]);
  });

  test.each<[string, unknown, Record<string, string>, string]>([
    ["a message without an id", send({ messageId: undefined }), {}, "SEND-021"],
    ["another role", send({ role: "ROLE_AGENT" }), {}, "SEND-022"],
    ["a member of the .proto", send({ message_id: "m1", messageId: undefined }), {}, "DATA-002"],
    ["no version", send({}), { "A2A-Version": "" }, "VER-001"],
    ["no version of JSON-RPC", { ...send({}), jsonrpc: "1.0" }, {}, "JSONRPC-022"],
    ["a tenant that is none", send({}, { tenant: "nowhere" }), {}, "TEN-002"],
  ])("the client's: %s", async (_what, body, headers, rule) => {
    const proxy = await proxyBefore(`${bed.url}/spec`);
    // Something of A2A has to be seen before an agent is judged at all.
    await post(proxy.url, send({}));
    await post(proxy.url, body, headers);
    const { results, report } = await proxy.end();
    const failed = results.filter(({ verdict }) => verdict === "fail");
    expect(failed.map(({ test: id, party = "agent" }) => `${party} ${id}`)).toContain(`client ${rule}`);
    expect(failed.filter(({ party }) => party === undefined)).toEqual([]);
    expect([report.outcome, report.parties!.agent.outcome, report.parties!.client.outcome]).toEqual([
      "not-conformant",
      "conformant",
      "not-conformant",
    ]);
    expect(
      callsIn(proxy.sights)
        .at(-1)!
        .breaches.map(({ party, rule: id }) => `${party} ${id}`),
    ).toContain(`client ${rule}`);
  });

  test("every call that breaks a rule says so, also when the rule was broken before", async () => {
    const proxy = await proxyBefore(`${bed.url}/mutants/STREAM-003.status-first`);
    for (const _ of [1, 2])
      await post(proxy.url, { ...send({ parts: [{ text: "streaming hi" }] }), method: "SendStreamingMessage" });
    await proxy.end();
    expect(callsIn(proxy.sights).map(({ breaches }) => breaches.some(({ rule }) => rule === "STREAM-003"))).toEqual([
      true,
      true,
    ]);
  });
});

describe("one odd request does not keep the others out of the report", () => {
  const raw = (url: string, head: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const { hostname, port, host } = new URL(url);
      const socket = connect(Number(port), hostname, () =>
        socket.write(`${head} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
      );
      socket.on("close", () => resolve()).on("error", reject);
      socket.resume();
    });

  test.each([
    ["OPTIONS *", () => "OPTIONS *"],
    ["an absolute form", (url: string) => `GET ${url}/tasks`],
    ["an absolute form of another host", () => "GET http://evil.example/"],
  ])("%s", async (_what, head) => {
    const proxy = await proxyBefore(`${bed.url}/spec`);
    await raw(proxy.url, head(proxy.url));
    await post(`${proxy.url}`, send({}));
    const { report } = await proxy.end();
    expect(report.parties!.agent.examined).toBeGreaterThan(5);
    expect(report.notes.filter((note) => note.includes("internal error"))).toEqual([]);
  });

  test("the report counts the calls that an internal error skipped", async () => {
    const proxy = await proxyBefore(`${bed.url}/spec`, {
      onJudged: ({ id }) => {
        if (id === "x1") throw new TypeError("a bug of ours");
      },
    });
    await post(`${proxy.url}`, send({}));
    await post(`${proxy.url}`, send({ messageId: "m2" }));
    const { report } = await proxy.end();
    expect(report.notes).toContain("not judged because of an internal error: 1 calls");
    expect(callsIn(proxy.sights).map(({ id }) => id)).toEqual(["x2"]);
  });
});

test("what a client shows is written nowhere, also where the agent repeats it", async () => {
  const proxy = await proxyBefore(`${bed.url}/secure`);
  await post(proxy.url, send({ parts: [{ text: "message-only alice-token" }] }), {
    Authorization: "Bearer alice-token",
  });
  await post(proxy.url, send({ messageId: "m2" }), { "X-API-Key": "carol-key-0815" });
  await proxy.end();
  const written = JSON.stringify([proxy.events, proxy.sights]);
  expect(written).not.toContain("alice-token");
  expect(written).not.toContain("carol-key-0815");
  expect(callsIn(proxy.sights)[0]!.answer).toBe("message");
});

test.each(["JSONRPC", "GRPC"] as const)("an agent behind TLS is spoken to in TLS, over %s", async (binding) => {
  const { ca, server: tls } = makeCertificates();
  const secure = await startTestbed({ host: "127.0.0.1", port: 0, version: "test", timeScale: 0.05, tls });
  const guard = createEgressGuard({ trustedHosts: ["127.0.0.1"] });
  const proxy = await proxyBefore(`${secure.url}/spec`, { connection: { guard, tls: { ca } } });
  await converse(proxy.url, { binding, dialect: "1.0" });
  const { results, report } = await proxy.end();
  await secure.close(0);
  expect(new URL(secure.url).protocol).toBe("https:");
  expect(accusations(results)).toEqual([]);
  expect(report.parties!.agent.examined).toBeGreaterThan(10);
});

test("an agent that comes later is judged when it is there", async () => {
  const proxy = await proxyBefore(`${bed.url}/spec`, { card: `${bed.url}/nothing/agent-card.json` });
  expect(proxy.sights.map((sight) => sight.is === "notice" && sight.code)).toEqual(["no-card"]);
  await post(proxy.url, send({}));
  // What has passed is judged when it is quiet.
  await vi.waitUntil(() => callsIn(proxy.sights).length === 1, { timeout: 250_000 });
  await plain(`${proxy.url}/.well-known/agent-card.json`);
  await post(proxy.url, send({ messageId: "m2" }));
  const { report } = await proxy.end();
  expect(callsIn(proxy.sights).map(({ unjudged }) => unjudged)).toEqual([
    "no card of the agent is known yet",
    undefined,
    undefined,
  ]);
  expect([report.agentName, report.outcome]).toEqual(["Spec Agent", "conformant"]);
});

describe("third parties", () => {
  const v10 = useSdkServer("a2a-js");
  const v03 = useSdkServer("a2a-js-0.3");

  test.each(["JSONRPC", "HTTP+JSON", "GRPC"] as const)(
    "client and server of the JavaScript SDK 1.3.0 over %s",
    async (binding) => {
      const proxy = await proxyBefore(v10.url);
      const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
        transports: [new GrpcTransportFactory()],
        preferredTransports: [binding],
      });
      const client = await new ClientFactory(options).createFromUrl(`${proxy.url}/`);
      await client.sendMessage(request("task-lifecycle hello"));
      for await (const _event of client.sendMessageStream(request("streaming hello")));
      const { results, report } = await proxy.end();
      expect(accusations(results).filter((line) => line.includes(" fail: "))).toEqual([]);
      const over = [...new Set(callsIn(proxy.sights).flatMap((call) => (call.over ? [call.over.binding] : [])))];
      expect([over, report.parties!.agent.examined > 10]).toEqual([[binding], true]);
    },
  );

  test("client and server of the JavaScript SDK 0.3.14", async () => {
    const proxy = await proxyBefore(v03.url);
    const client = await A2AClient.fromCardUrl(`${proxy.url}/.well-known/agent-card.json`);
    const message = {
      kind: "message" as const,
      messageId: "m1",
      role: "user" as const,
      parts: [{ kind: "text" as const, text: "task-lifecycle hello" }],
    };
    await client.sendMessage({ message });
    for await (const _event of client.sendMessageStream({ message: { ...message, messageId: "m2" } }));
    const { results, report } = await proxy.end();
    expect(accusations(results).filter((line) => line.includes(" fail: "))).toEqual([]);
    const spoken = [...new Set(callsIn(proxy.sights).flatMap((call) => (call.over ? [call.over.dialect] : [])))];
    expect([spoken, report.parties!.agent.examined > 10]).toEqual([["0.3"], true]);
  });
});
