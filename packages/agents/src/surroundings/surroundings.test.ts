import { Agent, createServer, type IncomingMessage, request } from "node:http";
import { connect, createServer as createHttp2Server } from "node:http2";
import { type AddressInfo, connect as connectTo, createServer as createFront } from "node:net";
import { setImmediate } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startSurroundings, surroundings } from "./index.ts";

// Each of the surroundings does what its sentence says, as a plain HTTP client sees it.

/** A minimal agent: rejects "bad", streams on request, and names itself. */
async function startAgent(name: string): Promise<{ url: string; close(): void }> {
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const text = String(Buffer.concat(chunks));
    // Waits, and sends nothing meanwhile.
    if (text.includes("Subscribe")) {
      response.writeHead(200, { "Content-Type": "text/event-stream" }).write("data: 1\n\n");
      return;
    }
    if (text.includes("Streaming")) {
      response.writeHead(200, { "Content-Type": "text/event-stream" }).end("data: 1\n\ndata: 2\n\n");
      return;
    }
    const body = JSON.stringify(text.includes("bad") ? { error: "bad" } : { result: name });
    response.writeHead(text.includes("bad") ? 400 : 200, { "Content-Length": body.length }).end(body);
  });
  const http2 = createHttp2Server().on("stream", (answer) => {
    answer.respond({ ":status": 200 });
    answer.on("error", () => {}).write("data: 1\n\n");
  });
  await Promise.all(
    [server, http2].map((each) => new Promise<void>((resolve) => each.listen(0, "127.0.0.1", resolve))),
  );
  const portOf = (each: { address(): unknown }): number => (each.address() as AddressInfo).port;
  // One address for both, like agents that serve gRPC besides HTTP.
  const front = createFront((socket) => {
    socket.once("data", (first) => {
      const onward = connectTo(portOf(String(first).startsWith("PRI") ? http2 : server), "127.0.0.1");
      onward.write(first);
      socket.on("error", () => onward.destroy()).once("close", () => onward.destroy());
      onward.on("error", () => socket.destroy()).once("close", () => socket.destroy());
      socket.pipe(onward).pipe(socket);
    });
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${portOf(front)}/agent`,
    close() {
      for (const each of [front, server, http2]) each.close();
    },
  };
}

let [agent, successor]: { url: string; close(): void }[] = [];
beforeAll(async () => {
  // The rate limit counts the requests of a second, which a slow machine would exceed.
  vi.useFakeTimers({ toFake: ["Date"] });
  [agent, successor] = await Promise.all([startAgent("first"), startAgent("second")]);
});
afterAll(() => {
  vi.useRealTimers();
  agent!.close();
  successor!.close();
});

interface Heard {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly raw: readonly string[];
  readonly httpVersion: string;
  readonly body: Buffer;
  /** the error that ended it early */
  readonly failure?: string;
}

class Client {
  readonly #url: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor(url: string) {
    this.#url = url;
  }

  close(): void {
    this.#agent.destroy();
  }

  post(method: string): Promise<Heard> {
    return new Promise((resolve) => {
      const none = { status: 0, headers: {}, raw: [], httpVersion: "", body: Buffer.alloc(0) };
      const headers = { "Content-Type": "application/json", "Accept-Encoding": "gzip" };
      const asking = request(this.#url, { method: "POST", agent: this.#agent, headers }, (answer) => {
        const chunks: Buffer[] = [];
        const { statusCode: status = 0, headers: heard, rawHeaders: raw, httpVersion } = answer;
        const so = (failure?: string) =>
          resolve({
            status,
            headers: heard,
            raw,
            httpVersion,
            body: Buffer.concat(chunks),
            ...(failure && { failure }),
          });
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.once("error", (error: NodeJS.ErrnoException) => so(error.code)).once("end", () => so());
      });
      asking.once("error", (error: NodeJS.ErrnoException) => resolve({ ...none, failure: error.code ?? "" }));
      asking.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method }));
    });
  }

  /** Returns the result of a pausing HTTP/2 response, and the code of the GOAWAY that ends it. */
  overHttp2(): Promise<unknown> {
    return new Promise((resolve) => {
      const session = connect(new URL(this.#url).origin);
      let body = "";
      const answer = session.request({ ":method": "POST", ":path": "/agent" });
      answer.on("data", (chunk: Buffer) => {
        body += String(chunk);
      });
      answer.on("error", () => {});
      session.on("error", () => {}).once("goaway", (code) => resolve([body, code]));
    });
  }

  async posts(count: number, method = "GetTask"): Promise<Heard[]> {
    const all: Heard[] = [];
    for (let turn = 0; turn < count; turn++) all.push(await this.post(method));
    return all;
  }
}

/** Returns everything except 200, with its position. */
const odd = (heard: readonly Heard[]): (readonly [number, number | string])[] =>
  heard.flatMap(({ status, failure }, index) =>
    failure || status !== 200 ? [[index + 1, failure ?? status] as const] : [],
  );

const oddOf =
  (count: number, method?: string) =>
  async (client: Client): Promise<unknown> =>
    odd(await client.posts(count, method));

/** A stream that pauses is cut off, and another one is complete. A reset loses unread data. */
const pausingStream = async (client: Client): Promise<unknown> => [
  (await client.post("SubscribeToTask")).failure,
  odd([await client.post("SendStreamingMessage")]),
];

const send = "SendMessage";
const stream = "SendStreamingMessage";

const rows: Readonly<Record<string, { see: (client: Client) => Promise<unknown>; is: unknown }>> = {
  "gateway-blip": {
    see: oddOf(62),
    is: [30, 31, 32, 60, 61, 62].map((place) => [place, 502]),
  },
  "gateway-502-now-and-then": {
    see: oddOf(40),
    is: [
      [20, 502],
      [40, 502],
    ],
  },
  "gateway-504-on-send": {
    see: async (client) =>
      odd([await client.post("bad"), await client.post(send), await client.post(stream), await client.post("GetTask")]),
    is: [
      [1, 400],
      [2, 504],
      [3, 504],
    ],
  },
  "gateway-502-on-send": { see: oddOf(3, send), is: [[1, 502]] },
  "gateway-503": {
    see: async (client) => {
      const heard = await client.posts(37);
      return [odd(heard), heard[30]!.headers["retry-after"]];
    },
    is: [[31, 32, 33, 34, 35, 36].map((place) => [place, 503]), undefined],
  },
  "rate-limit": {
    see: async (client) => {
      const heard = await client.posts(7);
      return [odd(heard), heard[6]!.headers["retry-after"]];
    },
    is: [
      [
        [6, 429],
        [7, 429],
      ],
      "1",
    ],
  },
  "rate-limit-without-retry-after": {
    see: async (client) => {
      const heard = await client.posts(10);
      return [odd(heard), heard[9]!.headers["retry-after"]];
    },
    is: [[[10, 429]], undefined],
  },
  "payment-required": {
    see: async (client) => odd([await client.post(send), await client.post(stream), await client.post("GetTask")]),
    is: [
      [1, 402],
      [2, 402],
    ],
  },
  "prompt-forbidden": {
    see: async (client) => odd([await client.post(send), await client.post(stream), await client.post("GetTask")]),
    is: [
      [1, 403],
      [2, 403],
    ],
  },
  restart: {
    see: async (client) => {
      const { failure } = await client.post(send);
      for (;;) {
        const next = await client.post(send);
        // Down for milliseconds here: a slow machine may not notice.
        if (next.failure !== "ECONNREFUSED") return [failure, next.status];
      }
    },
    is: ["ECONNRESET", 200],
  },
  "restart-forgets": {
    see: async (client) => [await client.post(send), await client.post("GetTask")].map(({ body }) => String(body)),
    is: ['{"result":"first"}', '{"result":"second"}'],
  },
  "restarts-at-random": {
    see: async (client) => {
      const heard = await client.posts(60);
      return [heard[0]!.status, heard.some(({ failure }) => failure === "ECONNRESET")];
    },
    is: [200, true],
  },
  death: {
    see: async (client) => odd(await client.posts(63)),
    is: [
      [61, "ECONNRESET"],
      [62, "ECONNREFUSED"],
      [63, "ECONNREFUSED"],
    ],
  },
  "reset-of-pooled-connections": {
    see: async (client) => odd([await client.post("bad"), ...(await client.posts(2))]),
    is: [
      [1, 400],
      [2, "ECONNRESET"],
    ],
  },
  "reset-of-fresh-connections": {
    see: async (client) => {
      const heard = await client.posts(20);
      return [odd(heard), heard[0]!.headers.connection];
    },
    is: [[[20, "ECONNRESET"]], "close"],
  },
  "early-close": {
    see: async (client) => {
      const heard = await client.posts(32);
      return [odd(heard), String(heard[30]!.body)];
    },
    is: [[[31, "ECONNRESET"]], '{"result"'],
  },
  "reset-on-send": { see: oddOf(3, send), is: [[1, "ECONNRESET"]] },
  "early-close-on-send": { see: oddOf(3, send), is: [[1, "ECONNRESET"]] },
  "cut-stream": {
    see: async (client) => (await client.posts(2, stream)).map(({ body, failure }) => [String(body), failure]),
    is: [
      ["data: 1\n\n", "ECONNRESET"],
      ["data: 1\n\ndata: 2\n\n", undefined],
    ],
  },
  "streams-closed-on-pause": { see: pausingStream, is: ["ECONNRESET", []] },
  "streams-reset-on-pause": { see: pausingStream, is: ["ECONNRESET", []] },
  "goaway-on-pause": { see: (client) => client.overHttp2(), is: ["data: 1\n\n", 0] },
  "connection-close": {
    see: async (client) => (await client.posts(2)).map(({ headers }) => headers.connection),
    is: ["close", "close"],
  },
  "late-answer": {
    see: async (client) => odd([...(await client.posts(1, send)), ...(await client.posts(1, stream))]),
    is: [],
  },
  "late-first-event": { see: oddOf(1, stream), is: [] },
  "never-answers": {
    see: async (client) => {
      const silent = new Promise((resolve) => setTimeout(resolve, 100, "nothing yet"));
      return [odd([await client.post("bad")]), await Promise.race([client.post(send), silent])];
    },
    is: [[[1, 400]], "nothing yet"],
  },
  "more-headers": {
    see: async (client) => {
      const { headers } = await client.post("GetTask");
      return [headers.via, headers["set-cookie"]];
    },
    is: ["1.1 gateway", ["route=a; Path=/", "affinity=b; Path=/"]],
  },
  "lower-case-headers": {
    see: async (client) => {
      const { raw } = await client.post("GetTask");
      return [raw.includes("content-length"), raw.includes("Content-Length")];
    },
    is: [true, false],
  },
  rechunked: {
    see: async (client) => {
      const { headers, body } = await client.post("GetTask");
      return [headers["transfer-encoding"], headers["content-length"], String(body)];
    },
    is: ["chunked", undefined, '{"result":"first"}'],
  },
  gzip: {
    see: async (client) => {
      const { headers, body } = await client.post("GetTask");
      return [headers["content-encoding"], String(gunzipSync(body))];
    },
    is: ["gzip", '{"result":"first"}'],
  },
  "http-1.0": {
    see: async (client) => {
      const { httpVersion, headers, body } = await client.post("GetTask");
      return [httpVersion, headers["content-length"], String(body)];
    },
    is: ["1.0", undefined, '{"result":"first"}'],
  },
};

describe.concurrent("each does what it says", () => {
  test.each(Object.entries(rows))("%s", async (variant, { see, is }) => {
    const at = { behind: agent!.url, successor: successor!.url };
    const proxy = await startSurroundings({ ...at, variant, timeScale: 0.02 });
    const client = new Client(proxy.url);
    try {
      expect(await see(client)).toEqual(is);
      // An unanswered request may still be pending.
      while (proxy.troubled === 0) await setImmediate();
    } finally {
      client.close();
      await proxy.close();
    }
  });
});

test("each has an id of its own, a sentence, and a row above", () => {
  expect(surroundings.map(({ id }) => id)).toEqual(Object.keys(rows));
  expect(surroundings.filter(({ what }) => !/^[A-Z].*[^.]\.$/.test(what))).toEqual([]);
});

test("an unknown one is said to be unknown", async () => {
  await expect(startSurroundings({ behind: agent!.url, variant: "sunshine" })).rejects.toThrow(
    'Unknown surroundings "sunshine"',
  );
});
