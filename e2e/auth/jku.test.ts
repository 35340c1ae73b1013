import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { testAgent } from "@assay/suite";
import { foldRun, type RunEvent, resultsOf } from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";
import { expect, onTestFinished, test } from "vitest";

const base64 = (json: object): string => Buffer.from(JSON.stringify(json)).toString("base64url");

/** Tests an agent whose card says that its key is at `jku`, and tells what was asked of its host and of the resolver. */
async function runWith(
  jku: (port: number) => string,
  options: Parameters<typeof createEgressGuard>[0],
  addresses: readonly string[],
) {
  const paths: string[] = [];
  const names: string[] = [];
  const server = createServer((request, response) => {
    paths.push(`${request.headers.host?.split(":")[0]} ${request.url}`);
    if (request.url === "/moved") response.writeHead(302, { Location: "/jwks.json" }).end();
    else if (request.url === "/.well-known/agent-card.json") sendCard(response);
    else response.writeHead(404).end();
  });
  const sendCard = (response: ServerResponse) => {
    const header = { alg: "ES256", kid: "k", typ: "JOSE", jku: jku(port) };
    const card = {
      name: "Signed",
      description: "Signed with a key that is elsewhere.",
      version: "1",
      supportedInterfaces: [{ url: `http://127.0.0.1:${port}/`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
      capabilities: {},
      skills: [{ id: "s", name: "s", description: "s", tags: ["s"] }],
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      signatures: [{ protected: base64(header), signature: base64({}) }],
    };
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(card));
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const guard = createEgressGuard({
    trustedHosts: ["127.0.0.1"],
    async lookup(hostname) {
      names.push(hostname);
      return [{ address: addresses[Math.min(names.length, addresses.length) - 1]!, family: 4 }];
    },
    ...options,
  });
  const events: RunEvent[] = [];
  const run = testAgent({
    url: `http://127.0.0.1:${port}`,
    run: "jku",
    version: "test",
    connection: { guard },
    depth: "free",
    only: ["SIG-006"],
  });
  for await (const event of run) events.push(event);
  const verdicts = resultsOf(foldRun(events)).filter((result) => result.test === "SIG-006");
  return { names, keyPaths: paths.filter((path) => path.startsWith("keys.test")), verdicts };
}

test("fetching the keys of a signed card resolves the host once and follows no redirect", async () => {
  const { names, keyPaths } = await runWith((port) => `http://keys.test:${port}/moved`, { allowLoopback: true }, [
    "127.0.0.1",
    "127.0.0.9",
  ]);
  expect([names, keyPaths]).toEqual([["keys.test"], ["keys.test /moved"]]);
});

test.each(["10.0.0.5", "169.254.169.254", "192.168.1.1", "127.0.0.1"])(
  "Assay fetches no keys from a host that resolves to %s, and does not accuse the agent",
  async (address) => {
    const { names, keyPaths, verdicts } = await runWith((port) => `http://keys.test:${port}/jwks.json`, {}, [address]);
    expect([names, keyPaths]).toEqual([["keys.test"], []]);
    expect(verdicts.length).toBeGreaterThan(0);
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(verdicts.map(() => "not-examined"));
  },
);
