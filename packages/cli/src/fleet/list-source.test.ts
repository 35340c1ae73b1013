import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { FleetFlags } from "../commands/fleet.ts";
import { readAgents } from "./list-source.ts";

const flags = (more: Partial<FleetFlags> = {}): FleetFlags =>
  ({ concurrency: 1, deadline: 1, maxMemory: 1, attempts: 1, ...more }) as FleetFlags;

const fileOf = (name: string, text: string): string => {
  const file = join(mkdtempSync(join(tmpdir(), "assay-list-")), name);
  writeFileSync(file, text);
  return file;
};

/** A registry with these pages, each by its path. */
async function registry(pages: Readonly<Record<string, unknown>>): Promise<string> {
  const server = createServer((request, response) => {
    const page = pages[request.url ?? ""];
    response.writeHead(page === undefined ? 404 : 200, { "Content-Type": "application/json" });
    response.end(typeof page === "string" ? page : JSON.stringify(page ?? {}));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a listing is read page by page, and the fleet is called after its host", async () => {
  const at = await registry({
    "/agents": { agents: ["https://a.example"], next: "/agents?page=2" },
    "/agents?page=2": { agents: ["https://b.example"], next: "/agents" },
  });
  const { fleet, agents, mistakes } = await readAgents(`${at}/agents`, flags({ depth: "quick" }));
  expect([fleet, mistakes]).toEqual([new URL(at).host, []]);
  expect(agents.map(({ name, depth, mayMessage }) => [name, depth, mayMessage])).toEqual([
    ["https://a.example", "quick", true],
    ["https://b.example", "quick", true],
  ]);
});

test.each([
  ["/missing", {}, "returned HTTP 404"],
  ["/text", { "/text": "<html>" }, "is not valid JSON"],
  ["/away", { "/away": { agents: [], next: "https://elsewhere.example/" } }, "links to https://elsewhere.example"],
])("%s is no listing", async (path, pages, says) => {
  const at = await registry(pages);
  await expect(readAgents(`${at}${path}`, flags())).rejects.toThrow(says);
});

test("a file is read by its ending, by --format, or by a path in its JSON", async () => {
  const csv = await readAgents(fileOf("registry.csv", "url\nhttps://a.example\n"), flags());
  expect([csv.fleet, csv.agents.length]).toEqual(["registry", 1]);
  const lines = fileOf("list.txt", '"https://a.example"\n"https://b.example"\n');
  expect((await readAgents(lines, flags({ format: "ndjson", fleet: "mine" }))).agents).toHaveLength(2);
  await expect(readAgents(lines, flags())).rejects.toThrow("unknown format");
  const json = fileOf("all.json", JSON.stringify({ items: [{ href: "https://a.example" }] }));
  expect((await readAgents(json, flags({ jsonPath: "$.items[*].href" }))).agents).toHaveLength(1);
  await expect(readAgents(json, flags({ jsonPath: "items" }))).rejects.toThrow("--json-path: A path begins with $");
  await expect(readAgents("/nowhere/agents.yaml", flags())).rejects.toThrow(
    "Cannot read the list /nowhere/agents.yaml: file not found",
  );
});

/** A registry whose every page leads on to another. */
async function endless(agentsOfPage: number): Promise<{ readonly at: string; pages(): number }> {
  let pages = 0;
  const server = createServer((_request, response) => {
    pages++;
    const agents = Array.from({ length: agentsOfPage }, (_, index) => `https://a${pages}-${index}.example`);
    response.end(JSON.stringify({ agents, next: `/agents?page=${pages + 1}` }));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { at: `http://127.0.0.1:${(server.address() as AddressInfo).port}/agents`, pages: () => pages };
}

test.each([
  ["pages", { pages: 7, agents: 1_000, bytes: 1e9 }, 7, "has more than 7 pages"],
  ["agents", { pages: 1_000, agents: 25, bytes: 1e9 }, 3, "has more than 25 agents"],
  ["bytes", { pages: 1_000, agents: 1_000, bytes: 1024 * 1024 * 0.001 }, 4, "MiB"],
])("an endless listing is rejected at the limit of %s, with an error", async (_of, limits, asked, says) => {
  const registry = await endless(10);
  await expect(readAgents(registry.at, flags(), limits)).rejects.toThrow(says);
  expect(registry.pages()).toBe(asked);
});

test("a page that lists more than a sweep holds is refused before its rows are made", async () => {
  const at = await registry({ "/agents": Array.from({ length: 30 }, () => 0) });
  await expect(readAgents(`${at}/agents`, flags(), { pages: 9, agents: 29, bytes: 1e9 })).rejects.toThrow("29 agents");
});
