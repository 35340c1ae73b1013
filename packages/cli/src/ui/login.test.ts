import type { AgentAccess } from "@assay/web";
import type { ClientGrant } from "@assay/wire";
import { expect, test } from "vitest";
import { loginOf } from "./login.ts";

const url = "http://127.0.0.1:9999";
const noToken = async (): Promise<string> => {
  throw new Error("no token is wanted");
};

test.each<[AgentAccess["login"], readonly [string, string], readonly string[]]>([
  [{ kind: "bearer", token: " abcd1234 " }, ["Authorization", "Bearer abcd1234"], ["abcd1234"]],
  [{ kind: "bearer", token: "env:HOME" }, ["Authorization", "Bearer env:HOME"], ["env:HOME"]],
  [{ kind: "bearer", token: "@package.json" }, ["Authorization", "Bearer @package.json"], ["@package.json"]],
  [{ kind: "api-key", name: "X-API-Key", key: "k3y-of-mine" }, ["X-API-Key", "k3y-of-mine"], ["k3y-of-mine"]],
  [
    { kind: "basic", user: "alice", password: "secret!" },
    ["Authorization", "Basic YWxpY2U6c2VjcmV0IQ=="],
    ["secret!", "YWxpY2U6c2VjcmV0IQ=="],
  ],
])("%j becomes a header, and what is secret in it is masked", async (login, header, secrets) => {
  const found = await loginOf({ url, login: login! }, noToken);
  expect(found.headers).toEqual([header]);
  expect(found.secrets.map(({ value }) => value)).toEqual(secrets);
});

test("an OAuth client gets its token where it says; secret and token are masked", async () => {
  const asked: ClientGrant[] = [];
  const obtain = async (grant: ClientGrant): Promise<string> => {
    asked.push(grant);
    return "fresh-token";
  };
  const login = {
    kind: "oauth-client",
    client: "me",
    secret: "client-secret",
    tokenUrl: "https://login.example/token",
  } as const;
  const found = await loginOf({ url, login: { ...login, scope: "tasks" } }, obtain);
  expect(asked).toEqual([
    { tokenUrl: "https://login.example/token", clientId: "me", clientSecret: "client-secret", scope: "tasks" },
  ]);
  expect(found.headers).toEqual([["Authorization", "Bearer fresh-token"]]);
  expect(found.secrets.map(({ value }) => value)).toEqual(["client-secret", "fresh-token"]);
});

test("headers go along, and are masked unless they are known to be harmless", async () => {
  const headers = [
    { name: "A2A-Version", value: "1.0" },
    { name: "X-Trace", value: "trace-of-mine" },
    { name: "X-Auth-Token", value: "token-of-mine" },
  ];
  const found = await loginOf({ url, headers }, noToken);
  expect(found.headers).toEqual([
    ["A2A-Version", "1.0"],
    ["X-Trace", "trace-of-mine"],
    ["X-Auth-Token", "token-of-mine"],
  ]);
  expect(found.secrets.map(({ value }) => value)).toEqual(["trace-of-mine", "token-of-mine"]);
});

test("what no header can carry is refused, without saying it", async () => {
  const login = { kind: "bearer", token: "two\nlines" } as const;
  await expect(loginOf({ url, login }, noToken)).rejects.toThrow(/The value for the header Authorization/);
});
