import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createEgressGuard } from "@assay/wire";
import { expect, test } from "vitest";
import { examine } from "./examine.ts";

const cardFor = (url: string) => ({
  name: "Tiny",
  description: "A tiny server.",
  version: "1",
  supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "a", name: "A", description: "Does a.", tags: ["a"] }],
});

test("the card of an agent is fetched once per job, and the report has that exchange", async () => {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.url} ${request.headers["a2a-version"] ?? ""}`.trim());
    const isCard = request.url === "/.well-known/agent-card.json";
    response.writeHead(isCard ? 200 : 404, { "Content-Type": "application/json" });
    response.end(JSON.stringify(isCard ? { ...cardFor(url), version: undefined } : {}));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const agent = { name: "tiny", url, labels: [], depth: "card", mayMessage: false } as const;
    const { class: named, report } = await examine(
      { sweep: "s", agent },
      { url, run: "r", version: "0", connection: { guard: createEgressGuard({ allowLoopback: true }) } },
    );
    // What follows the first two is what the suite asks as a client of older versions.
    expect(asked).toEqual([
      "/robots.txt",
      "/.well-known/agent-card.json 1.0",
      "/.well-known/agent-card.json",
      "/.well-known/agent.json",
    ]);
    expect(named).toBe("card-invalid");
    expect(report!.exchanges!.map(({ id, entry }) => [id, entry.request.url])).toEqual([
      ["x1", `${url}/.well-known/agent-card.json`],
    ]);
  } finally {
    server.close();
  }
});
