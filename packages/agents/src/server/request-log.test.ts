import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startTestbed, type Testbed } from "../testbed.ts";
import type { LoggedRequest } from "./request-log.ts";

const served: LoggedRequest[] = [];
let bed: Testbed;
beforeAll(async () => {
  const onServed = (request: LoggedRequest): void => void served.push(request);
  bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "test", timeScale: 0, onServed });
});
afterAll(() => bed.close(0));

test("every request is told with its path, its status and where it came from", async () => {
  await (await fetch(`${bed.url}/echo/.well-known/agent-card.json`)).text();
  await (await fetch(`${bed.url}/nowhere`)).text();
  await vi.waitFor(() => expect(served).toHaveLength(2));
  expect(served).toMatchObject([
    { method: "GET", path: "/echo/.well-known/agent-card.json", status: "200", from: "127.0.0.1" },
    { method: "GET", path: "/nowhere", status: "404" },
  ]);
});
