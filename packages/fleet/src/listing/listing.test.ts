import { describe, expect, test } from "vitest";
import { agentsOf } from "./agents.ts";
import { readCsv } from "./csv.ts";
import { readDuration } from "./duration.ts";
import { atJsonPath } from "./json-path.ts";
import { readNdjson } from "./ndjson.ts";
import { readRegistry } from "./registry.ts";
import { readYamlList } from "./yaml.ts";

const places = (mistakes: readonly { place: string; message: string }[]) =>
  mistakes.map(({ place, message }) => `${place} ${message}`);

describe("agents.yaml", () => {
  const text = `
fleet: registry
defaults: { timeout: 20 }
labels:
  gold: { depth: full, unchangedEvery: 7d }
  silent: { allowMessage: false }
agents:
  - https://a.example
  - url: https://b.example/agents/1
    name: b
    labels: [gold]
    login: { bearer: env:B_TOKEN }
  - { url: https://c.example, depth: quick, labels: [gold, silent], deadline: 300 }
  - { url: https://d.example, optOut: true }
`;
  test("has agents, each with what holds for it: its own, of its labels, of the list, of the operator", () => {
    const { fleet, agents, mistakes } = agentsOf([readYamlList(text, "agents.yaml")], { allowMessage: true });
    expect([fleet, mistakes]).toEqual(["registry", []]);
    expect(agents).toEqual([
      {
        name: "https://a.example",
        url: "https://a.example",
        labels: [],
        depth: "free",
        mayMessage: true,
        timeout: 20_000,
      },
      {
        name: "b",
        url: "https://b.example/agents/1",
        labels: ["gold"],
        login: { bearer: "env:B_TOKEN" },
        depth: "full",
        mayMessage: true,
        notBefore: 604_800_000,
        timeout: 20_000,
      },
      {
        name: "https://c.example",
        url: "https://c.example",
        labels: ["gold", "silent"],
        // What is forbidden by name is not sent, however deep it is asked for.
        depth: "free",
        mayMessage: false,
        notBefore: 604_800_000,
        timeout: 20_000,
        deadline: 300_000,
      },
      {
        name: "https://d.example",
        url: "https://d.example",
        labels: [],
        depth: "free",
        mayMessage: true,
        optOut: "it is listed so",
        timeout: 20_000,
      },
    ]);
  });

  test("reports every error with its line and keeps all other rows", () => {
    const bad = `agents:
  - url: https://a.example
    login: { bearer: hunter2 }
  - url: ftp://b.example
  - url: https://user:hunter2@c.example
  - { url: https://d.example, deppth: full }
  - { url: https://e.example, depth: deep }
  - 7
  - { url: https://f.example, name: f }
  - { url: https://g.example, name: f }
  - https://h.example
  - https://h.example
  - { url: https://i.example, login: { basic: "user:hunter2" } }
  - { url: https://j.example, login: { oauthClient: client } }
  - { url: "https://k.example?api_key=hunter2" }
`;
    const { agents, mistakes, duplicates } = agentsOf([readYamlList(bad, "agents.yaml")]);
    expect(agents.map(({ name }) => name)).toEqual(["f", "https://h.example"]);
    expect(duplicates).toBe(1);
    expect(places(mistakes)).toEqual([
      "agents.yaml:2 login.bearer: expected env:NAME or @file: a secret does not stand in a list",
      "agents.yaml:4 url: expected an address that begins with https:// or http://",
      "agents.yaml:5 url: the address holds a secret, which would stand in every result; use login, with env:NAME or @file",
      "agents.yaml:6 deppth is unknown; there are depth, allowMessage, unchangedEvery, timeout, deadline, url, name, card, labels, login, optOut",
      "agents.yaml:7 depth: expected one of card, free, quick, full",
      "agents.yaml:8 the row: expected names with values",
      "agents.yaml:10 another agent is called f, at agents.yaml:9",
      "agents.yaml:13 login.basic: expected user:env:NAME or user:@file: a secret does not stand in a list",
      "agents.yaml:14 login: oauthClient needs a tokenUrl",
      "agents.yaml:15 url: the address holds a secret, which would stand in every result; use login, with env:NAME or @file",
    ]);
    expect(JSON.stringify(mistakes)).not.toContain("hunter2");
  });

  test.each([
    ["agents: [", /^a.yaml:\d/],
    ["agents: 3", /a list of agents below agents: is missing$/],
    ["agents: []\nagent: x\n", /"agent" is unknown beside agents$/],
    ["defaults: { depth: deep }\nagents: []\n", /^defaults defaults.depth: expected one of/],
  ])("%j is no list of agents", (bad, says) => {
    const [first] = places(agentsOf([readYamlList(bad, "a.yaml")]).mistakes);
    expect(first).toMatch(says);
  });
});

test("CSV: columns by name, labels of several words, quoted cells, a login by reference", () => {
  const text = `\ufeffurl,name,labels,bearer,allowMessage,timeout,optOut\r
https://a.example,"A, the ""first""",gold;x,env:A,true,5,\r
\r
https://b.example,,,,,,"over
two lines"\r
https://c.example,c,,literal\r
https://d.example,d,,,,,,too,many\r
https://e.example,"open\r
`;
  const { agents, mistakes } = agentsOf([readCsv(text, "agents.csv")]);
  expect(agents).toMatchObject([
    { name: 'A, the "first"', labels: ["gold", "x"], login: { bearer: "env:A" }, mayMessage: true, timeout: 5_000 },
    { name: "https://b.example", optOut: "over\ntwo lines" },
  ]);
  expect(places(mistakes)).toEqual([
    "agents.csv:7 9 values for 7 columns",
    "agents.csv:8 a quotation mark is opened here and never closed",
    "agents.csv:6 login.bearer: expected env:NAME or @file: a secret does not stand in a list",
  ]);
  expect(places(readCsv("https://a.example\n", "a.csv").mistakes)).toEqual([
    "a.csv:1 the first line names the columns, and url is one of them",
  ]);
});

test("lines of JSON: one that cannot be read costs the others nothing", () => {
  const { agents, mistakes } = agentsOf([
    readNdjson('{"url":"https://a.example"}\n\n{"url":\n"https://b.example"\n', "agents.ndjson"),
  ]);
  expect(agents.map(({ name }) => name)).toEqual(["https://a.example", "https://b.example"]);
  expect(places(mistakes)).toEqual(["agents.ndjson:3 is not JSON"]);
});

describe("a registry's listing", () => {
  const at = "https://registry.example/agents";
  test("is a list, or has one as agents, and decides nothing about what is sent", () => {
    const listing = {
      agents: [
        "https://a.example",
        { url: "https://b.example", name: "b", depth: "full", login: { bearer: "env:HOME" } },
      ],
      next: "?page=2",
    };
    const page = readRegistry(listing, at, { most: 9 });
    expect(agentsOf([page]).agents).toEqual([
      { name: "https://a.example", url: "https://a.example", labels: [], depth: "free", mayMessage: false },
      { name: "b", url: "https://b.example", labels: [], depth: "free", mayMessage: false },
    ]);
    expect(page.next).toBe("?page=2");
  });

  test("of another shape is read with a path", () => {
    const listing = { data: { items: [{ card: { href: "https://a.example/card.json" } }, { card: null }] } };
    expect(readRegistry(listing, at, { path: "$.data.items[*].card.href", most: 9 }).rows).toEqual([
      { place: `${at}#1`, value: "https://a.example/card.json" },
    ]);
    expect(places(readRegistry(listing, at, { most: 9 }).mistakes)).toEqual([
      `${at} holds no list of agents; --json-path says where their addresses are, as in $.items[*].url`,
    ]);
  });
});

test.each([
  ["$", [{ a: [1, { b: 2 }], "x y": 3 }]],
  ["$.a[0]", [1]],
  ["$.a[*].b", [2]],
  ["$..b", [2]],
  ["$['x y']", [3]],
  ['$["x y"]', [3]],
  ["$.*", [[1, { b: 2 }], 3]],
  ["$.a[7]", []],
  ["$.constructor", []],
])("the path %s", (path, found) => {
  expect(atJsonPath({ a: [1, { b: 2 }], "x y": 3 }, path)).toEqual(found);
});

test.each(["a.b", "$a", "$.a[?@.x]", "$.a[-1]", "$."])("%s is no path that is understood", (path) => {
  expect(() => atJsonPath({}, path)).toThrow(/begins with \$|are understood/);
});

test("spans of time", () => {
  expect(["90s", "1.5h", "7d", "2 w", "0s", "7", "-1d", "1y"].map(readDuration)).toEqual([
    90_000,
    5_400_000,
    604_800_000,
    1_209_600_000,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
