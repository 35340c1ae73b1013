import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createMasker } from "./masking.ts";
import { sampleExchange } from "./sample.fixture.ts";

const value = 'p/ä?s"w+rd=1';
const masker = createMasker([
  { name: "token", value },
  { name: "hex", value: "deadbeefcafe" },
]);
const mask = "«secret:token»";
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const base64url = (text: string): string => Buffer.from(text).toString("base64url");
const hexOf = (text: string): string => Buffer.from(text).toString("hex");
const everyByte = (text: string, write: (hex: string) => string): string => hexOf(text).replace(/../g, write);
const everyUnit = (text: string): string =>
  text.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
const text = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString("utf8");

describe("a registered secret is found", () => {
  test.each([
    ["as it is", value, mask],
    ["percent-encoded", `?t=${encodeURIComponent(value)}&x`, `?t=${mask}&x`],
    ["percent-encoded in lower case", encodeURIComponent(value).toLowerCase(), mask],
    ["in a JSON string", JSON.stringify({ t: value }), `{"t":"${mask}"}`],
    ["in JSON with escaped slashes", JSON.stringify(value).replaceAll("/", "\\/"), `"${mask}"`],
    ["in JSON with escaped letters", JSON.stringify(value).replace("ä", "\\u00e4"), `"${mask}"`],
    ["in Base64", `<${base64(value)}>`, `<${mask}>`],
    ["in Base64url", `<${Buffer.from(value).toString("base64url")}>`, `<${mask}>`],
    ["percent-encoded twice", encodeURIComponent(encodeURIComponent(value)), mask],
    ["percent-encoded three times", encodeURIComponent(encodeURIComponent(encodeURIComponent(value))), mask],
    ["percent-encoded to the last letter", everyByte(value, (hex) => `%${hex}`), mask],
    ["in JSON with every letter escaped", `"${everyUnit(value)}"`, `"${mask}"`],
    ["in JSON within JSON", JSON.stringify(JSON.stringify({ t: value })), `"{\\"t\\":\\"${mask}\\"}"`],
    ["in JSON within JSON, escaped", JSON.stringify(`"${everyUnit(value)}"`), `"\\"${mask}\\""`],
    ["as a literal of other languages", everyByte(value, (hex) => `\\x${hex}`), mask],
    ["in HTML", value.replaceAll('"', "&quot;").replace("ä", "&#228;"), mask],
    ["in HTML as numbers", everyByte(value, (hex) => `&#x${hex};`), mask],
    ["in lower case", value.toLowerCase(), mask],
    ["in upper case", value.toUpperCase(), mask],
    ["in upper case, as UTF-8 read as Latin-1", Buffer.from(value.toUpperCase()).toString("latin1"), mask],
    ["in upper case, percent-encoded", encodeURIComponent(value.toUpperCase()), mask],
    ["in hexadecimal", `<${hexOf(value)}>`, `<${mask}>`],
    ["in hexadecimal capitals", hexOf(value).toUpperCase(), mask],
    ["in Base64 twice", `<${base64(base64(value))}>`, `<${mask}>`],
    ["in Base64url twice", `<${base64url(base64url(value))}>`, `<${mask}>`],
    ["in Base64 of its percent encoding", base64(encodeURIComponent(value)), mask],
    ["in Base64 of its hexadecimal", base64(hexOf(value)), mask],
    ["in hexadecimal of its Base64", hexOf(base64(value)), mask],
    ["in percent-encoded Base64", encodeURIComponent(base64(value)), mask],
    ["in Base64 twice percent-encoded", encodeURIComponent(encodeURIComponent(base64(value))), mask],
    ["behind a sign that seems to begin an escape", `%${"deadbeefcafe"}`, `%${"«secret:hex»"}`],
    ["more than once", `${value} ${value}`, `${mask} ${mask}`],
    ["as UTF-8 read as Latin-1", Buffer.from(value).toString("latin1"), mask],
  ])("%s", (_form, given, expected) => {
    expect(masker.text(given)).toBe(expected);
  });

  test.each(["", "a", "ab", "abc", "user:"])("in the Base64 of a longer text that begins with %j", (before) => {
    for (const behind of ["", "1", "12", "123"]) {
      const masked = masker.text(base64(before + value + behind));
      expect(masked).toContain(mask);
      const left = Buffer.from(masked.replace(mask, ""), "base64").toString("latin1");
      expect(left.length).toBeLessThanOrEqual(before.length + behind.length);
    }
  });
});

test("secrets that contain one another are told apart", () => {
  const both = createMasker([
    { name: "short", value: "abcd" },
    { name: "long", value: "abcdefgh" },
  ]);
  expect(both.text("abcdefgh abcd")).toBe("«secret:long» «secret:short»");
});

test("values too short to be told from ordinary text are left to the headers that hold them", () => {
  const short = createMasker([{ name: "pin", value: "abc" }]);
  expect(short.text("abcabc")).toBe("abcabc");
});

test("a name with a dollar sign is no replacement pattern", () => {
  expect(createMasker([{ name: "$&", value: "hunter22" }]).text("hunter22")).toBe("«secret:$&»");
});

test("every layer of an exchange is masked, and the exchange itself left alone", () => {
  const event = { at: 1, event: value, id: value, data: `{"echo":"${value}"}` };
  const exchange = {
    ...sampleExchange({
      transport: {
        sent: Buffer.from(`GET /?${value} HTTP/1.1\r\n\r\n`),
        received: Buffer.from(`HTTP/1.1 200 OK\r\n\r\nsaid ${value}`),
      },
      request: { url: `https://agent.test/?t=${encodeURIComponent(value)}`, headers: [["X-Own", value]] },
      response: { headers: [["X-Echo", value]], body: Buffer.from(`said ${value}`), statusText: value },
      sse: { events: [event], eventsDropped: 0, comments: 0, invalidUtf8: false, unfinished: value },
    }),
    failure: { code: "malformed" as const, message: `got ${value}` },
    envelope: { [value]: [value, 1, null] },
    decoded: value,
  };
  const before = JSON.stringify(exchange);
  const masked = masker.exchange(exchange);

  expect(JSON.stringify(exchange)).toBe(before);
  expect(text(masked.transport.sent)).toBe(`GET /?${mask} HTTP/1.1\r\n\r\n`);
  expect(text(masked.transport.received)).toBe(`HTTP/1.1 200 OK\r\n\r\nsaid ${mask}`);
  expect(text(masked.http.response?.body)).toBe(`said ${mask}`);
  expect(masked).toMatchObject({
    http: {
      request: { url: `https://agent.test/?t=${mask}`, headers: [["X-Own", mask]] },
      response: { headers: [["X-Echo", mask]], statusText: mask },
      sse: { events: [{ at: 1, event: mask, id: mask, data: `{"echo":"${mask}"}` }], unfinished: mask },
    },
    failure: { code: "malformed", message: `got ${mask}` },
    envelope: { [mask]: [mask, 1, null] },
    decoded: mask,
  });
});

test("bytes that are not text come through unchanged", () => {
  const body = Buffer.from([0, 255, 254, 13, 10, 128]);
  expect(masker.exchange(sampleExchange({ response: { body } })).http.response?.body).toEqual(body);
});

describe("secrets that a body's carriage hides", () => {
  const head = "HTTP/1.1 200 OK\r\nX: 1\r\n\r\n";

  test("a compressed body that holds one is left out of the raw bytes", () => {
    const received = Buffer.concat([Buffer.from(head), gzipSync(value)]);
    const masked = masker.exchange(
      sampleExchange({
        transport: { received },
        response: { headers: [["Content-Encoding", "gzip"]], body: Buffer.from(value) },
      }),
    );
    expect(text(masked.transport.received)).toBe(`${head}«secret:body»`);
  });

  test("so is a body that was chunked in the middle of it", () => {
    const received = Buffer.from(`${head}4\r\n${value.slice(0, 4)}\r\n9\r\n${value.slice(4)}\r\n0\r\n\r\n`);
    const masked = masker.exchange(sampleExchange({ transport: { received }, response: { body: Buffer.from(value) } }));
    expect(text(masked.transport.received)).toBe(`${head}«secret:body»`);
  });

  test("a compressed body without one is kept", () => {
    const received = Buffer.concat([Buffer.from(head), gzipSync("fine")]);
    const response = { headers: [["Content-Encoding", "gzip"]] as const, body: Buffer.from("fine") };
    expect(masker.exchange(sampleExchange({ transport: { received }, response })).transport.received).toEqual(received);
  });

  test("one that was cut off with the recording is masked as far as it goes", () => {
    const cut = createMasker([{ name: "key", value: "sk-1234567890" }]);
    const response = { body: Buffer.from("key is sk-1234567"), bodyTruncated: true };
    expect(text(cut.exchange(sampleExchange({ response })).http.response?.body)).toBe("key is «secret:key»");
  });
});

describe("headers with credentials are masked even if they are not registered", () => {
  const nobody = createMasker([]);
  test.each([
    ["Authorization", "Bearer abc.def", "Bearer «secret:authorization»"],
    ["authorization", "opaque", "«secret:authorization»"],
    ["Authorization", `Bearer ${mask}`, `Bearer ${mask}`],
    ["Proxy-Authorization", "Basic dTpw", "Basic «secret:proxy-authorization»"],
    ["X-API-Key", "k1", "«secret:x-api-key»"],
    ["X-A2A-Notification-Token", "t", "«secret:x-a2a-notification-token»"],
    ["Cookie", "a=1; b=2", "a=«secret:cookie»; b=«secret:cookie»"],
    ["Set-Cookie", "sid=31d4; Path=/; HttpOnly", "sid=«secret:cookie»; Path=/; HttpOnly"],
    ["Content-Type", "text/plain", "text/plain"],
  ])("%s: %s", (name, given, expected) => {
    const raw = Buffer.from(`GET / HTTP/1.1\r\n${name}: ${given}\r\nX: 1\r\n\r\n`);
    const { transport, http } = nobody.exchange(
      sampleExchange({ transport: { sent: raw }, request: { headers: [[name, given]] } }),
    );
    expect(http.request.headers).toEqual([[name, expected]]);
    expect(text(transport.sent)).toBe(`GET / HTTP/1.1\r\n${name}: ${expected}\r\nX: 1\r\n\r\n`);
  });

  test.each([
    ["https://me:pw@host/x", "https://me:«secret:password»@host/x"],
    ["https://host/x?token=abc&pageToken=def", "https://host/x?token=«secret:token»&pageToken=def"],
    ['{"url":"https://host/?a=1&API_KEY=abc"}', '{"url":"https://host/?a=1&API_KEY=«secret:api_key»"}'],
    ["https://host/?sig=a%2Fb#here", "https://host/?sig=«secret:sig»#here"],
  ])("and in the address %s", (given, expected) => {
    expect(nobody.text(`see ${given}`)).toBe(`see ${expected}`);
    const { http } = nobody.exchange(sampleExchange({ response: { body: Buffer.from(given) } }));
    expect(text(http.response?.body)).toBe(expected);
  });
});

describe("where a text was cut off", () => {
  const key = createMasker([{ name: "key", value: "sk-1234567890/abc" }]);
  test.each([
    ["in the middle of a secret", "saw sk-12345…", "saw «secret:key»…"],
    ["in the middle of an escape", String.raw`saw sk-1234567890\u00…`, "saw «secret:key»…"],
    ["in the middle of its Base64", `saw ${base64("sk-1234567890/abc").slice(0, 12)}…`, "saw «secret:key»…"],
    ["after too little to tell", "saw sk-…", "saw sk-…"],
    ["in the middle, with more behind it", "a sk-1234… and b", "a «secret:key»… and b"],
  ])("%s", (_where, given, expected) => {
    expect(key.text(given)).toBe(expected);
  });
});

test("places that overlap are masked as one", () => {
  const twins = createMasker([
    { name: "left", value: "alpha-beta-1" },
    { name: "right", value: "beta-1-gamma" },
  ]);
  expect(twins.text("<alpha-beta-1-gamma>")).toBe("<«secret:left»>");
});

test("masking covers every depth of a response", () => {
  expect(masker.value({ a: [{ [value]: `x ${value}` }], n: 1, none: null })).toEqual({
    a: [{ [mask]: `x ${mask}` }],
    n: 1,
    none: null,
  });
});

// Whatever is not linear takes hours for these, and the test ends long before.
test.each([
  ["what could be an address", (length: number) => `${"a".repeat(length)}://${"b:".repeat(length)}`],
  ["beginnings of the secret", (length: number) => "a".repeat(length * 4)],
  ["backslashes", (length: number) => "\\".repeat(length * 4)],
  ["percent signs", (length: number) => "%25".repeat(length)],
  ["ampersands", (length: number) => "&#x".repeat(length)],
  ["queries", (length: number) => "?key=&token=".repeat(length / 2)],
  ["cuts", (length: number) => "aaaa…".repeat(length)],
  ["the secret itself", (length: number) => "hunter22".repeat(length / 2)],
])("megabytes of %s are masked", (_what, hostile) => {
  const slow = createMasker([
    { name: "long", value: `${"a".repeat(4_000)}b` },
    { name: "short", value: "hunter22" },
  ]);
  const text = hostile(200_000);
  expect(slow.text(text)).not.toContain("hunter22");
  expect(slow.exchange(sampleExchange({ response: { body: Buffer.from(text) } })).http.response?.body).toBeDefined();
});

describe("gRPC", () => {
  const frame = (flag: number, message: Buffer): Buffer => {
    const head = Buffer.from([flag, 0, 0, 0, 0]);
    head.writeUInt32BE(message.length, 1);
    return Buffer.concat([head, message]);
  };
  const grpcExchange = (data: Buffer, messages: Buffer[], more: { dropped?: number; encoding?: string } = {}) =>
    sampleExchange({
      transport: { http2: true, sent: Buffer.from(`\n\x05${value}`), received: data },
      request: { headers: [["authorization", `Bearer ${value}`]] },
      response: {
        headers: [[":status", "200"], ...(more.encoding ? ([["grpc-encoding", more.encoding]] as const) : [])],
        trailers: [["grpc-status-details-bin", base64(`xx${value}yy`)]],
        body: data,
      },
      grpc: { messages: messages.map((bytes) => ({ at: 1, bytes })), messagesDropped: more.dropped ?? 0 },
    });

  test("metadata, DATA, messages and trailers are masked", () => {
    const message = Buffer.from(`\n\x05${value}`);
    const { transport, http } = masker.exchange(grpcExchange(frame(0, message), [message]));
    expect(text(transport.sent)).toBe(`\n\x05${mask}`);
    expect(text(transport.received)).toContain(mask);
    expect(text(http.response?.body)).toContain(mask);
    expect(text(http.grpc?.messages[0]?.bytes)).toBe(`\n\x05${mask}`);
    expect(http.request.headers).toEqual([["authorization", `Bearer ${mask}`]]);
    expect(http.response?.trailers[0]?.[1]).toContain(mask);
    expect(JSON.stringify([transport, http].map(String))).not.toContain(value);
  });

  test("DATA that hides a secret in a compressed message is left out", () => {
    const message = Buffer.from(value);
    const { transport, http } = masker.exchange(grpcExchange(frame(1, gzipSync(message)), [message]));
    expect([text(transport.received), text(http.response?.body)]).toEqual(["«secret:body»", "«secret:body»"]);
    expect(text(http.grpc?.messages[0]?.bytes)).toBe(mask);
  });

  test("compressed DATA whose messages were not kept may hide anything", () => {
    const data = frame(1, gzipSync(value));
    const { transport } = masker.exchange(grpcExchange(data, [], { dropped: 1, encoding: "gzip" }));
    expect(text(transport.received)).toBe("«secret:body»");
  });

  test("DATA without a secret stays as it is", () => {
    const data = frame(1, gzipSync("harmless"));
    const { transport } = masker.exchange(grpcExchange(data, [Buffer.from("harmless")], { encoding: "gzip" }));
    expect(transport.received).toEqual(data);
  });
});
