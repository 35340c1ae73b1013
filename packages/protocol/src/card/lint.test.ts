import fc from "fast-check";
import { describe, expect, test } from "vitest";
import hybrid from "../../examples/hybrid/card.v1.0+v0.3.json" with { type: "json" };
import v01 from "../../examples/v0.1/card.json" with { type: "json" };
import v02 from "../../examples/v0.2/card.json" with { type: "json" };
import v03 from "../../examples/v0.3/card.json" with { type: "json" };
import v10 from "../../examples/v1.0/card.json" with { type: "json" };
import minimal from "../../examples/v1.0/card.minimal.json" with { type: "json" };
import { lintCard } from "./lint.ts";

/** Level, place and rule of each finding, in one line. */
const lint = (json: unknown) => lintCard(json).map(({ level, path, rule }) => `${level} ${path} ${rule ?? "-"}`);

/** What changing the minimal card brings up. */
const withCard = (change: Record<string, unknown>) => lint({ ...minimal, ...change });

const skill = minimal.skills[0]!;
const endpoint = minimal.supportedInterfaces[0]!;

describe("good cards", () => {
  test.each([
    ["1.0", v10],
    ["minimal", minimal],
  ])("%s: nothing to say", (_, card) => expect(lint(card)).toEqual([]));

  test.each([
    ["0.1", v01],
    ["0.2", v02],
    ["0.3", v03],
  ])("%s: only that it is older", (_, card) => expect(lint(card)).toEqual(["info $ CARD-006"]));

  test("superset: leftovers for information", () => {
    expect(lint(hybrid)).toEqual([
      "info $ LEG-005",
      "info $.securitySchemes.key LEG-005",
      "info $.securitySchemes.bearer LEG-005",
    ]);
  });
});

test("a finding says what we saw, what is asked and what to do", () => {
  expect(lintCard({ ...minimal, skills: [skill, skill] })).toEqual([
    {
      level: "error",
      code: "repeated-skill-id",
      path: "$.skills[1].id",
      message: 'is "tide-lookup", the same as in $.skills[0]; skill ids must be unique within a card',
      fix: "Give each skill its own id.",
      rule: "CARD-020",
    },
  ]);
});

describe("shape", () => {
  test.each([
    [{ name: undefined }, ["error $.name CARD-003"]],
    [{ name: null }, ["error $.name CARD-003"]],
    [{ name: "" }, ["warning $.name CARD-003"]],
    [{ version: 1 }, ["error $.version CARD-005"]],
    [{ supportedInterfaces: [] }, ["error $.supportedInterfaces CARD-006"]],
    [
      { supportedInterfaces: [{ url: "https://h/" }] },
      [
        "error $.supportedInterfaces[0].protocolBinding CARD-012",
        "error $.supportedInterfaces[0].protocolVersion CARD-013",
      ],
    ],
    [{ capabilities: undefined }, ["error $.capabilities CARD-007"]],
    [{ capabilities: { streaming: "true" } }, ["error $.capabilities.streaming CARD-025"]],
    [{ capabilities: { streaming: null } }, ["warning $.capabilities.streaming CARD-025"]],
    [{ defaultInputModes: "text/plain" }, ["error $.defaultInputModes CARD-008"]],
    [{ skills: [{ ...skill, description: undefined }] }, ["error $.skills[0].description CARD-021"]],
    [{ provider: { organization: "Acme" } }, ["error $.provider.url CARD-024"]],
    [{ iconUrl: 5 }, ["error $.iconUrl CARD-041"]],
  ])("%j", (change, expected) => expect(withCard(change)).toEqual(expected));

  test("a document that is no object", () => expect(lint([minimal])).toEqual(["error $ CARD-002"]));
});

describe("unknown members", () => {
  test.each([
    [{ default_input_modes: ["text/plain"] }, ["error $.default_input_modes DATA-001"]],
    [{ documentationURL: "https://h/" }, ["warning $.documentationURL -"]],
    [{ capabilities: { supportsStreaming: true } }, ["warning $.capabilities.supportsStreaming -"]],
    [{ xMood: "sunny" }, ["info $.xMood EXT-013"]],
    [{ skills: [{ ...skill, security: [] }] }, ["warning $.skills[0].security CARD-038"]],
  ])("%j", (change, expected) => expect(withCard(change)).toEqual(expected));
});

describe("interfaces", () => {
  const withInterface = (change: Record<string, unknown>) =>
    withCard({ supportedInterfaces: [{ ...endpoint, ...change }] });
  const url = "$.supportedInterfaces[0].url";
  const binding = "$.supportedInterfaces[0].protocolBinding";
  const version = "$.supportedInterfaces[0].protocolVersion";

  test.each([
    [{ url: "/a2a" }, [`error ${url} CARD-014`]],
    [{ url: "ftp://h/" }, [`error ${url} CARD-014`]],
    [{ url: "https://h/a b" }, [`error ${url} CARD-014`]],
    [{ url: "http://0.0.0.0:9999/" }, [`warning ${url} CARD-014`]],
    [{ url: "http://agent.example/" }, [`warning ${url} CARD-014`]],
    [{ url: "https://agent.example/a2a" }, []],
    [{ url: "http://[::1]:80/" }, []],
    [{ url: "http://demo.localhost" }, []],
    [{ protocolBinding: "GRPC", url: "agent.example:443" }, []],
    [{ protocolBinding: "GRPC", url: "https://agent.example/path" }, [`info ${url} CARD-015`]],
    [{ protocolBinding: "GRPC", url: "dns:///agent.example:443" }, [`info ${url} CARD-015`]],
    [{ protocolBinding: "GRPC", url: "agent.example" }, [`warning ${url} CARD-015`]],
    [{ protocolBinding: "REST" }, [`warning ${binding} CARD-012`]],
    [{ protocolBinding: "json-rpc" }, [`warning ${binding} CARD-012`]],
    [{ protocolBinding: "WEBSOCKET" }, [`warning ${binding} BIND-009`]],
    [{ protocolBinding: "https://b.example/ws/v1", url: "wss://h/" }, []],
    [{ protocolBinding: "https://b.example/ws/v1", url: "ws" }, [`warning ${url} BIND-009`]],
    [{ protocolVersion: "1.0.0" }, [`warning ${version} VER-009`]],
    [{ protocolVersion: "v1" }, [`error ${version} CARD-013`]],
    [{ protocolVersion: "7.0" }, [`info ${version} -`]],
  ])("%j", (change, expected) => expect(withInterface(change)).toEqual(expected));

  test("the same entry twice is a warning; another tenant or version is not", () => {
    const list = [
      endpoint,
      { ...endpoint, tenant: "a" },
      { ...endpoint, protocolVersion: "0.3" },
      { ...endpoint, tenant: "" },
    ];
    expect(withCard({ supportedInterfaces: list })).toEqual([
      "warning $.supportedInterfaces[3] CARD-018",
      "info $.supportedInterfaces[3].tenant SIG-012",
    ]);
  });

  test("an older card that contradicts its main pair", () => {
    const additionalInterfaces = [{ url: v03.url, transport: "GRPC" }];
    expect(lint({ ...v03, additionalInterfaces })).toEqual([
      "warning $.additionalInterfaces[0].url CARD-015",
      "warning $.additionalInterfaces[0] -",
      "info $ CARD-006",
    ]);
  });
});

describe("older members", () => {
  test("a legacy url that no interface names", () => {
    expect(withCard({ url: "http://127.0.0.1:1/", protocolVersion: "0.3.0" })).toEqual([
      "warning $.url LEG-005",
      "info $ LEG-005",
    ]);
  });

  test("a legacy flag without its successor", () => {
    expect(withCard({ url: endpoint.url, supportsAuthenticatedExtendedCard: true })).toEqual([
      "warning $.supportsAuthenticatedExtendedCard LEG-004",
      "info $ LEG-005",
    ]);
  });

  test("an older card that claims to be 1.0", () => {
    expect(lint({ ...v03, protocolVersion: "1.0" })).toEqual(["error $ CARD-006"]);
  });

  test("capability flags nobody reads", () => {
    expect(lint({ ...v03, capabilities: { supportsStreaming: true } })).toEqual([
      "warning $.capabilities.supportsStreaming -",
      "info $ CARD-006",
    ]);
  });
});

describe("skills, modes, extensions and links", () => {
  test.each([
    [{ skills: [] }, ["warning $.skills CARD-010"]],
    [{ skills: [{ ...skill, tags: [] }] }, ["warning $.skills[0].tags CARD-022"]],
    [{ defaultInputModes: [] }, ["warning $.defaultInputModes CARD-008"]],
    [{ defaultOutputModes: ["text"] }, ["warning $.defaultOutputModes[0] CARD-009"]],
    [{ defaultOutputModes: ["text/html; charset=utf-8", "*/*", "application/vnd.x+json"] }, []],
    [{ skills: [{ ...skill, inputModes: ["data"] }] }, ["warning $.skills[0].inputModes[0] CARD-023"]],
    [{ capabilities: { extensions: [{ uri: "https://e.example/geo/v1" }] } }, []],
    [
      { capabilities: { extensions: [{ uri: "https://e.example/geo" }] } },
      ["warning $.capabilities.extensions[0].uri EXT-002"],
    ],
    [{ capabilities: { extensions: [{ uri: "geo" }] } }, ["error $.capabilities.extensions[0].uri EXT-001"]],
    [{ capabilities: { extensions: [{}] } }, ["error $.capabilities.extensions[0].uri EXT-001"]],
    [{ iconUrl: "/icon.png" }, ["warning $.iconUrl CARD-041"]],
  ])("%j", (change, expected) => expect(withCard(change)).toEqual(expected));
});

describe("hostile documents", () => {
  test("a card with thousands of mistakes gives a list one can read", () => {
    const findings = lintCard({ ...minimal, skills: Array.from({ length: 5000 }, () => ({ id: "same" })) });
    expect(findings).toHaveLength(201);
    expect(findings.at(-1)).toMatchObject({ level: "info", message: expect.stringMatching(/^\d+ more findings/) });
  });

  test("megabytes that almost look like a secret are scanned in one pass", () => {
    // In two passes for each character this takes an hour, and the test is over before.
    const almost = ["eyJ", "-eyJ", "Bearer ", "api_key=", "sk-", "1.", "a/", "@", ":"].map((text) => text.repeat(1e5));
    const extensions = almost.map((uri) => ({ uri: `x:${uri}!` }));
    const card = {
      ...minimal,
      capabilities: { extensions },
      iconUrl: `http://${almost[7]}`,
      defaultInputModes: almost,
    };
    expect(lintCard(card).filter(({ code }) => code === "secret")).toEqual([]);
  });

  test("nothing that can be written in JSON makes it throw", () => {
    const members = Object.keys({ ...hybrid, ...v10, ...v01 });
    const wrong = fc.record(Object.fromEntries(members.map((name) => [name, fc.jsonValue()])), { requiredKeys: [] });
    fc.assert(
      fc.property(wrong, (json) => Array.isArray(lintCard(json)) && Array.isArray(lintCard({ ...v10, ...json }))),
    );
  });
});
