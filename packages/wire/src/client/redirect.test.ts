import { describe, expect, test } from "vitest";
import { createEgressGuard } from "../egress.ts";
import { httpPeer, testClient, text } from "./peers.fixture.ts";
import { redirected } from "./redirect.ts";

const secrets = [
  ["Authorization", "Bearer t"],
  ["X-Whatever-Key", "k"],
  ["Accept", "*/*"],
  ["Content-Type", "text/plain"],
] as const;
const post = { method: "POST", url: "https://a.test/x", headers: secrets, body: Buffer.from("hi"), followRedirects: 3 };
const to = (status: number, location: string) => ({
  status,
  statusText: "",
  headers: [["Location", location]] as const,
});

describe("what a redirect asks for", () => {
  test("307 and 308 repeat the request on the same host", () => {
    const again = { ...post, url: "https://a.test/y", followRedirects: 2 };
    expect(redirected(post, to(307, "/y"))).toEqual(again);
    expect(redirected(post, to(308, "https://a.test/y"))).toEqual(again);
  });

  test("301, 302 and 303 turn a POST into a GET without its body", () => {
    for (const status of [301, 302, 303]) {
      expect(redirected(post, to(status, "/y"))).toEqual({
        method: "GET",
        url: "https://a.test/y",
        headers: secrets.slice(0, 3),
        followRedirects: 2,
      });
    }
  });

  test.each(["https://b.test/", "https://a.test:8443/", "http://a.test/"])(
    "%s is another place, which sees no credentials",
    (location) => {
      const { body: _body, ...bare } = post;
      expect(redirected({ ...bare, method: "GET" }, to(302, location))?.headers).toEqual([["Accept", "*/*"]]);
    },
  );

  test("a body is not carried to another host", () => {
    expect(redirected(post, to(307, "https://b.test/"))).toBeUndefined();
  });

  test.each([to(304, "/y"), to(302, "ftp://a.test/"), to(302, "http://"), { ...to(302, ""), headers: [] }])(
    "%j leads nowhere",
    (head) => {
      expect(redirected(post, head)).toBeUndefined();
    },
  );
});

test("a redirect is an answer like any other unless we are told to follow it", async () => {
  const url = await httpPeer((request, response) => {
    if (request.url === "/end") response.end("there");
    else response.writeHead(302, { Location: "/end" }).end();
  });
  const client = testClient();
  const stayed = await client.request({ method: "GET", url: `${url}/start` });
  const followed = await client.request({ method: "GET", url: `${url}/start`, followRedirects: 1 });
  expect(stayed.http.response?.status).toBe(302);
  expect(text(followed.http.response?.body)).toBe("there");
  expect(client.recording.exchanges.map(({ id, follows }) => [id, follows])).toEqual([
    ["x1", undefined],
    ["x2", undefined],
    ["x3", "x2"],
  ]);
});

test("a circle of redirects ends after the number of hops allowed", async () => {
  const url = await httpPeer((_request, response) => response.writeHead(302, { Location: "/" }).end());
  const client = testClient();
  const { http } = await client.request({ method: "GET", url, followRedirects: 3 });
  expect(http.response?.status).toBe(302);
  expect(client.recording.exchanges).toHaveLength(4);
});

test("a redirect into the private network is refused", async () => {
  const url = await httpPeer((_request, response) => {
    response.writeHead(302, { Location: "http://169.254.169.254/latest/meta-data" }).end();
  });
  const client = testClient({ guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }) });
  const { failure } = await client.request({ method: "GET", url, followRedirects: 5 });
  expect(failure?.code).toBe("refused-by-guard");
});
