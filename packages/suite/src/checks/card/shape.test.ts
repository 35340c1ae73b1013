import type { JsonObject, JsonValue } from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { provesAll } from "../../../../../e2e/fixtures/proves-all.fixture.ts";
import { factsOf } from "../../card/agent-facts.ts";
import type { CardCheck, FetchedCard } from "../../define/check.ts";
import { isBreach } from "../../define/finding.ts";
import { ruleIn, ruleOf } from "../../rules/catalogue.ts";
import { gravest, judgementOf } from "../../rules/policy.ts";
import { httpAddresses } from "./interfaces.ts";
import { linted, lintOf } from "./lint.ts";
import { cardIsFound } from "./location.ts";
import { nothingSecret } from "./nothing-secret.ts";
import { extendedCardIsACapability, olderMembersAgree } from "./older-members.ts";
import { extensionsAreDeclared, olderShapeChecks, shapeChecks } from "./shape.ts";

import { signatureEntryChecks } from "./signature-entries.ts";

const place = "https://agent.example/a2a";

const good: JsonObject = {
  name: "An agent",
  description: "Does things.",
  version: "1.0.0",
  supportedInterfaces: [{ url: place, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [{ id: "do", name: "Do", description: "Does it.", tags: ["doing"] }],
};

const older: JsonObject = {
  name: "An agent",
  description: "Does things.",
  version: "1.0.0",
  url: place,
  protocolVersion: "0.3.0",
  capabilities: {},
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
  skills: [],
};

const all: readonly CardCheck[] = [
  ...shapeChecks,
  ...signatureEntryChecks,
  httpAddresses,
  cardIsFound,
  nothingSecret,
  extensionsAreDeclared,
  extendedCardIsACapability,
  olderMembersAgree,
];

/** The rules that say what the linter says. */
const checked: ReadonlySet<string> = new Set(
  [...shapeChecks, ...olderShapeChecks, nothingSecret, extensionsAreDeclared].map(({ id }) => id),
);

type More = Partial<Pick<FetchedCard, "url" | "given" | "production">> & { readonly strict?: boolean };

function sightingOf(json: JsonObject, { url, given = false, production = false }: More): FetchedCard {
  const at = url ?? "https://agent.example/.well-known/agent-card.json";
  // None of these looks at the exchange.
  return { url: at, json, facts: factsOf(json, at, []), given, production } as FetchedCard;
}

/** What a check comes to on a card, as the report would have it. */
function verdict(id: string, json: JsonObject, more: More = {}): string {
  const rule = ruleOf(id)!;
  const { strict = false } = more;
  const found = [all.find((check) => check.id === id)!.judge(sightingOf(json, more))].flat();
  const judged = { rule, dialect: "1.0", set: "1.0.1-r1", strict, declared: true } as const;
  const { verdict: name, message, warning, info } = judgementOf(gravest(found, judged), judged);
  return warning ? `warned: ${warning}` : info ? `told: ${info}` : message ? `${name}: ${message}` : name;
}

test.each<[string, JsonObject]>([
  ["CARD-008", { defaultInputModes: [] }],
  ["CARD-009", { defaultOutputModes: [] }],
  ["CARD-010", { skills: [] }],
  ["CARD-022", { skills: [{ id: "do", name: "Do", description: "Does it.", tags: [] }] }],
])("%s: a required list without an element is a fault when read strictly", (id, change) => {
  const card = { ...good, ...change };
  expect(verdict(id, card)).toMatch(/^warned: .* is empty/);
  expect(verdict(id, card, { strict: true })).toMatch(/^fail: .* is empty/);
});

test("an empty version is a warning, as an empty name is", () => {
  expect(verdict("CARD-005", { ...good, version: "" })).toMatch(/^warned: version/);
});

test("a plain good card breaks no rule", () => {
  const told = all.map(({ id }) => `${id} ${verdict(id, good)}`);
  expect(told.filter((text) => !/ (pass|not-applicable: .*)$/.test(text))).toEqual([]);
});

test("a card of an older version is judged by none of these rules", () => {
  const told = all.map(({ id }) => verdict(id, older)).filter((text) => !text.startsWith("not-applicable"));
  // Credentials do not belong on any card.
  expect(told).toEqual(["pass"]);
});

describe.each([
  ["CARD-003", { name: null }, "fail: name: expected a string, got null"],
  ["CARD-003", { name: "" }, "warned: name is required and must not be empty"],
  ["CARD-005", { version: 1 }, "fail: version: expected a string, got 1"],
  ["CARD-006", { supportedInterfaces: [] }, "fail: supportedInterfaces needs at least one element"],
  ["CARD-008", { defaultInputModes: [] }, "warned: defaultInputModes is empty, but clients use it to choose agents"],
  ["CARD-008", { defaultInputModes: ["text"] }, 'warned: defaultInputModes[0] is "text", which is not a media type'],
  ["CARD-010", { skills: [] }, "warned: skills is empty, but clients use it to choose agents"],
  ["CARD-025", { capabilities: { streaming: null } }, "warned: capabilities.streaming: expected a boolean, got null"],
  ["CARD-025", { capabilities: { streaming: "true" } }, 'fail: capabilities.streaming: expected a boolean, got "true"'],
  [
    "CARD-014",
    { supportedInterfaces: [{ url: "http://0.0.0.0:9999/", protocolBinding: "JSONRPC", protocolVersion: "1.0" }] },
    'warned: supportedInterfaces[0].url is "http://0.0.0.0:9999/": 0.0.0.0 is a listening address; clients cannot call it',
  ],
  [
    "CARD-030",
    {
      securitySchemes: {
        o: {
          oauth2SecurityScheme: {
            flows: { authorizationCode: { authorizationUrl: "/auth", tokenUrl: "https://a.b/t", scopes: {} } },
          },
        },
      },
    },
    'warned: securitySchemes.o.oauth2SecurityScheme.flows.authorizationCode.authorizationUrl is "/auth", not an absolute URL',
  ],
  [
    "SIG-003",
    { signatures: [{ protected: encoded({ alg: "none", kid: "k" }), signature: "eA" }] },
    "fail: the protected header of signatures[0] has alg none, so nothing is signed",
  ],
  [
    "SIG-003",
    { signatures: [{ protected: encoded({ alg: "HS256", kid: "k" }), signature: "eA" }] },
    "warned: signatures[0] uses a shared secret, so every party that can verify it can forge it",
  ],
  ["SIG-004", { signatures: ["nothing to read"] }, "not-examined: no signature of the card is readable"],
  ["SIG-002", { signatures: ["nothing to read"] }, "fail: signatures[0] is not an object"],
] as const)("%s on a card with %j", (id, change, told) => {
  test(`comes to "${told}"`, () => {
    expect(verdict(id, { ...good, ...change } as JsonObject)).toBe(told);
  });
});

function encoded(json: JsonObject): string {
  return Buffer.from(JSON.stringify(json)).toString("base64url");
}

describe("security requirements under the name of 0.3", () => {
  const card = {
    ...good,
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
    security: [{ bearer: [] }],
  };

  test("are a warning", () => {
    expect(verdict("CARD-036", card)).toMatch(/^warned: security is used instead of/);
  });

  test("are a fault when read strictly", () => {
    expect(verdict("CARD-036", card, { strict: true })).toMatch(/^fail: security is used instead of/);
  });
});

describe("a plain http address", () => {
  const card = {
    ...good,
    supportedInterfaces: [{ url: "http://agent.example/", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  };

  test("is checked in production only", () => {
    expect(verdict("CARD-014", card)).toBe("pass");
  });

  test("is a fault in production", () => {
    expect(verdict("CARD-014", card, { production: true })).toMatch(/^fail: an interface of a production deployment/);
  });
});

describe("an internal address", () => {
  const card = {
    ...good,
    supportedInterfaces: [{ url: "10.0.0.7:50051", protocolBinding: "GRPC", protocolVersion: "1.0" }],
  };

  test("is checked in production only", () => {
    expect(verdict("CARD-039", card)).toBe("pass");
  });

  test("is a warning in production", () => {
    expect(verdict("CARD-039", card, { production: true })).toMatch(
      /^warned: supportedInterfaces\[0\] of a production/,
    );
  });
});

test("a secret on the card is not repeated in the report", () => {
  const said = verdict("CARD-039", { ...good, iconUrl: "https://user:hunter2@agent.example/icon.png" });
  expect(said).toMatch(/^warned: iconUrl looks like it contains a password/);
  expect(said).not.toContain("hunter2");
});

describe("a card at the place of older versions", () => {
  const url = "https://agent.example/.well-known/agent.json";

  test("is a warning when we came across it", () => {
    expect(verdict("CARD-001", good, { url })).toMatch(/^warned: the card is served only at/);
  });

  test("is fine when the address was given", () => {
    expect(verdict("CARD-001", good, { url, given: true })).toMatch(/^told: /);
  });

  test("is fine for a card of an older version", () => {
    expect(verdict("CARD-001", older, { url })).toMatch(/^not-applicable/);
  });
});

test("members of older versions agree when they differ only in a slash", () => {
  expect(verdict("LEG-005", { ...good, url: `${place}/`, preferredTransport: "JSONRPC" })).toMatch(/^told: .* agree/);
});

/** Every member of a card, however deep. */
function* placesIn(json: JsonValue, path: readonly string[] = []): Generator<readonly string[]> {
  if (path.length) yield path;
  if (typeof json !== "object" || json === null) return;
  for (const [name, value] of Object.entries(json)) yield* placesIn(value, [...path, name]);
}

function replaced(json: JsonValue, [name, ...rest]: readonly string[], value: JsonValue): JsonValue {
  if (name === undefined) return value;
  if (Array.isArray(json)) return json.map((entry, at) => (String(at) === name ? replaced(entry, rest, value) : entry));
  const object = json as JsonObject;
  return { ...object, [name]: replaced(object[name]!, rest, value) };
}

const rich: JsonObject = {
  ...good,
  provider: { url: place, organization: "Us" },
  url: place,
  additionalInterfaces: [{ url: place, transport: "JSONRPC" }],
  extensions: [],
  capabilities: { streaming: true, extendedAgentCard: true, extensions: [{ uri: "urn:x:v1", params: {} }] },
  securitySchemes: {
    key: { apiKeySecurityScheme: { location: "header", name: "k" } },
    oauth: { oauth2SecurityScheme: { flows: { clientCredentials: { tokenUrl: place, scopes: {} } } } },
  },
  securityRequirements: [{ schemes: { key: { list: [] } } }],
  signatures: [{ protected: encoded({ alg: "ES256", kid: "k", typ: "JOSE" }), signature: "eA", header: {} }],
};

/** The card with anything at any place in it. */
function* mutated(): Generator<{ readonly card: JsonObject; readonly what: string }> {
  let turn = 0;
  const anything: JsonValue[] = [null, 5, "", "x", true, [], {}, [null], ["x"], { x: null }, { $case: "x" }];
  for (const path of placesIn(rich)) {
    for (const value of anything) {
      // Another third of the values at each place: 11 values are no multiple of 3.
      if (!provesAll && turn++ % 3 !== 0) continue;
      const what = `${path.join(".")} ${JSON.stringify(value)}`;
      yield { card: replaced(rich, path, value) as JsonObject, what };
    }
  }
}

test("every check has a verdict, whatever a member contains", () => {
  const broken: string[] = [];
  for (const { card, what } of mutated()) {
    const sighting = sightingOf(card, { production: true });
    for (const { id, judge } of all) {
      try {
        judge(sighting);
      } catch (error) {
        broken.push(`${id} with ${what}: ${String(error)}`);
      }
    }
  }
  expect(broken).toEqual([]);
});

describe.each(["1.0", "0.3", "0.2", "0.1"] as const)("what the linter warns of by the rules of %s", (dialect) => {
  const sets = { "1.0": "1.0.1-r1", "0.3": "0.3.0-r1", "0.2": "0.2.6-r1", "0.1": "0.1.0-r1" } as const;

  test("is a breach that fails no rule", () => {
    const wrong = new Set<string>();
    for (const { card } of mutated()) {
      for (const { level, code, rule: id } of lintOf(card, { dialect })) {
        const rule = id === undefined ? undefined : ruleIn(dialect, id);
        if (!rule || level !== "warning" || !checked.has(rule.id)) continue;
        const found = linted({ json: card, facts: { dialect } }, rule.id, "").find((each) => isBreach(each));
        const judged = { rule, dialect, set: sets[dialect], strict: false, declared: true } as const;
        const others = lintOf(card, { dialect }).some((each) => each.rule === id && each.level === "error");
        if (!others && (!found || judgementOf(found, judged).verdict === "fail")) wrong.add(`${rule.id} ${code}`);
      }
    }
    expect([...wrong]).toEqual([]);
  });
});
