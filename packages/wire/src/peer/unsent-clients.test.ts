import { expect, test } from "vitest";
import { bindCredentials } from "../client/bound-credentials.ts";
import { createEgressGuard } from "../egress.ts";
import { Recording } from "../recording/recording.ts";
import { openLine } from "./peer.ts";
import { createUnsentClients } from "./unsent-clients.ts";

const named = "http://127.0.0.1:1/agent";
const headers = [["Authorization", "Bearer sesame"]] as const;

function unsent() {
  const recording = new Recording();
  const credentials = bindCredentials({ named: [named], fields: headers, secrets: ["sesame"] });
  const clients = createUnsentClients({ guard: createEgressGuard(), recording, credentials, userAgent: "assay/1" });
  return { recording, clients };
}

// Nothing listens on port 1: whatever were sent would fail.
test.each(["JSONRPC", "HTTP+JSON", "GRPC"] as const)(
  "over %s a call is written down, and told of no task",
  async (binding) => {
    const { recording, clients } = unsent();
    const line = await openLine(clients, { url: named, binding, dialect: "1.0" }, { headers });
    const answer = await line.call("GetTask", { id: "t" });
    expect(answer).toMatchObject({ is: "error" });
    const [{ http }] = recording.exchanges as [(typeof recording.exchanges)[0]];
    const fields = Object.fromEntries(http.request.headers.map(([name, value]) => [name.toLowerCase(), value]));
    expect(fields).toMatchObject({ "a2a-version": "1.0", authorization: "Bearer sesame", "user-agent": "assay/1" });
    expect(Buffer.from(http.request.body).toString("latin1") + http.request.url).toContain("t");
  },
);

test("a stream is refused at once, without an event", async () => {
  const { clients } = unsent();
  const line = await openLine(clients, { url: named, binding: "JSONRPC", dialect: "1.0" });
  const { events } = await line.stream("SubscribeToTask", { id: "t" });
  const seen: string[] = [];
  for await (const event of events) seen.push(event.is);
  expect(seen).toEqual(["error"]);
});

test("credentials are not even written down for an address that was not named", async () => {
  const { recording, clients } = unsent();
  const line = await openLine(clients, { url: "http://127.0.0.1:2/", binding: "JSONRPC", dialect: "1.0" }, { headers });
  await line.call("GetTask", { id: "t" });
  expect(recording.exchanges[0]!.http.request.headers.map(([name]) => name)).not.toContain("Authorization");
});
