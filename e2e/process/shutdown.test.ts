import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test as testAnywhere } from "vitest";
import { StartedCommand } from "./command.fixture.ts";

// Windows has no signals: a process that is told to end ends at once.
const test = testAnywhere.skipIf(process.platform === "win32");

const hours = "36000";
const serve = (...flags: string[]) => new StartedCommand(["serve", "--port", "0", "--json", ...flags]);

/** An agent that answers no message, and the first message that it got. */
async function silentAgent(): Promise<{ url: string; asked: Promise<unknown> }> {
  const server = createServer((request, response) => {
    if (request.method === "POST") return void server.emit("message");
    response.writeHead(200, { "Content-Type": "application/json" });
    response.end(JSON.stringify({ ...card, supportedInterfaces: [{ url, ...jsonRpc }] }));
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const asked = once(server, "message");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return { url, asked };
}

const jsonRpc = { protocolBinding: "JSONRPC", protocolVersion: "1.0" };
const card = {
  name: "Silent",
  description: "Answers no message.",
  version: "1",
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "none", name: "None", description: "Does nothing.", tags: ["none"] }],
};

test("SIGTERM ends a server whose main thread is blocked", async () => {
  const command = serve("--shutdown-timeout", "0.1");
  await command.ready();
  await command.block();
  command.child.kill("SIGTERM");
  expect(await command.code()).toBe(143);
  expect(command.err).toContain("assay: the command does not respond to SIGTERM, so Assay killed it.");
});

test("SIGINT ends a short command whose main thread is blocked", async () => {
  const { url, asked } = await silentAgent();
  const command = new StartedCommand(["forecast", url, "--shutdown-timeout", "0.1"]);
  await asked;
  await command.block();
  command.child.kill("SIGINT");
  expect(await command.code()).toBe(130);
  expect(command.err).toContain("assay: the command does not respond to SIGINT, so Assay killed it.");
});

test("a second signal ends a blocked command without waiting for --shutdown-timeout", async () => {
  const command = serve("--shutdown-timeout", hours);
  await command.ready();
  await command.block();
  command.child.kill("SIGTERM");
  command.child.kill("SIGINT");
  expect([143, 130]).toContain(await command.code());
});

test("a command ends with its launcher", async () => {
  const command = serve();
  await command.ready();
  command.child.kill("SIGKILL");
  await command.code();
});

test("a server that is not done by --shutdown-timeout says what it did not clean up, and exits", async () => {
  const command = serve("--shutdown-timeout", "0.5", "--shutdown-grace", "3600");
  const { url } = await command.ready();
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "slow 3600" }] };
  const stream = await fetch(`${url}/spec/message:stream`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "A2A-Version": "1.0" },
    body: JSON.stringify({ message }),
  });
  const cut = stream.text().catch(() => "cut off");
  command.child.kill("SIGTERM");
  expect(await command.code()).toBe(143);
  expect(await cut).toBe("cut off");
  expect(command.err).toContain(
    "assay: the shutdown took longer than 0.5 s (--shutdown-timeout). Not cleaned up: open requests and streams; the store; traces.\n",
  );
});

test("a signal that reaches the launcher and the command counts once", async () => {
  const command = serve("--drain-delay", "3600", "--shutdown-timeout", hours);
  const { url, pid } = await command.ready();
  const ready = async () => {
    const answer = await fetch(`${url}/ready`);
    return [answer.status, answer.headers.get("connection"), await answer.json()];
  };
  const stopping = [503, "close", { ready: false, reason: "shutting down" }];
  // Ctrl-C and service managers signal both. Each is signalled here when the other has taken note.
  command.child.kill("SIGINT");
  await expect.poll(ready).toEqual(stopping);
  process.kill(pid, "SIGINT");
  // A command that counted it a second time would not answer twice more.
  expect([await ready(), await ready()]).toEqual([stopping, stopping]);
  command.child.kill("SIGTERM");
  expect(await command.code()).toBe(143);
});

test("a test of an agent that never responds ends in order after a signal", async () => {
  const { url, asked } = await silentAgent();
  const command = new StartedCommand(["test", url, "--no-config", "--no-record", "--shutdown-timeout", "20"]);
  await asked;
  command.child.kill("SIGTERM");
  expect(await command.code()).toBe(130);
  expect(command.out).toContain("Stopping and cleaning up. Press Ctrl-C again to stop at once.");
  expect(command.out).toContain("interrupted");
});

test("a forecast for an agent that never responds ends in order after a signal", async () => {
  const { url, asked } = await silentAgent();
  const command = new StartedCommand(["forecast", url, "--shutdown-timeout", "20"]);
  await asked;
  command.child.kill("SIGTERM");
  expect(await command.code()).toBe(130);
  expect([command.out, command.err]).toEqual(["", expect.stringContaining("Stopping and cleaning up.")]);
});

test("a client that ignores SIGTERM ends with assay client", async () => {
  const { url, asked } = await silentAgent();
  const program = `process.on("SIGTERM", () => {}); fetch("${url}", { method: "POST" }); setInterval(() => {}, 1_000)`;
  const flags = ["--no-record", "--timeout", hours, "--shutdown-timeout", "60"];
  const command = new StartedCommand(["client", ...flags, "--", process.execPath, "-e", program, "{url}"]);
  await asked;
  command.child.kill("SIGTERM");
  expect(await command.code()).toBe(130);
  expect(command.out).toContain("interrupted");
});
