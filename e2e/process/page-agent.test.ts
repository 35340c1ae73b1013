import { expect, test as testAnywhere } from "vitest";
import { freePort } from "../fixtures/free-port.fixture.ts";
import { StartedCommand } from "./command.fixture.ts";

// Windows has no signals, and another shell.
const test = testAnywhere.skipIf(process.platform === "win32");

const page = (...args: string[]) => new StartedCommand(["ui", "--port", "0", "--json", ...args]);
const node = `"${process.execPath}" -e`;

test("--start starts the agent with the page, and stops it with the page", async () => {
  const port = await freePort();
  const agent = `http://127.0.0.1:${port}`;
  const server = `require('http').createServer((_, reply) => reply.end('here')).listen(${port}, '127.0.0.1')`;
  const command = page(agent, "--start", `${node} "${server}"`);
  const { url, token } = await command.ready();
  const session = await fetch(`${url}/api/session`, { headers: { Authorization: `Bearer ${token}` } });
  expect(await session.json()).toMatchObject({ agents: [{ url: agent }] });
  const answer = () => fetch(agent).then((response) => response.text(), String);
  await expect.poll(answer).toBe("here");
  command.child.kill("SIGTERM");
  expect(await command.code()).toBe(0);
  expect(await answer()).toContain("fetch failed");
});

test("a command that fails is reported, and the page stays", async () => {
  const command = page(`http://127.0.0.1:${await freePort()}`, "--start", `${node} "process.exit(3)"`);
  const { url } = await command.ready();
  await command.said("exited with code 3");
  expect((await fetch(url)).status).toBe(200);
  command.child.kill("SIGTERM");
  expect(await command.code()).toBe(0);
});

test.each([
  ["without an address", [], "--start requires the address of the agent"],
  ["with --export", ["--export", "site"], "--export writes saved runs and tests no agent"],
])("--start %s is wrong usage", async (_name, args, text) => {
  const command = page("--start", "true", ...args);
  expect(await command.code()).toBe(2);
  expect(command.err).toContain(text);
});
