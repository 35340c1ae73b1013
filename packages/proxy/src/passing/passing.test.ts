import { type IncomingMessage, request } from "node:http";
import { connect as connect2, createServer as createServer2 } from "node:http2";
import { connect, createServer as createTcp, type Server } from "node:net";
import { bindCredentials, createEgressGuard, type Exchange } from "@assay/wire";
import { describe, expect, test } from "vitest";
import type { PassingOptions } from "./open.ts";
import { agentThat, before, closing, listening, textOf } from "./passing.fixture.ts";

describe("HTTP/1.1", () => {
  test("a request and its answer are passed on as they were written", async () => {
    const seen: { raw: string[]; url: string | undefined; body: string }[] = [];
    const agent = await agentThat(async (incoming, response) => {
      seen.push({ raw: incoming.rawHeaders, url: incoming.url, body: await textOf(incoming) });
      response.sendDate = false;
      response.writeHead(207, "Odd But Legal", ["X-TWICE", "one", "x-twice", "two", "Content-Length", "2"]);
      response.end("ok");
    });
    const { url, exchanges } = await before(agent);
    const { rawHeaders, statusCode, statusMessage, body } = await sent(`${url}/a/b?c=%20d`, {
      method: "PUT",
      headers: ["hOsT", new URL(url).host, "X-Case", "Kept", "x-case", "again", "Content-Length", "5"],
      body: "hello",
    });
    expect(seen).toEqual([
      {
        // The last pair concerns the connection to the agent.
        raw: [
          "hOsT",
          new URL(agent).host,
          "X-Case",
          "Kept",
          "x-case",
          "again",
          "Content-Length",
          "5",
          "Connection",
          "keep-alive",
        ],
        url: "/a/b?c=%20d",
        body: "hello",
      },
    ]);
    expect([statusCode, statusMessage, body]).toEqual([207, "Odd But Legal", "ok"]);
    expect(rawHeaders.slice(0, 6)).toEqual(["X-TWICE", "one", "x-twice", "two", "Content-Length", "2"]);
    const [{ http } = {} as Exchange] = exchanges;
    expect([
      http.request.url,
      Buffer.from(http.request.body).toString(),
      Buffer.from(http.response!.body).toString(),
    ]).toEqual([`${agent}/a/b?c=%20d`, "hello", "ok"]);
  });

  test("an event is there before the next one is made", async () => {
    const next: (() => void)[] = [];
    const agent = await agentThat(async (_incoming, response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      for (const n of [1, 2]) {
        response.write(`data: {"n":${n}}\n\n`);
        await new Promise<void>((resolve) => next.push(resolve));
      }
      response.end();
    });
    const { url, exchanges, until } = await before(agent);
    const response = await fetch(`${url}/stream`);
    const reader = response.body!.getReader();
    const read = async () => Buffer.from((await reader.read()).value ?? []).toString();
    expect(await read()).toBe('data: {"n":1}\n\n');
    next.shift()!();
    expect(await read()).toBe('data: {"n":2}\n\n');
    next.shift()!();
    expect((await reader.read()).done).toBe(true);
    await until(() => exchanges.length === 1);
    expect(exchanges[0]!.http.sse?.events.map(({ data }) => data)).toEqual(['{"n":1}', '{"n":2}']);
  });

  test("an agent is read no faster than the client takes", async () => {
    const block = Buffer.alloc(64 * 1024);
    let written = 0;
    let isFull: (() => void) | undefined;
    const full = new Promise<void>((resolve) => {
      isFull = resolve;
    });
    const agent = await agentThat((_incoming, response) => {
      response.writeHead(200);
      const fill = (): void => {
        while (written < 100_000_000) {
          written += block.length;
          if (!response.write(block)) return void isFull!();
        }
      };
      response.on("drain", fill);
      fill();
    });
    const { url } = await before(agent);
    const onward = request(url);
    onward.end();
    const message = await new Promise<IncomingMessage>((resolve) => onward.on("response", resolve));
    message.pause();
    await full;
    // Whatever the sockets on the way hold, it is far from all there is.
    expect(written).toBeLessThan(100_000_000);
    onward.destroy();
  });

  test("a client that leaves within the answer is gone for the agent, too", async () => {
    let left: () => void;
    const gone = new Promise<void>((resolve) => {
      left = resolve;
    });
    const agent = await agentThat((_incoming, response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.write("data: 1\n\n");
      response.on("close", () => left());
    });
    const { url, exchanges, until, codes } = await before(agent);
    const controller = new AbortController();
    const { body } = await fetch(url, { signal: controller.signal });
    await body!.getReader().read();
    controller.abort();
    await gone;
    await until(() => exchanges.length === 1);
    expect([exchanges[0]!.failure?.code, codes()]).toEqual(["aborted", ["client-hung-up"]]);
  });

  test("an agent that dies within a stream takes the connection of the client along", async () => {
    const agent = await agentThat((incoming, response) => {
      response.writeHead(200, { "Content-Type": "text/event-stream" });
      response.write("data: 1\n\n", () => incoming.socket.destroy());
    });
    const { url, exchanges, codes } = await before(agent);
    const response = await fetch(url);
    await expect(response.text()).rejects.toThrow("terminated");
    expect([exchanges[0]!.failure?.code, codes()]).toEqual(["reset", ["agent-broke-off"]]);
    expect(exchanges[0]!.http.sse?.events).toHaveLength(1);
  });

  test("the client gets an error where no agent listens, and the proxy goes on", async () => {
    const { url, exchanges, codes } = await before("http://127.0.0.1:1");
    const answers = await Promise.all([fetch(url), fetch(url)]);
    expect(answers.map(({ status }) => status)).toEqual([502, 502]);
    expect(await answers[0]!.text()).toContain("assay proxy: cannot reach 127.0.0.1:1");
    expect(codes()).toEqual(["agent-unreachable", "agent-unreachable"]);
    expect(exchanges.map(({ failure }) => failure?.code)).toEqual(["connect-refused", "connect-refused"]);
  });

  test("half a request is passed on as far as it came, and said", async () => {
    let heard: () => void;
    const broken = new Promise<void>((resolve) => {
      heard = resolve;
    });
    const agent = await agentThat((incoming) => {
      incoming
        .resume()
        .on("error", () => {})
        .on("close", () => heard());
    });
    const { url, until, codes, notices } = await before(agent);
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write(`POST /rpc HTTP/1.1\r\nHost: ${new URL(url).host}\r\nContent-Length: 100\r\n\r\n{"half`, () =>
      setImmediate(() => socket.destroy()),
    );
    await until(() => codes().includes("half-a-request"));
    await broken;
    expect(notices[0]!.text).toBe("POST /rpc: the request was cut off after 6 bytes");
  });

  test("what is no HTTP is said, and refused", async () => {
    const { url, codes, until } = await before("http://127.0.0.1:1");
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    socket.write("what is this?\r\n\r\n");
    expect(await textOf(socket)).toMatch(/^HTTP\/1.1 400 /);
    await until(() => codes().length === 1);
    expect(codes()).toEqual(["not-http"]);
  });

  test("a page whose name was pointed at us gets nothing", async () => {
    const { url, codes } = await before("http://127.0.0.1:1");
    const { statusCode } = await sent(url, { headers: ["Host", "evil.example"] });
    expect([statusCode, codes()]).toEqual([421, ["foreign-host"]]);
  });
});

describe("credentials", () => {
  const card = (elsewhere: string) => ({
    name: "two hosts",
    supportedInterfaces: [{ url: `${elsewhere}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  });
  const withCredentials = [
    "Authorization",
    "Bearer s3cret",
    "X-Corp",
    "key",
    "A2A-Version",
    "1.0",
    "Content-Length",
    "2",
  ];

  async function through(more: (agent: string, elsewhere: URL) => Partial<PassingOptions>, address?: string) {
    const heard: IncomingMessage["headers"][] = [];
    const elsewhere = await agentThat((incoming, response) => {
      heard.push(incoming.headers);
      incoming.resume().on("end", () => response.end("{}"));
    });
    const agent = await agentThat((_incoming, response) => response.end(JSON.stringify(card(address ?? elsewhere))));
    const proxy = await before(agent, more(agent, new URL(elsewhere)));
    const passed = (await (await fetch(`${proxy.url}/.well-known/agent-card.json`)).json()) as ReturnType<typeof card>;
    const { url } = passed.supportedInterfaces[0]!;
    const { statusCode } = await sent(url, {
      method: "POST",
      headers: ["Host", new URL(proxy.url).host, ...withCredentials],
      body: "{}",
    });
    return { ...proxy, heard, statusCode, url };
  }

  test("of clients stay with the host that the operator named", async () => {
    const { heard, codes, url } = await through(() => ({ guard: createEgressGuard({ allowLoopback: true }) }));
    expect(new URL(url).pathname).toMatch(/^\/-\/127\.0\.0\.1:\d+\/rpc$/);
    expect(Object.keys(heard[0]!).sort()).toEqual(["a2a-version", "connection", "content-length", "host"]);
    expect(codes()).toContain("credentials-withheld");
  });

  test("go along where --trust-host says so", async () => {
    const { heard, codes } = await through((agent, elsewhere) => ({
      guard: createEgressGuard({ allowLoopback: true }),
      credentials: bindCredentials({ named: [agent], trustHosts: [elsewhere.host], fields: [] }),
    }));
    expect([heard[0]!["authorization"], heard[0]!["x-corp"]]).toEqual(["Bearer s3cret", "key"]);
    expect(codes()).not.toContain("credentials-withheld");
  });

  test("a host that only the card names, on a private address, is not contacted", async () => {
    const { statusCode, notices } = await through(() => ({}), "http://127.0.0.2:9");
    expect(statusCode).toBe(502);
    expect(notices.at(-1)!.text).toContain("--allow-host");
  });

  test("a host that no card names is no destination", async () => {
    const { url, codes } = await before("http://127.0.0.1:1");
    expect([(await fetch(`${url}/-/10.0.0.1:80/x`)).status, codes()]).toEqual([404, ["unknown-destination"]]);
  });
});

describe("the webhook of the client", () => {
  const base = "http://127.0.0.1:7000/hook?key=1";
  const proxyTo = async (webhook: string) => before("http://127.0.0.1:1", { callback: new URL(webhook) });

  test.each([
    ["/-/callback", "/hook?key=1"],
    ["/-/callback/tasks", "/hook/tasks?key=1"],
    ["/-/callback?n=1", "/hook?key=1&n=1"],
    ["/-/callback/a%20b?n=1", "/hook/a%20b?key=1&n=1"],
  ])("%s leads to %s, and back", async (place, path) => {
    const { map } = await proxyTo(base);
    expect(map.destination(place)).toEqual({ origin: new URL("http://127.0.0.1:7000"), path, isCallback: true });
    expect(map.calledBack(`http://127.0.0.1:7000${path}`)).toBe(place);
  });

  test.each(["http://127.0.0.1:7000/", "http://127.0.0.1:7000/hook/"])(
    "a slash at its end stays: %s",
    async (webhook) => {
      const { map } = await proxyTo(webhook);
      const { origin, path } = map.destination("/-/callback")!;
      expect(`${origin.origin}${path}`).toBe(webhook);
      expect(map.calledBack(webhook)).toBe("/-/callback");
    },
  );

  test.each([
    "http://127.0.0.1:7000/hook",
    "http://127.0.0.1:7000/hook?key=10",
    "http://127.0.0.1:7000/hooks?key=1",
    "http://127.0.0.1:7001/hook?key=1",
  ])("%s is another address", async (address) => {
    const { map } = await proxyTo(base);
    expect(map.calledBack(address)).toBeUndefined();
  });

  test.each(["/..", "/../x", "/a/../../x", "/%2e%2E/x", "/..%2fx", "/..\\x", "/.%5cx", "/..;/x"])(
    "%s leaves its path: nothing is passed on",
    async (rest) => {
      const received: (string | undefined)[] = [];
      const webhook = await agentThat((incoming, response) => {
        received.push(incoming.url);
        response.end();
      });
      const { url, codes } = await proxyTo(`${webhook}/hook`);
      const { host, port } = new URL(url);
      const answered = await new Promise<number | undefined>((resolve) =>
        request({ host: "127.0.0.1", port, path: `/-/callback${rest}`, headers: { Host: host } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).end(),
      );
      expect([answered, received, codes()]).toEqual([404, [], ["unknown-destination"]]);
    },
  );

  test("over HTTP/2, too, notices name the agent as the side that calls", async () => {
    const { url, notices, until } = await proxyTo("http://127.0.0.1:1/hook");
    const session = connect2(url);
    closing.push(() => session.destroy());
    session
      .request({ ":method": "POST", ":path": "/-/callback" })
      .on("error", () => {})
      .end("{}");
    await until(() => notices.length === 1);
    expect(notices).toEqual([
      { side: "client", code: "agent-unreachable", text: expect.stringMatching(/^notification: POST \/hook: /) },
    ]);
  });
});

describe("the card", () => {
  const signed = {
    name: "Signed",
    url: "http://0.0.0.0:9/old",
    preferredTransport: "JSONRPC",
    signatures: [{ protected: "x", signature: "y" }],
    unknown: { stays: [1, 2] },
  };
  const serving = (body: string) =>
    agentThat((incoming, response) => {
      response.writeHead(200, {
        "Content-Type": "application/json",
        ETag: '"1"',
        "X-Coding": String(incoming.headers["accept-encoding"]),
      });
      response.end(body);
    });

  test("points here, without its signatures, and it is said what was changed", async () => {
    const agent = await serving(JSON.stringify(signed));
    const { url, cards } = await before(agent);
    const response = await fetch(`${url}/x/.well-known/agent.json`);
    expect([response.headers.get("etag"), response.headers.get("x-coding")]).toEqual(['"1"', "undefined"]);
    expect(await response.json()).toEqual({
      name: "Signed",
      url: `${url}/-/127.0.0.1:9/old`,
      preferredTransport: "JSONRPC",
      unknown: { stays: [1, 2] },
    });
    expect(cards).toEqual([
      {
        url: `${agent}/x/.well-known/agent.json`,
        card: signed,
        changes: [
          "the signatures were removed, because they cover the agent's own addresses",
          `http://0.0.0.0:9/old was rewritten to ${url}/-/127.0.0.1:9/old`,
        ],
      },
    ]);
  });

  test("goes through as it is with keepCard", async () => {
    const text = `${JSON.stringify(signed)}\n`;
    const { url, cards } = await before(await serving(text), { keepCard: true });
    expect([await (await fetch(`${url}/.well-known/agent-card.json`)).text(), cards]).toEqual([text, []]);
  });

  test("that is none goes through as it is, and it is said", async () => {
    const { url, codes } = await before(await serving("{ broken"));
    expect(await (await fetch(`${url}/.well-known/agent-card.json`)).text()).toBe("{ broken");
    expect(codes()).toEqual(["card-unreadable"]);
  });
});

describe("HTTP/2", () => {
  const http2Agent = async (): Promise<string> => {
    const server = createServer2();
    server.on("stream", (stream, headers) => {
      stream.on("error", () => {});
      if (headers[":path"] === "/pkg.Service/Reset") return void stream.close(8);
      stream.respond(
        { ":status": 200, "content-type": "application/grpc", "x-said": headers["x-say"] },
        { waitForTrailers: true },
      );
      stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
      stream.on("data", (chunk: Buffer) => stream.write(chunk)).on("end", () => stream.end());
    });
    return listening(server as unknown as Server);
  };
  const call = (url: string, path: string) => {
    const session = connect2(url);
    closing.push(() => session.destroy());
    return session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
      "x-say": "hi",
    });
  };

  test("a call is passed on with its messages and trailers, on the same port", async () => {
    const { url, exchanges, until } = await before(await http2Agent());
    const stream = call(url, "/pkg.Service/Echo");
    const trailers = new Promise<Record<string, unknown>>((resolve) => stream.on("trailers", resolve));
    const head = new Promise<Record<string, unknown>>((resolve) => stream.on("response", resolve));
    stream.end(Buffer.from([0, 0, 0, 0, 2, 7, 7]));
    expect(Buffer.from(await textOf(stream))).toEqual(Buffer.from([0, 0, 0, 0, 2, 7, 7]));
    expect([(await head)["x-said"], (await trailers)["grpc-status"]]).toEqual(["hi", "0"]);
    await until(() => exchanges.length === 1);
    const [{ http, transport } = {} as Exchange] = exchanges;
    expect([
      http.grpc?.messages.map(({ bytes }) => [...bytes]),
      http.response?.trailers,
      transport.sent.length,
    ]).toEqual([[[7, 7]], [["grpc-status", "0"]], 7]);
  });

  test("what is no gRPC is passed on, too, and comes to its end", async () => {
    const server = createServer2();
    server.on("stream", (stream) => {
      stream.respond({ ":status": 415 });
      stream.end("no");
    });
    const { url } = await before(await listening(server as unknown as Server));
    const session = connect2(url);
    closing.push(() => session.destroy());
    expect(await textOf(session.request({ ":path": "/x" }))).toBe("no");
  });

  test("a stream that the agent resets is reset for the client, with the same code", async () => {
    const { url, exchanges, until } = await before(await http2Agent());
    const stream = call(url, "/pkg.Service/Reset").on("error", () => {});
    const closed = new Promise<number>((resolve) => stream.on("close", () => resolve(stream.rstCode ?? 0)));
    stream.end();
    expect(await closed).toBe(8);
    await until(() => exchanges.length === 1);
    expect(exchanges[0]!.failure?.code).toBe("reset");
  });

  test("a call that the client cancels is cancelled at the agent", async () => {
    let code: (code: number) => void;
    const cancelled = new Promise<number>((resolve) => {
      code = resolve;
    });
    const server = createServer2();
    server.on("stream", (stream) => {
      stream.on("error", () => {}).on("close", () => code(stream.rstCode ?? 0));
      stream.respond({ ":status": 200, "content-type": "application/grpc" });
      stream.write(Buffer.from([0, 0, 0, 0, 0]));
    });
    const { url, exchanges, until } = await before(await listening(server as unknown as Server));
    const stream = call(url, "/pkg.Service/Watch").on("error", () => {});
    stream.end();
    await new Promise((resolve) => stream.once("data", resolve));
    stream.close(8);
    expect(await cancelled).toBe(8);
    await until(() => exchanges.length === 1);
    expect(exchanges[0]!.failure?.code).toBe("aborted");
  });

  test("to an agent that speaks HTTP/1.1 alone is said, and answered in gRPC", async () => {
    const agent = await listening(
      createTcp((socket) => socket.on("error", () => {}).end("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")),
    );
    const { url, codes } = await before(agent);
    const stream = call(url, "/pkg.Service/Echo").on("error", () => {});
    const head = new Promise<Record<string, unknown>>((resolve) => stream.on("response", resolve));
    stream.end();
    const { "grpc-status": status, "grpc-message": message } = await head;
    expect(status).toBe("14");
    expect(decodeURIComponent(String(message))).toContain("does not speak HTTP/2");
    expect(codes()).toEqual(["no-http2"]);
  });
});

/** A request as it is written here, and the whole answer. */
async function sent(
  url: string,
  { method = "GET", headers, body = "" }: { method?: string; headers: string[]; body?: string },
): Promise<{ rawHeaders: string[]; statusCode: number | undefined; statusMessage: string | undefined; body: string }> {
  const options = { method, headers, setDefaultHeaders: false };
  const onward = request(url, options);
  onward.end(body);
  const message = await new Promise<IncomingMessage>((resolve, reject) =>
    onward.on("response", resolve).on("error", reject),
  );
  const { rawHeaders, statusCode, statusMessage } = message;
  return { rawHeaders, statusCode, statusMessage, body: await textOf(message) };
}
