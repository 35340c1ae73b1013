import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { createServer, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createEgressGuard } from "../egress.ts";
import type { Exchange } from "../recording/exchange.ts";
import { createHttp2Client } from "./http2.ts";

async function urlOf(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/agent?a=1`;
}

const serving = (answer: (stream: ServerHttp2Stream, path: string | undefined) => void): Promise<string> =>
  urlOf(
    createServer().on("stream", (stream, headers) => {
      stream.on("error", () => {});
      answer(stream, headers[":path"]);
    }),
  );

async function asked(url: string, allowLoopback = true): Promise<{ data: string[]; exchange: Exchange }> {
  const client = createHttp2Client({ guard: createEgressGuard({ allowLoopback }), timeouts: { idle: 10_000 } });
  onTestFinished(() => client.close());
  const stream = client.stream({ method: "POST", url, headers: [["A2A-Version", "1.0"]], body: Buffer.from("{}") });
  const data: string[] = [];
  for await (const event of stream.events) data.push(event.data);
  return { data, exchange: await stream.finished };
}

const events = { ":status": 200, "content-type": "text/event-stream" };

test("events of a stream arrive, and the exchange is recorded", async () => {
  const url = await serving((stream, path) => {
    stream.respond(events);
    stream.write(`data: ${path}\n\n`);
    stream.end("data: 2\n\n");
  });
  const { data, exchange } = await asked(url);
  expect(data).toEqual(["/agent?a=1", "2"]);
  expect(exchange.failure).toBeUndefined();
  expect(exchange.transport.http2).toBe(true);
  expect(exchange.http.request.headers).toContainEqual(["a2a-version", "1.0"]);
  expect(exchange.http.response?.status).toBe(200);
});

test("a response without a body is complete", async () => {
  const { exchange } = await asked(await serving((stream) => stream.respond({ ":status": 404 }, { endStream: true })));
  expect(exchange.failure).toBeUndefined();
  expect(exchange.http.response?.status).toBe(404);
});

test("a stream that is reset is a failure", async () => {
  const url = await serving((stream) => {
    stream.respond(events);
    stream.write("data: 1\n\n", () => stream.destroy(new Error("a fault")));
  });
  expect((await asked(url)).exchange.failure).toMatchObject({ code: "reset" });
});

test("a connection that is lost is a failure", async () => {
  const url = await serving((stream) => {
    stream.respond(events);
    stream.write("data: 1\n\n", () => stream.session?.destroy());
  });
  expect((await asked(url)).exchange.failure).toMatchObject({ code: "closed-early" });
});

test("a server without HTTP/2 is a failure", async () => {
  const url = await urlOf(createHttpServer((_, response) => response.end()));
  const { exchange } = await asked(url);
  expect(exchange.failure).toBeDefined();
  expect(exchange.http.response).toBeUndefined();
});

test("the egress guard applies", async () => {
  const { exchange } = await asked("http://127.0.0.1:9/", false);
  expect(exchange.failure?.code).toBe("refused-by-guard");
});
