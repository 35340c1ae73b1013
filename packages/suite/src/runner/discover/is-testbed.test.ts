import { testbedHeader } from "@assay/protocol";
import { createEgressGuard, type Exchange, type HeaderPairs } from "@assay/wire";
import { listen } from "@assay/wire/server";
import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../report/events.ts";
import { testAgent } from "../test-agent.ts";
import { isTestbed } from "./is-testbed.ts";

const marked: HeaderPairs = [[testbedHeader.toLowerCase(), "1"]];

const cardFrom = (address: string | undefined, headers: HeaderPairs, proxy?: string) => ({
  exchange: {
    transport: { ...(proxy !== undefined && { proxy }) },
    http: { response: { headers } },
    ...(address !== undefined && { remote: { address, port: 4040 } }),
  } as unknown as Exchange,
});

describe("the header of the test bed", () => {
  test.each(["127.0.0.1", "::1", "::ffff:127.0.0.1"])("the header from %s is trusted", (address) => {
    expect(isTestbed(cardFrom(address, marked))).toBe(true);
  });

  test.each(["192.168.0.7", "93.184.215.14", "fd00::1", undefined])("the header from %s is not trusted", (address) => {
    expect(isTestbed(cardFrom(address, marked))).toBe(false);
  });

  test("the header is not trusted through a proxy, which hides the agent's address", () => {
    expect(isTestbed(cardFrom("127.0.0.1", marked, "http://127.0.0.1:3128"))).toBe(false);
  });

  test("the header is the only sign", () => {
    expect(isTestbed(cardFrom("127.0.0.1", [["Server", "agentbin"]]))).toBe(false);
  });
});

/** Skills that agentbin and the servers written after it list, too. */
const card = {
  name: "An agent",
  version: "1",
  capabilities: {},
  supportedInterfaces: [],
  skills: ["task-lifecycle", "message-only", "streaming", "long-running"].map((id) => ({ id, name: id })),
};

/** The depth at which an agent on this machine is tested when none is asked for. */
async function depthFor(headers: Record<string, string>): Promise<string | undefined> {
  const server = await listen({
    host: "127.0.0.1",
    port: 0,
    handler: (_, reply) => reply.send(200, { "Content-Type": "application/json", ...headers }, JSON.stringify(card)),
  });
  try {
    const guard = createEgressGuard({ trustedHosts: ["127.0.0.1"] });
    const events: RunEvent[] = [];
    const options = { url: server.url, run: "test", version: "test", connection: { guard }, only: ["CARD-003"] };
    for await (const event of testAgent(options)) events.push(event);
    return events.find((event) => event.event === "run-started")?.depth;
  } finally {
    await server.close(0);
  }
}

test("another server with the skills of the test bed is not asked for everything unless that was said", async () => {
  expect(await depthFor({})).toBe("quick");
  expect(await depthFor({ [testbedHeader]: "1" })).toBe("full");
});
