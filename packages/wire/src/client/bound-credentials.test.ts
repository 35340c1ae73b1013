import { describe, expect, test } from "vitest";
import { createEgressGuard } from "../egress.ts";
import { bindCredentials, readTrustedHost } from "./bound-credentials.ts";
import { httpPeer, testClient } from "./peers.fixture.ts";
import { createRawClient } from "./raw.ts";

const login = [["Authorization", "Bearer s3cret-t0ken"]] as const;
const bound = (named: string, trustHosts: string[] = []) =>
  bindCredentials({ named: [named], trustHosts, fields: login });

describe("credentials are bound to scheme, host and port", () => {
  const rows: [named: string, trusted: string[], address: string, may: boolean][] = [
    ["https://a.test/agent", [], "https://a.test/rpc", true],
    ["https://a.test", [], "https://a.test:443/", true],
    ["https://a.test", [], "https://A.TEST./", true],
    ["https://a.test", [], "https://a.test:8443/", false],
    ["https://a.test", [], "http://a.test/", false],
    ["https://a.test", [], "http://a.test:443/", false],
    ["https://a.test", [], "https://b.a.test/", false],
    ["https://a.test", [], "https://a.test@b.test/", false],
    ["http://127.0.0.1:9999", [], "http://localhost:9999/", true],
    ["http://localhost:9999", [], "http://[::1]:9999/", true],
    ["http://127.0.0.1:9999", [], "http://127.0.0.2:9999/", false],
    ["http://127.0.0.1:9999", [], "http://127.0.0.1:50051/", false],
    ["http://127.0.0.1:9999", ["127.0.0.1:50051"], "http://localhost:50051/", true],
    ["http://127.0.0.1:9999", ["127.0.0.1:50051"], "http://127.0.0.1:50052/", false],
    ["https://a.test", ["b.test"], "https://b.test:8443/", true],
    ["https://a.test", ["b.test"], "https://c.b.test/", false],
    // What was named for TLS alone stays there, unless clear text is asked for in so many words.
    ["https://a.test", ["a.test"], "http://a.test/", false],
    ["https://a.test", ["http://a.test:50051"], "http://a.test:50051/", true],
    ["https://a.test", ["http://a.test"], "http://a.test:81/", false],
  ];
  test.each(rows)("%s, trusting %j: %s is %s", (named, trusted, address, may) => {
    expect(bound(named, trusted).mayGoTo(address)).toBe(may);
  });

  test.each(["", "a b", "user@a.test", "a.test/path", "ftp://a.test"])('"%s" is no host to trust', (text) => {
    expect(() => readTrustedHost(text)).toThrow(/is not a host/);
  });
});

describe("what is kept back", () => {
  const fields = [...login, ["X-Trace", "of mine"], ["A2A-Version", "0.3"]] as const;
  const { permitted, any } = bindCredentials({ named: ["https://a.test"], fields, secrets: ["p4ssword"] });

  test("every field of the operator's, whatever its value and case, but what is harmless", () => {
    const given = [
      ["authorization", "Bearer another"],
      ["X-TRACE", "1"],
      ["A2A-Version", "0.3"],
      ["Content-Type", "application/json"],
    ] as const;
    expect(permitted("https://b.test", given)).toEqual(given.slice(2));
    expect(permitted("https://a.test", given)).toEqual(given);
  });

  test("a secret in any other field", () => {
    expect(permitted("https://b.test", [["X-Odd", "is p4ssword"]])).toEqual([]);
  });

  test("harmless fields alone are no login", () => {
    expect(any).toBe(true);
    expect(bindCredentials({ named: ["https://a.test"], fields: [["A2A-Version", "0.3"]] }).any).toBe(false);
  });
});

test("a redirect from an untrusted address does not bring the credentials back", async () => {
  const heard: (string | undefined)[] = [];
  const named = await httpPeer((request, response) => {
    heard.push(request.headers.authorization);
    response.end();
  });
  const other = await httpPeer((_, response) => response.writeHead(302, { Location: named }).end());
  const client = testClient({ credentials: bound(named) });
  await client.request({ method: "GET", url: other, headers: login, followRedirects: 3 });
  await client.request({ method: "GET", url: named, headers: login });
  expect(heard).toEqual([undefined, "Bearer s3cret-t0ken"]);
});

test("bytes that hold a credential are not sent elsewhere", async () => {
  const heard: unknown[] = [];
  const other = await httpPeer((request, response) => {
    heard.push(request.headers.authorization);
    response.end();
  });
  const guard = createEgressGuard({ allowLoopback: true });
  const raw = createRawClient({ guard, credentials: bound("http://127.0.0.1:1") });
  const bytes = Buffer.from("GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer s3cret-t0ken\r\n\r\n");
  const { failure } = await raw.send({ url: other, steps: [{ is: "send", bytes }] });
  expect(failure?.code).toBe("refused-by-guard");
  expect(heard).toEqual([]);
});

describe("a key that stands in the address", () => {
  const key = [["key", "s3cret & more"]] as const;
  const { addressed, any } = bindCredentials({
    named: ["https://a.test"],
    fields: [],
    secrets: [key[0][1]],
    beyondFields: true,
  });

  test.each([
    ["https://a.test/rpc", "https://a.test/rpc?key=s3cret%20%26%20more"],
    ["https://a.test/rpc?x=a%20b#top", "https://a.test/rpc?x=a%20b&key=s3cret%20%26%20more#top"],
    ["https://a.test/?key=mine", "https://a.test/?key=mine"],
    ["https://b.test/rpc?x=a%20b", "https://b.test/rpc?x=a%20b"],
    ["https://b.test/rpc?x=1&key=s3cret+%26+more", "https://b.test/rpc?x=1"],
  ])("%s becomes %s", (address, becomes) => {
    expect(addressed(address, key)).toBe(becomes);
  });

  test("is a login like any other", () => {
    expect(any).toBe(true);
  });

  test("is seen by the agent, and by no host that the agent sends us on to", async () => {
    const heard: string[] = [];
    const elsewhere = await httpPeer((request, response) => {
      heard.push(request.url ?? "");
      response.end();
    });
    const named = await httpPeer((request, response) => {
      heard.push(request.url ?? "");
      // As many servers do, it takes along what stood behind the question mark.
      response.writeHead(302, { Location: `${elsewhere}${request.url}` }).end();
    });
    const secrets = [key[0][1]];
    const credentials = bindCredentials({ named: [named], fields: [], secrets, beyondFields: true });
    const client = testClient({ credentials });
    await client.request({ method: "GET", url: `${named}/card?x=1`, query: key, followRedirects: 2 });
    expect(heard).toEqual(["/card?x=1&key=s3cret%20%26%20more", "/card?x=1"]);
  });
});
