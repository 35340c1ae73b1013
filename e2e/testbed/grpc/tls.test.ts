import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { startTestbed, type Testbed } from "@assay/agents";
import type { AgentCard, ListTasksResponse } from "@assay/protocol";
import { grpcV10 } from "@assay/protocol/grpc";
import { credentials } from "@grpc/grpc-js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusalOf, useGrpcPeers, version10 } from "../../fixtures/grpc.fixture.ts";
import { agentMessage, sending, unknownTask } from "../../fixtures/testbed.fixture.ts";
import { eventsOf } from "./spec-over-grpc.fixture.ts";

const dial = useGrpcPeers();

describe("TLS", () => {
  let secure: Testbed;
  let cert: string;
  const faults: unknown[] = [];
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), "assay-tls-"));
    const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    const out = ["-days", "1", "-keyout", "key.pem", "-out", "cert.pem"];
    execFileSync("openssl", ["req", "-x509", ...key, ...name, ...out], { cwd: folder, stdio: "pipe" });
    cert = readFileSync(join(folder, "cert.pem"), "utf8");
    const tls = { cert, key: readFileSync(join(folder, "key.pem"), "utf8") };
    rmSync(folder, { recursive: true });
    secure = await startTestbed({
      host: "127.0.0.1",
      port: 0,
      version: "0",
      timeScale: 0.1,
      tls,
      onError: (error) => faults.push(error),
    });
  });
  afterAll(async () => {
    await secure.close(500);
    expect(faults).toEqual([]);
  });

  test("grpc-js works over TLS as in clear text", async () => {
    const peer = dial(`localhost:${secure.port}`, grpcV10, { credentials: credentials.createSsl(Buffer.from(cert)) });
    expect(await peer.ask("SendMessage", sending("message-only hi"))).toEqual({
      message: agentMessage("[message-only] You said: message-only hi"),
    });
    const events = await eventsOf(peer, "SendStreamingMessage", sending("streaming hi"));
    expect(events.length).toBe(7);
    const meta = { ...version10, authorization: "Bearer agentbin-test-token" };
    const card = await peer.ask<AgentCard>("GetExtendedAgentCard", {}, { meta });
    expect(card.supportedInterfaces[0]?.url).toBe(`https://localhost:${secure.port}/spec`);
    expect(await peer.refusal("GetTask", { id: unknownTask })).toEqual({
      status: "NOT_FOUND",
      reason: "TASK_NOT_FOUND",
    });
  });

  test.each<[string[], string | false]>([
    [["h2"], "h2"],
    [["http/1.1"], "http/1.1"],
    [["h2", "http/1.1"], "h2"],
    [["http/1.1", "h2"], "h2"],
  ])("ALPN: a client that offers %j gets %s", async (offered, chosen) => {
    const protocol = await new Promise((resolve, reject) => {
      const socket = connectTls({ port: secure.port, host: "127.0.0.1", ca: cert, ALPNProtocols: offered }, () => {
        resolve(socket.alpnProtocol);
        socket.destroy();
      });
      socket.on("error", reject);
    });
    expect(protocol).toBe(chosen);
  });

  test("without ALPN it is HTTP/1.1", async () => {
    const heard = await new Promise<string>((resolve, reject) => {
      let text = "";
      const socket = connectTls({ port: secure.port, host: "127.0.0.1", ca: cert }, () => {
        socket.write("GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      });
      socket.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      socket.on("error", reject).on("close", () => resolve(text));
    });
    expect([heard.split("\r\n")[0], heard.split("\r\n\r\n")[1]]).toEqual(["HTTP/1.1 200 OK", '{"status":"ok"}']);
  });

  test("clear text at a TLS port gets no response, and other connections go on", async () => {
    const peer = dial(`127.0.0.1:${secure.port}`, grpcV10);
    expect(await refusalOf(peer.call("ListTasks", {}))).toEqual({ status: "UNAVAILABLE", reason: "" });
    const again = dial(`localhost:${secure.port}`, grpcV10, { credentials: credentials.createSsl(Buffer.from(cert)) });
    expect((await again.ask<ListTasksResponse>("ListTasks", {})).pageSize).toBe(50);
  });
});
