import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestOptions, testAgent } from "@assay/suite";
import { type ConformanceReport, foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";
import { expect, onTestFinished, test } from "vitest";
import { useTestbed } from "../fixtures/testbed.fixture.ts";

// Limits of the tester that an agent can reach: the report names them, and the agent is accused of nothing.

const bed = useTestbed({ timeScale: 0.02 });

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function tested(url: string, more: Partial<TestOptions> = {}): Promise<ConformanceReport> {
  const events: RunEvent[] = [];
  const run = testAgent({
    url,
    run: "limits",
    version: "test",
    connection: { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }) },
    ...more,
  });
  for await (const event of run) events.push(event);
  return foldRun(events);
}

const failures = (report: ConformanceReport): string[] =>
  resultsOf(report).flatMap(({ verdict, test: rule, message }) => (verdict === "fail" ? [`${rule}: ${message}`] : []));

test("a run does not wait when an agent asks for twelve minutes", async () => {
  const card = (url: string) => ({
    name: "Busy",
    description: "has no time",
    version: "1.0.0",
    supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    capabilities: { streaming: true },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "s", name: "s", description: "s", tags: ["s"] }],
  });
  const url: string = await listening(
    createServer((request, response) => {
      if (request.url === "/.well-known/agent-card.json")
        return response.setHeader("Content-Type", "application/json").end(JSON.stringify(card(url)));
      return response.writeHead(429, { "Retry-After": "720" }).end();
    }),
  );
  const report = await tested(url);
  expect([report.outcome, failures(report)]).toEqual(["inconclusive", []]);
  expect(report.levelBecause).toContain("asked to wait (Retry-After: 720); a run waits at most 180 s");
});

test("the report counts dropped notifications", async () => {
  const flooded = new Set<string>();
  const flood = async (webhook: string): Promise<void> => {
    flooded.add(webhook);
    for (let sent = 0; sent < 520; sent += 52)
      await Promise.all(Array.from({ length: 52 }, () => fetch(webhook, { method: "POST", body: "{}" })));
  };
  const url: string = await listening(
    createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString("utf8");
      const [, webhook] = /"url":"(http:\/\/127\.0\.0\.1:\d+\/[\da-f-]{36})"/.exec(body) ?? [];
      if (webhook !== undefined && !flooded.size) await flood(webhook);
      const { host: _, connection: __, "content-length": ___, ...headers } = request.headers;
      const answer = await fetch(`${bed.url}${request.url}`, {
        method: request.method ?? "GET",
        headers: headers as Record<string, string>,
        ...(body && { body }),
      });
      const text = (await answer.text()).replaceAll(bed.url, url);
      const fields = [...answer.headers].filter(
        ([name]) => !/^(content-length|content-encoding|transfer-encoding|connection)$/.test(name),
      );
      response.writeHead(answer.status, Object.fromEntries(fields));
      response.end(text);
    }),
  );
  const report = await tested(`${url}/full`, {
    depth: "full",
    bindings: ["JSONRPC"],
    only: ["PUSH-021"],
    webhook: { listen: { host: "127.0.0.1", port: 0 } },
  });
  expect(flooded.size).toBe(1);
  expect(report.notes.filter((note) => note.startsWith("The webhook receiver dropped "))).toEqual([
    expect.stringMatching(/^The webhook receiver dropped \d+ notifications: more came than it keeps\.$/),
  ]);
});
