import { spawnSync } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { StartedAgent } from "./started-agent.ts";

const nobody = "http://127.0.0.1:1";
/** A command for any shell. The code has no double quotes. */
const running = (code: string): string => `"${process.execPath}" -e "${code}"`;

/** A process that nobody has fetched the end of yet is over all the same. */
function isAlive(pid: number): boolean {
  const [tool, ...args] =
    process.platform === "win32" ? ["tasklist", "/nh", "/fi", `PID eq ${pid}`] : ["ps", "-o", "stat=", "-p", `${pid}`];
  const shown = spawnSync(tool!, args, { encoding: "utf8" }).stdout.trim();
  return process.platform === "win32" ? shown.includes(`${pid}`) : !/^(Z.*)?$/.test(shown);
}

describe("an agent that we start", () => {
  test("that fails is reported with its last output", async () => {
    const command = running(
      "console.error('hello'); console.error('no ' + String.fromCharCode(27) + '[31mport'); process.exitCode = 3",
    );
    const agent = await StartedAgent.start(command, nobody);
    await agent.failed;
    expect(agent.obituary()).toEqual([
      `The agent (${command}) exited with code 3; its last 2 lines:`,
      "  │ hello",
      "  │ no \\u001b[31mport",
    ]);
    await agent.end();
  });

  test("that ends well may have left an agent behind, so it has not failed", async () => {
    const agent = await StartedAgent.start("exit 0", nobody);
    await agent.end();
    expect(agent.obituary()).toEqual([]);
  });

  test("that ends after it had answered is dead, however well it ended, and can be started again", async () => {
    const command = running("console.log('up'); setTimeout(() => {}, 200)");
    const agent = await StartedAgent.start(command, nobody);
    expect(await firstLine(agent)).toBe("up");
    agent.answers();
    expect(await agent.ending(10_000)).toBe(`The agent (${command}) exited with code 0; its last output: up`);
    agent.restart();
    expect(agent.starts).toBe(2);
    await agent.end();
    expect(await agent.ending(0)).toBeUndefined();
  });

  test("is ended with everything it has started", async () => {
    const waiting = "[process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }]";
    const agent = await StartedAgent.start(
      running(`console.error(require('child_process').spawn(...${waiting}).pid)`),
      nobody,
    );
    const child = Number(await firstLine(agent));
    expect(isAlive(child)).toBe(true);
    await agent.end();
    await expect.poll(() => isAlive(child)).toBe(false);
  });

  test("is not started where somebody else answers", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await expect(StartedAgent.start("exit 0", url)).rejects.toThrow("Another program already answers at");
    server.close();
  });
});

async function firstLine(agent: StartedAgent): Promise<string> {
  await expect.poll(() => agent.lastLines().length).toBeGreaterThan(0);
  return agent.lastLines()[0]!;
}
