import { expect, test } from "vitest";
import { toHar } from "./har.ts";
import { sampleExchange } from "./sample.fixture.ts";

const creator = { name: "assay", version: "0.1.0" };

test("an exchange becomes an entry with all that HAR 1.2 requires", () => {
  const exchange = sampleExchange({
    transport: {
      sent: Buffer.from("POST /?a=1&a=2 HTTP/1.1\r\n\r\n{}"),
      received: Buffer.from("HTTP/1.0 302 Found\r\n\r\n"),
    },
    request: {
      method: "POST",
      url: "https://agent.test/?a=1&a=2",
      headers: [["Content-Type", "application/json"]],
      body: Buffer.from("{}"),
    },
    response: {
      status: 302,
      statusText: "Found",
      headers: [
        ["Location", "/x"],
        ["content-type", "text/plain"],
      ],
      body: Buffer.from("moved"),
    },
  });
  expect(toHar([exchange], creator)).toEqual({
    log: {
      version: "1.2",
      creator,
      entries: [
        {
          startedDateTime: "2026-11-15T10:00:00.000Z",
          time: 30,
          request: {
            method: "POST",
            url: "https://agent.test/?a=1&a=2",
            httpVersion: "HTTP/1.1",
            cookies: [],
            headers: [{ name: "Content-Type", value: "application/json" }],
            queryString: [
              { name: "a", value: "1" },
              { name: "a", value: "2" },
            ],
            postData: { mimeType: "application/json", text: "{}" },
            headersSize: 27,
            bodySize: 2,
          },
          response: {
            status: 302,
            statusText: "Found",
            httpVersion: "HTTP/1.0",
            cookies: [],
            headers: [
              { name: "Location", value: "/x" },
              { name: "content-type", value: "text/plain" },
            ],
            content: { size: 5, mimeType: "text/plain", text: "moved" },
            redirectURL: "/x",
            headersSize: 22,
            bodySize: -1,
          },
          cache: {},
          timings: { connect: 5, send: 1, wait: 14, receive: 10 },
          serverIPAddress: "192.0.2.1",
          _id: "x1",
        },
      ],
    },
  });
});

test("an event stream is its text, and bytes that are no text are Base64", () => {
  const stream = sampleExchange({ response: { body: Buffer.from("data: ä\n\n") } });
  const binary = sampleExchange({ response: { body: Uint8Array.of(0xff, 0) } });
  const contents = toHar([stream, binary], creator).log.entries.map(({ response }) => response.content);
  expect(contents).toEqual([
    { size: 10, mimeType: "", text: "data: ä\n\n" },
    { size: 2, mimeType: "", text: "/wA=", encoding: "base64" },
  ]);
});

test("of a stream it is told when each event came", () => {
  const sse = {
    events: [
      { at: 3.456, data: "a" },
      { at: 500, data: "b" },
    ],
    eventsDropped: 0,
    comments: 0,
    invalidUtf8: false,
  };
  const { http, ...rest } = sampleExchange();
  const [stream, plain] = toHar([{ ...rest, http: { ...http, sse } }, sampleExchange()], creator).log.entries;
  expect([stream?.response._arrivals, plain?.response._arrivals]).toEqual([[3.46, 500], undefined]);
});

test("an exchange that failed is an entry too, its times adding up", () => {
  const { http, ...rest } = sampleExchange();
  const timing = { startedAt: rest.timing.startedAt, end: 12 };
  const failure = { code: "dns" as const, message: "the host name did not resolve" };
  const [entry] = toHar([{ ...rest, timing, http: { request: http.request }, failure }], creator).log.entries;
  expect(entry?.response).toMatchObject({ status: 0, _error: "dns: the host name did not resolve" });
  expect(entry?.timings).toEqual({ connect: 12, send: 0, wait: 0, receive: 0 });
});

test("an exchange over HTTP/2 has no head to measure, and its trailers beside its headers", () => {
  const exchange = sampleExchange({
    transport: { http2: true, sent: Buffer.from("HTTP/1.1 \r\n\r\n"), received: Buffer.from("HTTP/1.1 \r\n\r\n") },
    response: { headers: [[":status", "200"]], trailers: [["grpc-status", "0"]] },
  });
  const [entry] = toHar([exchange], creator).log.entries;
  expect(entry?.request).toMatchObject({ httpVersion: "HTTP/2", headersSize: -1 });
  expect(entry?.response).toMatchObject({
    httpVersion: "HTTP/2",
    headersSize: -1,
    headers: [{ name: ":status", value: "200" }],
    _trailers: [{ name: "grpc-status", value: "0" }],
  });
});
