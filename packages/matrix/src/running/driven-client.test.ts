import { expect, test } from "vitest";
import type { ClientDriver } from "../driver/client-driver.ts";
import type { DriverDescription } from "../driver/description.ts";
import { DrivenClient } from "./driven-client.ts";
import type { ObservedAgent } from "./observed-agent.ts";

const why = "The client gives no handle on a stream.";
const description = { unsupported: [{ op: "close", why, bindings: ["JSONRPC"] }] } as unknown as DriverDescription;
const nobody = {} as ClientDriver & ObservedAgent;

test("a client that cannot hang up is not asked for a stream that is to be left", async () => {
  const client = new DrivenClient(description, nobody, nobody, { binding: "JSONRPC", version: "1.0" });
  const asked = { operation: "send_streaming_message", request: {}, headers: {}, timeoutMs: 1_000, leaveAfter: 2 };
  expect(await client.ask(asked as Parameters<typeof client.ask>[0])).toEqual({
    given: { error: { kind: "unsupported", message: why } },
    exchanges: [],
    isPending: false,
  });
});
