import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestbed, type Testbed } from "@assay/agents";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run } from "../../packages/cli/src/main.ts";
import { paperScreen } from "../../packages/cli/src/screen.fixture.ts";
import { provesAll } from "../fixtures/proves-all.fixture.ts";

/**
 * An interface of which nothing was seen is never green, whatever holds at the others, and its address is named. What our
 * own guard refuses is the one exception: the operator opens it with a flag, the level says that it was not tested.
 */

const folder = mkdtempSync(join(tmpdir(), "assay-nothing-"));
const servers: Server[] = [];
const sockets = new Set<Socket>();
let bed: Testbed;
let interfaces: object[] = [];
const hosts = { card: "", noGrpc: "", noMessages: "", busy: "" };

async function listening(server: Server): Promise<string> {
  servers.push(server);
  server.on("connection", (socket: Socket) => sockets.add(socket.on("error", () => {})));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  bed = await startTestbed({ host: "127.0.0.1", port: 0, version: "test", timeScale: 0 });
  const http2 = createHttp2Server();
  http2.on("stream", (stream) => {
    stream.on("error", () => {});
    stream.respond({ ":status": 200, "content-type": "application/grpc" });
    stream.end(Buffer.from([0, 0, 0, 0, 3, 255, 255, 255]));
  });
  hosts.noMessages = await listening(http2);
  hosts.noGrpc = await listening(
    createTcpServer((socket) => socket.on("data", () => socket.write("what? ".repeat(20)))),
  );
  hosts.busy = await listening(
    createServer((_request, response) => response.writeHead(503, { "Retry-After": "0" }).end("busy")),
  );
  hosts.card = await listening(
    createServer((_request, response) => {
      response.writeHead(200, { "Content-Type": "application/json", "Cache-Control": "max-age=60" });
      response.end(
        JSON.stringify({
          name: "Half",
          description: "d",
          version: "1",
          supportedInterfaces: interfaces,
          capabilities: {},
          defaultInputModes: ["text/plain"],
          defaultOutputModes: ["text/plain"],
          skills: [{ id: "s", name: "S", description: "d", tags: ["t"] }],
        }),
      );
    }),
  );
});

afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers) server.close();
  await bed.close(0);
  rmSync(folder, { recursive: true, force: true });
});

interface Way {
  /** tried in `npm run prove`: Assay repeats its requests for seconds before it gives up */
  readonly isLong?: true;
  readonly at: readonly (readonly [protocolBinding: string, url: string])[];
  /** the first of it in JUnit, too */
  readonly says: readonly string[];
  readonly exit: number;
}

const ways: Record<string, () => Way> = {
  "garbage instead of gRPC": () => ({
    isLong: true,
    at: [["GRPC", hosts.noGrpc]],
    says: [`nothing examined over GRPC at http://${hosts.noGrpc}/`],
    exit: 2,
  }),
  "garbage over gRPC": () => ({
    at: [["GRPC", hosts.noMessages]],
    says: [`http://${hosts.noMessages}/ does not speak GRPC`],
    exit: 1,
  }),
  "an address that our guard refuses": () => ({
    at: [["HTTP+JSON", "http://10.1.2.3/rest"]],
    says: ["10.1.2.3 is a private address", "HTTP+JSON 1.0 at http://10.1.2.3/rest was not tested"],
    exit: 0,
  }),
  "a server that is always busy, and a name that does not resolve": () => ({
    isLong: true,
    at: [
      ["HTTP+JSON", `http://${hosts.busy}/rest`],
      ["GRPC", "agent.invalid:50051"],
    ],
    says: [
      `nothing examined over HTTP+JSON at http://${hosts.busy}/rest: the agent or a gateway returned 503 on every attempt`,
      "cannot reach http://agent.invalid:50051/: the host name did not resolve",
    ],
    exit: 2,
  }),
};

describe.each(Object.entries(ways).filter(([, way]) => provesAll || !way().isLong))(
  "beside a good interface, %s",
  (_way, way) => {
    test("is named in the lines of a log and in JUnit, and decides the exit code", async () => {
      const { at, says, exit } = way();
      const good = ["JSONRPC", `${bed.url}/echo`] as const;
      interfaces = [good, ...at].map(([protocolBinding, url]) => ({ url, protocolBinding, protocolVersion: "1.0" }));
      const screen = paperScreen({ isTerminal: false });
      const junit = join(folder, "out.xml");
      const only = ["--only", "CARD-016", "--only", "BIND-*", "--only", "SEND-001"];
      const options = ["--no-config", "--no-record", "--task-timeout", "5", "--report", `junit=${junit}`];
      const code = await run(["test", `http://${hosts.card}`, ...only, ...options], screen);
      for (const sentence of says) expect(screen.out()).toContain(sentence);
      expect(readFileSync(junit, "utf8")).toContain(says[0]);
      expect(code).toBe(exit);
      // Whoever is at fault, it is not the interface that works.
      expect(screen.out()).not.toMatch(/^FAIL \S+ JSONRPC/m);
    });
  },
);
