import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
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
  expect(screen.out()).toMatch(/nothing broken\s+no property broken, no warnings\s+examined 26 of 30 properties/);
  expect(screen.out()).not.toMatch(/\brules?\b|model call|no level/);
});

test("a gateway that leads elsewhere is not judged", async () => {
  const screen = paperScreen();
  const elsewhere = createHttpServer((_request, response) => response.writeHead(404).end());
  expect(await examined(await listening(elsewhere), 0, screen)).toBe(2);
  expect(screen.err()).toMatch(/passed no request on to .*: it answered HTTP 404/);
  expect(screen.err()).toContain("--allow-host");
});

test("a port in use is wrong usage", async () => {
  const screen = paperScreen();
  expect(await examined(1, await listening(createServer()), screen)).toBe(2);
  expect(screen.err()).toContain("--upstream-port");
});
