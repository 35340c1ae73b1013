import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { run } from "../main.ts";
import { paperScreen } from "../screen.fixture.ts";

const home = process.cwd();
beforeAll(() => process.chdir(mkdtempSync(join(tmpdir(), "assay-gateway-"))));
afterAll(() => process.chdir(home));

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const examined = (through: number, upstream: number, screen = paperScreen()) =>
  run(["gateway", "--through", `http://127.0.0.1:${through}`, "--upstream-port", String(upstream)], screen);

test("nothing is broken by a proxy for bytes, and the report speaks of properties", async () => {
  const screen = paperScreen();
  const proxy = createServer((client) => {
    const [, upstream] = /An agent listens on http:\/\/127\.0\.0\.1:(\d+)/.exec(screen.out())!;
    const agent = connect(Number(upstream), "127.0.0.1");
    client.on("error", () => agent.destroy()).on("close", () => agent.destroy());
    agent.on("error", () => client.destroy()).on("close", () => client.destroy());
    client.pipe(agent).pipe(client);
  });
  expect(await examined(await listening(proxy), 0, screen)).toBe(0);
  expect(screen.out()).toMatch(/nothing broken\s+no property broken, no warnings\s+examined \d+ of \d+ properties/);
  expect(screen.out()).not.toMatch(/\brules?\b|model call|no level/);
});

test("a gateway that leads elsewhere is not judged", async () => {
  const screen = paperScreen();
  const elsewhere = createHttpServer((_request, response) => response.writeHead(404).end());
  expect(await examined(await listening(elsewhere), 0, screen)).toBe(2);
  expect(screen.err()).toMatch(/passed no request on to .*: it answered HTTP 404/);
  expect(screen.err()).toContain("--allow-host");
});

test("a gateway that does not answer is not judged", async () => {
  const screen = paperScreen();
  expect(await examined(1, 0, screen)).toBe(2);
  expect(screen.err()).toMatch(/passed no request on to .*: connection refused/);
  expect(screen.err()).toContain("Start the gateway, or correct --through.");
});

test("a port in use is wrong usage", async () => {
  const screen = paperScreen();
  expect(await examined(1, await listening(createServer()), screen)).toBe(2);
  expect(screen.err()).toContain("--upstream-port");
});

test.each(["badge", "forecast", "forecast-badge"])("--report %s is wrong usage", async (format) => {
  const screen = paperScreen();
  expect(await run(["gateway", "--through", "http://127.0.0.1:1", "--report", format], screen)).toBe(2);
  expect(screen.err()).toContain(`--report ${format} describes an agent, not a gateway`);
});

test.each([["--message", "Hello"], ["--rude"]])("%s without --direct is wrong usage", async (...flag) => {
  const screen = paperScreen();
  expect(await run(["gateway", "--through", "http://127.0.0.1:1", ...flag], screen)).toBe(2);
  expect(screen.err()).toContain(`${flag[0]} requires --direct`);
});

test("a property that does not exist is wrong usage", async () => {
  const screen = paperScreen();
  expect(await run(["gateway", "--through", "http://127.0.0.1:1", "--only", "GW-STREAM-IDEL"], screen)).toBe(2);
  expect(screen.err()).toContain("Did you mean GW-STREAM-IDLE?");
});

describe("with your own agent", () => {
  /** Starts an agent that answers with its card, or with errors. It notes the credentials of each request. */
  async function startAgent(): Promise<{ url: string; seen: Set<string | undefined> }> {
    const seen = new Set<string | undefined>();
    const server = createHttpServer((request, response) => {
      seen.add(request.headers.authorization);
      const isCard = request.url === "/.well-known/agent-card.json";
      const error = { jsonrpc: "2.0", id: 1, error: { code: -32001, message: "Task not found" } };
      const url = `http://${request.headers.host}`;
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(isCard ? cardAt(url) : error));
    });
    return { url: `127.0.0.1:${await listening(server)}`, seen };
  }

  const cardAt = (url: string): object => ({
    name: "Agent",
    description: "d",
    version: "1",
    capabilities: {},
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  });

  const compared = (through: string, direct: string, screen: ReturnType<typeof paperScreen>, ...more: string[]) =>
    run(["gateway", "--through", `http://${through}`, "--direct", `http://${direct}`, ...more], screen);

  test.each([
    ["--only", "GW-STREAM-*"],
    ["--grpc-through", "127.0.0.1:3"],
    ["--callback-through", "http://127.0.0.1:3"],
    ["--upstream-port", "4061"],
    ["--upstream-host", "0.0.0.0"],
  ])("%s is wrong usage", async (...flag) => {
    const screen = paperScreen();
    expect(await compared("127.0.0.1:1", "127.0.0.1:2", screen, ...flag)).toBe(2);
    expect(screen.err()).toContain(`${flag[0]} does not work with --direct`);
  });

  test("load and size tests need permission", async () => {
    const agent = await startAgent();
    const screen = paperScreen();
    await compared(agent.url, agent.url, screen, "--depth", "full");
    expect(screen.out()).toMatch(/needs --rude: Assay sends harmful requests only with permission/);
  });

  test("the number of messages is announced, and the report counts them", async () => {
    const [agent, gateway] = [await startAgent(), await startAgent()];
    const screen = paperScreen();
    expect(await compared(gateway.url, agent.url, screen)).toBe(0);
    expect(screen.out()).toContain("Depth quick: up to 4 messages (each may be a model call and cost money).");
    expect(screen.out()).toContain(`Compared with the agent whose card is at http://${agent.url}`);
    expect(screen.out()).toMatch(/nothing broken {3}no property broken, no warnings/);
    expect(screen.out()).toContain("3 of 4 messages");
    expect(screen.out()).not.toContain("agent of Assay");
  });

  test("a login in an address goes to that address only", async () => {
    const [agent, gateway] = [await startAgent(), await startAgent()];
    await compared(gateway.url, `me:s3cret@${agent.url}`, paperScreen());
    expect([...agent.seen]).toEqual([`Basic ${btoa("me:s3cret")}`]);
    expect([...gateway.seen]).toEqual([undefined]);
  });

  test("credentials go to both addresses", async () => {
    const [agent, gateway] = [await startAgent(), await startAgent()];
    await compared(gateway.url, agent.url, paperScreen(), "--header", "Authorization: Bearer t0ken-of-mine");
    expect([...agent.seen]).toContain("Bearer t0ken-of-mine");
    expect([...gateway.seen]).toContain("Bearer t0ken-of-mine");
  });

  test("an agent that is missing on one path is not judged", async () => {
    const agent = await startAgent();
    const [noAgent, noGateway] = [paperScreen(), paperScreen()];
    expect(await compared(agent.url, "127.0.0.1:1", noAgent)).toBe(2);
    expect(noAgent.err()).toMatch(/Cannot reach http:\/\/127\.0\.0\.1:1 .*This is the direct address/);
    expect(await compared("127.0.0.1:1", agent.url, noGateway)).toBe(2);
    expect(noGateway.err()).toMatch(
      /Nothing can be compared\. The gateway at .* did not answer: .*\nStart the gateway, or correct --through/,
    );
  });
});
