import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEgressGuard } from "@assay/wire";
import { afterEach, describe, expect, test } from "vitest";
import { nextRetest, type WatchedAgent } from "./retest.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** An agent whose card is what `card` says when it is asked for. */
async function agentWith(card: () => string): Promise<{ url: string; server: Server }> {
  const server = createServer((_, response) => response.end(card()));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

const watching = (url: string, more: Partial<WatchedAgent> = {}): WatchedAgent => ({
  url,
  connection: { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }) },
  headers: [],
  signal: new AbortController().signal,
  pollMs: 20,
  ...more,
});

describe("it is time to test again", () => {
  test("when the card has changed", async () => {
    let looks = 0;
    const { url } = await agentWith(() => (++looks > 4 ? "new" : "old"));
    expect(await nextRetest(watching(url))).toBe("agent");
    expect(looks).toBe(5);
  });

  test("when the agent was away and is back, though its card is the same", async () => {
    let looks = 0;
    const { url, server } = await agentWith(() => "card");
    // Away from the third look to the fifth: it drops each connection.
    server.prependListener("request", (request) => {
      if (++looks > 2 && looks < 6) request.socket.destroy();
    });
    expect(await nextRetest(watching(url))).toBe("agent");
    expect(looks).toBe(6);
  });

  test("not because a card is different each time it is asked for", async () => {
    let looks = 0;
    const stop = new AbortController();
    const { url } = await agentWith(() => {
      if (++looks === 10) stop.abort();
      return `card ${looks}`;
    });
    expect(await nextRetest(watching(url, { signal: stop.signal }))).toBe("stop");
  });

  test("when a file was saved, but not one that nobody edits", async () => {
    const folder = mkdtempSync(join(tmpdir(), "assay-watch-"));
    mkdirSync(join(folder, "src"));
    mkdirSync(join(folder, "node_modules"));
    let isSettled = false;
    const waiting = nextRetest(watching("http://127.0.0.1:1/", { folder })).finally(() => {
      isSettled = true;
    });
    writeFileSync(join(folder, "node_modules", "x.js"), "x");
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(isSettled).toBe(false);
    writeFileSync(join(folder, "src", "app.ts"), "x");
    expect(await waiting).toBe("files");
  });

  test("never after it was stopped", async () => {
    expect(await nextRetest(watching("http://127.0.0.1:1/", { signal: AbortSignal.abort() }))).toBe("stop");
  });
});
