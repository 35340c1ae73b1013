import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { outboundWith, receiver } from "../push/receiver.fixture.ts";
import type { Testbed } from "../testbed/options.ts";
import { startTestbed } from "../testbed/testbed.ts";

let bed: Testbed;
beforeAll(async () => {
  bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "0.0.0-test", allowedHosts: ["agent.test"] });
});
afterAll(() => bed.close(0));

const never = new AbortController().signal;

/** A resolver that returns these in turn, then the last one forever, and counts its calls. */
function resolver(...answers: string[]) {
  const asked: string[] = [];
  const lookup = async (hostname: string) => {
    asked.push(hostname);
    return [{ address: answers[Math.min(asked.length, answers.length) - 1]!, family: 4 }];
  };
  return { asked, lookup };
}

describe("relays", () => {
  const agent = () => `http://agent.test:${bed.port}/echo`;

  test("a relay resolves the host of an agent once, for its card and all requests", async () => {
    const { asked, lookup } = resolver("127.0.0.1", "127.0.0.9");
    const { relay } = outboundWith({ lookup, allowLoopback: true, pinMs: 60_000 });
    expect(await relay(agent(), "hi", never)).toBe("Echo: hi");
    expect(asked).toEqual(["agent.test"]);
  });

  test.each(["127.0.0.1", "10.0.0.5", "169.254.169.254", "100.100.100.200", "192.168.1.1"])(
    "a relay does not call a host that resolves to %s",
    async (address) => {
      const { asked, lookup } = resolver(address);
      const { relay } = outboundWith({ lookup, pinMs: 60_000 });
      const told = await relay(agent(), "hi", never).catch((error: Error) => error.message);
      expect(told).toContain("this test bed does not call that host");
      // A client must not learn the address of its name in our network.
      expect(told).not.toContain(address);
      expect(asked).toEqual(["agent.test"]);
    },
  );

  test("a relay does not reveal which address refused the connection", async () => {
    const { lookup } = resolver("127.0.0.1");
    const { relay } = outboundWith({ lookup, allowLoopback: true, pinMs: 60_000 });
    const told = await relay("http://agent.test:1/", "hi", never).catch((error: Error) => error.message);
    expect(told).toContain("the connection was refused");
    expect(told).not.toContain("127.0.0.1");
  });

  test("a relay does not call a forbidden address from an agent's card", async () => {
    const card = {
      name: "Pointer",
      description: "d",
      version: "1",
      capabilities: {},
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      skills: [{ id: "s", name: "S", description: "d", tags: ["t"] }],
      supportedInterfaces: [{ url: "http://10.0.0.5/", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
    };
    const pointer = await receiver((response) => {
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(card));
    });
    const { relay } = outboundWith({ allowLoopback: true });
    await expect(relay(pointer.url, "hi", never)).rejects.toThrow(
      "Cannot reach the other agent: this test bed does not call that host.",
    );
  });
});
