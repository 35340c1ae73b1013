import { readFileSync } from "node:fs";
import type { Binding, DialectVersion, JsonObject } from "@assay/protocol";
import { createEgressGuard, type HeaderPairs, type HttpClient } from "@assay/wire";
import { describe, expect, test } from "vitest";
import type { TestOptions } from "../options.ts";
import { type VersionsUnderTest, versionsUnderTest } from "./versions-under-test.ts";

/** What is served at an address, to a client that names this version of the protocol or none. */
type Site = (path: string, version: string | undefined) => JsonObject | undefined;

const origin = "http://127.0.0.1:7110";
const newPlace = "/.well-known/agent-card.json";
const oldPlace = "/.well-known/agent.json";

const example = (name: string): JsonObject =>
  JSON.parse(readFileSync(new URL(`../../../../protocol/examples/${name}`, import.meta.url), "utf8")) as JsonObject;

const hybrid = example("hybrid/card.v1.0+v0.3.json");
const v10 = example("v1.0/card.minimal.json");
const v03 = example("v0.3/card.json");
const v02 = example("v0.2/card.json");
const v01 = example("v0.1/card.json");

const at = (url: string, protocolVersion: string, protocolBinding: Binding = "JSONRPC"): JsonObject => ({
  url,
  protocolBinding,
  protocolVersion,
});

/** A card of 1.0 with these interfaces and nothing for older clients. */
const listing = (...supportedInterfaces: JsonObject[]): JsonObject => ({ ...v10, supportedInterfaces });

type Request = { url: string; headers?: HeaderPairs; method: string; body?: Uint8Array };

/** Knows these methods of JSON-RPC at every address, and says of the others that it does not. */
const answering =
  (...methods: string[]) =>
  (body: Uint8Array | undefined): JsonObject => {
    const { id, method } = JSON.parse(Buffer.from(body ?? []).toString("utf8")) as JsonObject;
    const code = methods.includes(String(method)) ? -32602 : -32601;
    return { jsonrpc: "2.0", id: id ?? null, error: { code, message: "no" } };
  };

async function discovered(
  site: Site,
  more: Partial<TestOptions> = {},
  answers?: (body: Uint8Array | undefined) => JsonObject,
): Promise<VersionsUnderTest> {
  const foundAt = newPlace;
  const served = (url: string, headers: HeaderPairs = []) => {
    const version = headers.find(([name]) => name.toLowerCase() === "a2a-version")?.[1];
    const json = site(new URL(url).pathname, version);
    const body = Buffer.from(JSON.stringify(json ?? { detail: "Not Found" }));
    return { http: { response: { status: json ? 200 : 404, headers: [], body } } } as never;
  };
  const http = {
    // There is no agent where the cards point; what is asked there gives no hint.
    request: async ({ url, headers, method, body }: Request) => {
      if (method === "GET") return served(url, headers);
      const answer = answers && Buffer.from(JSON.stringify(answers(body)));
      return { http: answer ? { response: { status: 200, headers: [], body: answer } } : {} } as never;
    },
  } as unknown as HttpClient;
  const url = `${origin}${foundAt}`;
  const found = { url, json: site(foundAt, "1.0")!, exchange: served(url, [["A2A-Version", "1.0"]]) };
  const connection = { guard: createEgressGuard({ trustedHosts: ["127.0.0.1"] }) };
  return versionsUnderTest(
    http,
    { found, given: false },
    { url: origin, run: "test", version: "test", connection, ...more },
  );
}

/** Each version with the place and the version that the card for its clients has, and the addresses that are tested. */
const told = ({ versions }: VersionsUnderTest) =>
  versions.map(({ dialect, declared, card, interfaces }) => ({
    dialect,
    declared,
    card: card && [new URL(card.url).pathname, shapeOf(card.json)],
    at: interfaces.map(({ binding, url }) => `${binding} ${url.replace(origin, "")}`),
  }));

const shapeOf = (card: JsonObject): string =>
  `${typeof card["url"] === "string" ? "url " : ""}${String(card["protocolVersion"] ?? "-")}`;

const dialectsOf = ({ versions }: VersionsUnderTest): DialectVersion[] => versions.map(({ dialect }) => dialect);

describe("one card in both forms", () => {
  test("is the card of either version, and both are tested", async () => {
    const versions = await discovered((path) => (path === newPlace ? hybrid : undefined));
    expect(told(versions)).toMatchObject([
      { dialect: "1.0", declared: true, card: [newPlace, "url 0.3.0"] },
      { dialect: "0.3", declared: true, card: [newPlace, "url 0.3.0"], at: expect.arrayContaining(["JSONRPC /rpc"]) },
    ]);
  });

  test("is judged in each version by the facts of that version", async () => {
    const { versions } = await discovered((path) => (path === newPlace ? hybrid : undefined));
    expect(versions.map(({ facts }) => [facts.dialect, facts.release])).toEqual([
      ["1.0", undefined],
      ["0.3", "0.3.0"],
    ]);
  });

  test("names the older version by its older members, as the Python SDK writes it", async () => {
    const card = {
      ...v03,
      supportedInterfaces: [at(`${origin}/a2a`, "1.0")],
      protocolVersion: "0.3.0",
      url: `${origin}/old`,
    };
    const versions = await discovered((path) => (path === newPlace ? card : undefined));
    expect(told(versions)).toMatchObject([
      { dialect: "1.0", at: ["JSONRPC /a2a"] },
      { dialect: "0.3", at: expect.arrayContaining(["JSONRPC /old"]) },
    ]);
  });

  test("that keeps an older url and calls itself 1.0 is tested in 1.0 alone", async () => {
    const card = { ...listing(at(`${origin}/a2a`, "1.0")), url: `${origin}/a2a`, protocolVersion: "1.0" };
    expect(dialectsOf(await discovered((path) => (path === newPlace ? card : undefined)))).toEqual(["1.0"]);
  });
});

describe("cards that are negotiated by A2A-Version", () => {
  const full = listing(at(`${origin}/rpc`, "1.0"), at(`${origin}/rpc`, "0.3"));

  test("older clients get the card for them, and it is that one which is judged (JS SDK)", async () => {
    const older = {
      ...v03,
      url: `${origin}/rpc`,
      protocolVersion: "0.3",
      supportedInterfaces: full["supportedInterfaces"]!,
    };
    const versions = await discovered((path, version) =>
      path !== newPlace ? undefined : version === undefined || version === "0.3" ? older : full,
    );
    expect(told(versions)).toMatchObject([
      { dialect: "1.0", card: [newPlace, "-"] },
      { dialect: "0.3", card: [newPlace, "url 0.3"] },
    ]);
  });

  test("a version that only the card for older clients names is declared (.NET SDK)", async () => {
    const only = listing(at(`${origin}/rpc`, "1.0"));
    const older = { ...v03, url: `${origin}/rpc`, preferredTransport: "JSONRPC", additionalInterfaces: [] };
    const versions = await discovered((path, version) =>
      path !== newPlace ? undefined : version === undefined ? older : only,
    );
    expect(told(versions)).toMatchObject([
      { dialect: "1.0", card: [newPlace, "-"] },
      { dialect: "0.3", declared: true, card: [newPlace, "url 0.3.0"], at: ["JSONRPC /rpc"] },
    ]);
  });

  test("where the two name different addresses, older clients are met at theirs", async () => {
    const listed = listing(at(`${origin}/new`, "1.0"), at(`${origin}/new`, "0.3"));
    const older = { ...v03, url: `${origin}/old`, preferredTransport: "JSONRPC", additionalInterfaces: [] };
    const versions = await discovered((path, version) =>
      path !== newPlace ? undefined : version === undefined ? older : listed,
    );
    expect(told(versions)).toMatchObject([
      { dialect: "1.0", at: ["JSONRPC /new"] },
      { dialect: "0.3", at: ["JSONRPC /old"] },
    ]);
  });

  test("are not asked for when only 1.0 is to be tested", async () => {
    const asked: (string | undefined)[] = [];
    await discovered(
      (path, version) => {
        asked.push(version);
        return path === newPlace ? full : undefined;
      },
      { dialects: ["1.0"] },
    );
    expect(new Set(asked)).toEqual(new Set(["1.0"]));
  });
});

describe("a card of 1.0 that lists an older interface", () => {
  const card = listing(at(`${origin}/rpc`, "1.0"), at(`${origin}/rpc`, "0.3"));

  test("is no card for older clients, whose interface is tested without one", async () => {
    const versions = await discovered((path) => (path === newPlace ? card : undefined));
    expect(told(versions)).toMatchObject([
      { dialect: "1.0", card: [newPlace, "-"] },
      { dialect: "0.3", declared: true, card: undefined, at: ["JSONRPC /rpc"] },
    ]);
  });

  test("and keeps a protocolVersion at its top is none either", async () => {
    const kept = { ...card, protocolVersion: "0.3.0" };
    const versions = await discovered((path) => (path === newPlace ? kept : undefined));
    expect(told(versions)).toMatchObject([{ dialect: "1.0" }, { dialect: "0.3", card: undefined }]);
  });
});

describe("cards under both names", () => {
  test("the older name has the card of 0.2, the newer one that of 1.0: both are tested", async () => {
    const cards: Record<string, JsonObject> = {
      [newPlace]: listing(at(`${origin}/rpc`, "1.0")),
      [oldPlace]: { ...v02, url: `${origin}/v02`, protocolVersion: "0.2.5" },
    };
    expect(told(await discovered((path) => cards[path]))).toMatchObject([
      { dialect: "1.0", card: [newPlace, "-"] },
      { dialect: "0.2", declared: true, card: [oldPlace, "url 0.2.5"], at: expect.arrayContaining(["JSONRPC /v02"]) },
    ]);
  });

  test("clients of 0.3 do not look at the older name, and those of 0.1 look nowhere else", async () => {
    const cards: Record<string, JsonObject> = { [newPlace]: v03, [oldPlace]: v01 };
    expect(told(await discovered((path) => cards[path]))).toMatchObject([
      { dialect: "0.3", card: [newPlace, "url 0.3.0"] },
      { dialect: "0.1", card: [oldPlace, "url -"] },
    ]);
  });

  test("the same card under both is one of 0.2 where its clients look for it", async () => {
    const card = { ...v02, protocolVersion: "0.2.6" };
    const versions = await discovered((path) => (path === newPlace || path === oldPlace ? card : undefined));
    expect(told(versions)).toMatchObject([{ dialect: "0.2", card: [oldPlace, "url 0.2.6"] }]);
  });

  test("a card of 0.2 only under the newer name is judged where it was found", async () => {
    const card = { ...v02, protocolVersion: "0.2.6" };
    const versions = await discovered((path) => (path === newPlace ? card : undefined));
    expect(told(versions)).toMatchObject([{ dialect: "0.2", card: [newPlace, "url 0.2.6"] }]);
  });
});

describe("a card that has lost its address", () => {
  const without = (card: JsonObject, ...members: string[]): JsonObject =>
    Object.fromEntries(Object.entries(card).filter(([name]) => !members.includes(name)));
  const becauseOf = ({ versions }: VersionsUnderTest) => versions.map(({ dialect, because }) => [dialect, because]);
  const lost = (card: JsonObject, more?: Partial<TestOptions>) =>
    discovered((path) => (path === newPlace ? without(card, "url", "additionalInterfaces") : undefined), more);

  test.each([
    ["0.3", v03, 'protocolVersion "0.3.0" at the top of its card'],
    ["0.2", v02, 'protocolVersion "0.2.6" at the top of its card'],
    ["0.1", v01, "authentication, which later versions removed"],
  ])("is judged as the card of %s that it is, with the reason", async (dialect, card, because) => {
    const versions = await lost(card);
    expect(told(versions)).toMatchObject([{ dialect, declared: true, at: [] }]);
    expect(becauseOf(versions)).toEqual([[dialect, because]]);
  });

  test("is tested at the other addresses that it names", async () => {
    const versions = await discovered((path) => (path === newPlace ? without(v03, "url") : undefined));
    expect(told(versions)).toMatchObject([{ dialect: "0.3", card: [newPlace, "0.3.0"], at: { length: 3 } }]);
  });

  test("is judged as what --dialect says", async () => {
    expect(dialectsOf(await lost(v03, { dialects: ["1.0"] }))).toEqual(["1.0"]);
  });
});

describe("a card that forgot its version", () => {
  const { protocolVersion: _forgotten, ...undated } = v03;
  const { signatures: _signed, ...card } = undated as JsonObject;
  const skills = (v03["skills"] as JsonObject[]).map(({ security: _own, ...skill }) => skill);
  const plain = { ...card, skills, preferredTransport: "JSONRPC" } as JsonObject;
  const site: Site = (path) => (path === newPlace ? plain : undefined);

  test("is one of 0.2 where the agent does not know the method that came with 0.3", async () => {
    const versions = await discovered(site, {}, answering("message/send", "tasks/get"));
    expect(dialectsOf(versions)).toEqual(["0.2"]);
  });

  test("is one of 0.3 where it does, or where it cannot be told", async () => {
    const known = answering("tasks/get", "message/send", "agent/getAuthenticatedExtendedCard");
    expect(dialectsOf(await discovered(site, {}, known))).toEqual(["0.3"]);
    expect(dialectsOf(await discovered(site))).toEqual(["0.3"]);
    expect(dialectsOf(await discovered(site, { depth: "card" }, answering("message/send")))).toEqual(["0.3"]);
  });
});

describe("a card with an address and nothing else to tell its version", () => {
  const { supportedInterfaces: _listed, ...rest } = v10;
  const site: Site = (path) => (path === newPlace ? ({ ...rest, url: `${origin}/rpc` } as JsonObject) : undefined);
  const spokenBy = async (...methods: string[]) =>
    (await discovered(site, {}, answering(...methods))).versions.map(({ dialect, because }) => [dialect, because]);

  test.each([
    ["1.0", ["GetTask"], "the endpoint knows GetTask"],
    [
      "0.2",
      ["tasks/get", "message/send"],
      "an older card that does not show whether it is 0.2 or 0.3; the endpoint knows message/send",
    ],
    ["0.1", ["tasks/get", "tasks/send"], "the endpoint knows tasks/send"],
  ])("is one of %s where the endpoint knows %j", async (dialect, methods, because) => {
    expect(await spokenBy(...methods)).toEqual([[dialect, because]]);
  });

  test.each([
    ["nothing that tells its version", {}],
    ["stateTransitionHistory, which 0.1, 0.2 and 0.3 have", { capabilities: { stateTransitionHistory: false } }],
  ])(
    "with %s is judged by 0.1, and its version called unknown, where the endpoint does not say",
    async (_, members) => {
      const { versions } = await discovered((path, version) => {
        const card = site(path, version);
        return card && { ...card, ...members };
      });
      expect(versions).toMatchObject([{ dialect: "0.1", because: expect.stringMatching(/^unknown: /) }]);
    },
  );

  test("is judged as what --dialect says, whatever the endpoint knows", async () => {
    const versions = await discovered(site, { dialects: ["0.3"] }, answering("tasks/get", "tasks/send"));
    expect(told(versions)).toMatchObject([{ dialect: "0.3", declared: true, at: ["JSONRPC /rpc"] }]);
  });
});

test("a version that the endpoint answers to and no card names is tested, and is not declared", async () => {
  const site: Site = (path) => (path === newPlace ? listing(at(`${origin}/rpc`, "1.0")) : undefined);
  const versions = await discovered(site, {}, answering("GetTask", "tasks/get", "message/send", "tasks/send"));
  expect(told(versions)).toMatchObject([
    { dialect: "1.0", declared: true },
    { dialect: "0.2", declared: false, card: undefined },
    { dialect: "0.1", declared: false, card: undefined },
  ]);
});

describe("an option that does not fit the agent is a mistake of the call", () => {
  const site: Site = () => listing(at(`${origin}/rpc`, "1.0"));

  test("--binding that leaves nothing to test", async () => {
    await expect(discovered(site, { bindings: ["GRPC"] })).rejects.toThrow(
      "--binding and --dialect exclude every interface: the card offers JSONRPC 1.0",
    );
  });

  test("--skill that the card does not have", async () => {
    const [{ id }] = v10["skills"] as [{ id: string }];
    await expect(discovered(site, { skills: [`${id}x`] })).rejects.toThrow(
      `--skill ${id}x: the card has no skill of that name. Did you mean ${id}?`,
    );
    expect((await discovered(site, { skills: [id] })).versions).toHaveLength(1);
  });

  test("an interface that we do not speak is left out by no choice of the operator", async () => {
    const mail = { url: "mailto:a@agent.test", protocolBinding: "https://example.com/mail", protocolVersion: "1.0" };
    const { leftOut } = await discovered(() => listing(at(`${origin}/rpc`, "1.0"), mail));
    expect(leftOut).toEqual([expect.objectContaining({ forced: true })]);
  });
});
