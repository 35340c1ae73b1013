import { describe, expect, test } from "vitest";
import { leadsPast, pairInterfaces, restBelow } from "./addresses.ts";

const bases = { direct: "http://127.0.0.1:9000", through: "https://gw.example.com/agents/a" };
const cardUrl = `${bases.direct}/.well-known/agent-card.json`;

test("the rest of a URL is behind its base, whatever the name of this machine", () => {
  expect(restBelow("http://localhost:9000/rpc", bases.direct)).toBe("/rpc");
  expect(restBelow("https://gw.example.com/agents/a", bases.through)).toBe("");
  expect(restBelow("https://gw.example.com/agents/ab", bases.through)).toBeUndefined();
  expect(restBelow("http://127.0.0.1:9001/rpc", bases.direct)).toBeUndefined();
  expect(restBelow("https://127.0.0.1:9000/rpc", bases.direct)).toBeUndefined();
  expect(restBelow("127.0.0.1:9000", bases.direct)).toBeUndefined();
});

test("a URL below both addresses does not lead past the gateway", () => {
  expect(leadsPast("http://127.0.0.1:9000/rpc", bases.direct, bases.through)).toBe(true);
  expect(leadsPast("https://gw.example.com/agents/a", "https://gw.example.com", bases.through)).toBe(false);
});

describe("interfaces are called at the two named addresses only", () => {
  const on = (url: string, binding = "JSONRPC", dialect: "1.0" | "0.3" | "0.2" = "1.0") => ({
    url,
    binding,
    dialect,
    path: "$",
  });
  const urls = (declared: ReturnType<typeof on>[], behind: ReturnType<typeof on>[] = []): string[][] =>
    pairInterfaces(declared, behind, bases, cardUrl).map(({ direct, through }) => [direct.url, through.url]);

  test.each(["http://127.0.0.1:9000/rpc", "https://gw.example.com/agents/a/rpc", "https://public.example.com/rpc"])(
    "%s",
    (url) => {
      expect(urls([on(url)])).toEqual([["http://127.0.0.1:9000/rpc", "https://gw.example.com/agents/a/rpc"]]);
    },
  );

  test("the gateway may have a path of its own", () => {
    const behind = on("https://gw.example.com/agents/a/json-rpc");
    expect(urls([on("http://127.0.0.1:9000/rpc")], [behind])).toEqual([
      ["http://127.0.0.1:9000/rpc", "https://gw.example.com/agents/a/json-rpc"],
    ]);
  });

  test("gRPC, other versions and second addresses are left out", () => {
    const declared = [
      on("http://127.0.0.1:9000/rpc"),
      on("http://127.0.0.1:9000/other"),
      on("127.0.0.1:9001", "GRPC"),
      on("http://127.0.0.1:9000/rpc", "JSONRPC", "0.2"),
    ];
    expect(urls(declared)).toHaveLength(1);
  });
});
