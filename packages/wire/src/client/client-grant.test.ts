import type { IncomingMessage, ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { createEgressGuard } from "../egress.ts";
import { requestToken } from "./client-grant.ts";
import { httpPeer } from "./peers.fixture.ts";

const guard = createEgressGuard({ allowLoopback: true });
const timeouts = { idle: 2_000 };

async function asked(answer: (request: IncomingMessage, response: ServerResponse, body: string) => void) {
  const heard: { authorization: string | undefined; form: Record<string, string> }[] = [];
  const tokenUrl = await httpPeer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const { authorization } = request.headers;
      heard.push({ authorization, form: Object.fromEntries(new URLSearchParams(body)) });
      answer(request, response, body);
    });
  });
  const grant = { tokenUrl, clientId: "lab", clientSecret: "s3cret/of&ours", scope: "a2a" };
  return { heard, granted: await requestToken(grant, { guard, timeouts }) };
}

const json = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
};

test("a token is asked for with the id and the secret in the header", async () => {
  const { heard, granted } = await asked((_, response) => json(response, 200, { access_token: "t0ken" }));
  expect(granted).toEqual({ token: "t0ken" });
  const authorization = `Basic ${Buffer.from("lab:s3cret%2Fof%26ours").toString("base64")}`;
  expect(heard).toEqual([{ authorization, form: { grant_type: "client_credentials", scope: "a2a" } }]);
});

test("a server that reads them from the form alone gets them there", async () => {
  const { heard, granted } = await asked((request, response) =>
    request.headers.authorization
      ? json(response, 400, { error: "invalid_client" })
      : json(response, 200, { access_token: "t0ken" }),
  );
  expect(granted).toEqual({ token: "t0ken" });
  expect(heard[1]?.form).toMatchObject({ client_id: "lab", client_secret: "s3cret/of&ours" });
});

test.each<[string, (response: ServerResponse) => void, string]>([
  ["a refusal", (response) => json(response, 400, { error: "invalid_scope" }), "HTTP 400 (invalid_scope)"],
  ["a token of two lines", (response) => json(response, 200, { access_token: "a\nb" }), "HTTP 200 without a valid"],
  ["a page", (response) => response.end("<html>"), "HTTP 200 with a body that is not JSON"],
])("%s is said", async (_, answer, says) => {
  const { granted } = await asked((_request, response) => answer(response));
  expect("refused" in granted && granted.refused).toContain(says);
});

test("the secret does not follow a redirect", async () => {
  const elsewhere: string[] = [];
  const other = await httpPeer((request, response) => {
    elsewhere.push(request.url ?? "");
    response.end();
  });
  const { granted } = await asked((_, response) => response.writeHead(307, { Location: other }).end());
  expect(granted).toEqual({ refused: "HTTP 307" });
  expect(elsewhere).toEqual([]);
});
