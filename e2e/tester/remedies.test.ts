import type { Testbed } from "@assay/agents";
import { type TestOptions, testAgent } from "@assay/suite";
import { type ConformanceResult, foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";
import { afterAll, expect, test } from "vitest";
import { startRewritingProxy } from "../fixtures/rewriting-proxy.fixture.ts";
import { startFixtures } from "../proof/proving.fixture.ts";

/** What a failure tells its reader to do has to fit what was seen. */

const bed: Testbed = await startFixtures();
afterAll(() => bed.close(0));

async function failureOf(rule: string, url: string, more: Partial<TestOptions> = {}): Promise<ConformanceResult> {
  const events: RunEvent[] = [];
  const run = testAgent({
    url,
    run: "remedies",
    version: "test",
    connection: { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }) },
    depth: "full",
    bindings: ["JSONRPC"],
    only: [rule],
    ...more,
  });
  for await (const event of run) events.push(event);
  const found = resultsOf(foldRun(events)).find(({ test: id, verdict }) => id === rule && verdict === "fail");
  if (!found) throw new Error(`${rule} does not fail`);
  return found;
}

test("JSONRPC-017 names the byte that keeps an event from being JSON, and its place", async () => {
  const proxy = await startRewritingProxy(bed.url, ({ status, text }) => ({
    status,
    text: text.replaceAll(/^data: ?\{/gm, "data: \u001e{"),
  }));
  try {
    const { message, remedy } = await failureOf("JSONRPC-017", `${proxy.url}/spec`);
    expect(message).toBe(
      "the stream has an unreadable event: byte 0x1E at position 0 of its data makes the JSON invalid",
    );
    expect(remedy).toMatch(/^Remove byte 0x1E at position 0 from the data of every event\./);
  } finally {
    proxy.close();
  }
});

test("JSONRPC-001 says to catch errors where the address is right", async () => {
  const proxy = await startRewritingProxy(bed.url, ({ status, text }) =>
    text.includes('"error":') ? { status: 500, text: "Internal Server Error" } : { status, text },
  );
  try {
    const { remedy } = await failureOf("JSONRPC-001", `${proxy.url}/spec`);
    expect(remedy).toMatch(/^Handle every request to this URL in the JSON-RPC handler. Catch its exceptions/);
  } finally {
    proxy.close();
  }
});

test("V03-CARD-002 is reproduced by fetching the card", async () => {
  const url = `${bed.url}/mutants/V03-CARD-002.number`;
  const { repeat } = await failureOf("V03-CARD-002", url, { dialects: ["0.3"] });
  expect(repeat).toBe(`curl -s '${url}/.well-known/agent-card.json'`);
});
