import { describe, expect, test } from "vitest";
import hybrid from "../../examples/hybrid/card.v1.0+v0.3.json" with { type: "json" };
import v01 from "../../examples/v0.1/card.json" with { type: "json" };
import v02 from "../../examples/v0.2/card.json" with { type: "json" };
import v03 from "../../examples/v0.3/card.json" with { type: "json" };
import v10 from "../../examples/v1.0/card.json" with { type: "json" };
import type { AgentCard } from "../generated/model.ts";
import { isObject } from "../json.ts";
import { compareCards } from "./compare.ts";

const base: AgentCard = {
  name: "Route Planner",
  description: "Plans routes.",
  version: "1.0.0",
  supportedInterfaces: [
    { url: "https://routes.example/rpc", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    { url: "https://routes.example/rest", protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
    { url: "https://routes.example/rpc", protocolBinding: "JSONRPC", protocolVersion: "0.3" },
  ],
  provider: { organization: "Routes Inc", url: "https://routes.example" },
  capabilities: {
    streaming: true,
    pushNotifications: true,
    extendedAgentCard: true,
    extensions: [
      { uri: "urn:a", params: { a: 1, b: 2 } },
      { uri: "urn:b", required: true },
    ],
  },
  securitySchemes: {
    key: { apiKeySecurityScheme: { location: "header", name: "X-Key" } },
    oauth: {
      oauth2SecurityScheme: {
        flows: {
          clientCredentials: { tokenUrl: "https://login.example/token", scopes: { read: "Reads", write: "Writes" } },
        },
      },
    },
  },
  securityRequirements: [{ schemes: { key: {} } }, { schemes: { oauth: { list: ["read"] } } }],
  defaultInputModes: ["text/plain", "application/json"],
  defaultOutputModes: ["text/plain"],
  skills: [
    { id: "route", name: "Route", description: "Finds a route.", tags: ["maps", "walk"] },
    { id: "traffic", name: "Traffic", description: "Reports traffic.", tags: ["maps"], outputModes: ["image/png"] },
  ],
  signatures: [
    { protected: headerOf({ alg: "ES256", kid: "2026", typ: "JOSE" }), signature: "AAAA" },
    { protected: headerOf({ alg: "ES256", kid: "2025", typ: "JOSE" }), signature: "AAAA" },
  ],
};

function headerOf(header: object): string {
  return btoa(JSON.stringify(header)).replaceAll("=", "");
}

type Edit = (card: AgentCard) => void;

const edited = (edit: Edit): AgentCard => {
  const card = structuredClone(base);
  edit(card);
  return card;
};

function changesOf(before: unknown, after: unknown): string[] {
  const comparison = compareCards(before, after);
  if (comparison.is === "unreadable") throw new Error(`${comparison.which}: ${comparison.because}`);
  return comparison.changes.map(({ effect, code }) => `${effect} ${code}`);
}

describe("each change has its effect", () => {
  const rows: readonly (readonly [string, Edit, readonly string[]])[] = [
    ["a version gone", (card) => card.supportedInterfaces.splice(2, 1), ["breaking version-dropped"]],
    ["a binding gone", (card) => card.supportedInterfaces.splice(1, 1), ["breaking interface-removed"]],
    [
      "another address",
      (card) => Object.assign(card.supportedInterfaces[1]!, { url: "https://other.example/rest" }),
      ["risky interface-moved"],
    ],
    [
      "an address without TLS",
      (card) => Object.assign(card.supportedInterfaces[1]!, { url: "http://routes.example/rest" }),
      ["breaking tls-dropped"],
    ],
    [
      "the address of a test on this machine",
      (card) => Object.assign(card.supportedInterfaces[1]!, { url: "http://127.0.0.1:9999/rest" }),
      ["risky interface-moved"],
    ],
    [
      "a later minor version instead of 1.0",
      (card) => {
        for (const each of card.supportedInterfaces.slice(0, 2)) each.protocolVersion = "1.1";
      },
      ["breaking version-dropped", "compatible version-added"],
    ],
    [
      "another address of the provider",
      (card) => Object.assign(card.provider!, { url: "https://other.example" }),
      ["risky provider-changed"],
    ],
    [
      "a scope less",
      (card) => Object.assign(card.securityRequirements![1]!, { schemes: { oauth: {} } }),
      ["risky login-relaxed"],
    ],
    ["a tenant", (card) => Object.assign(card.supportedInterfaces[1]!, { tenant: "north" }), ["risky interface-moved"]],
    [
      "another preferred interface",
      (card) => card.supportedInterfaces.unshift(...card.supportedInterfaces.splice(1, 1)),
      ["risky preference-changed"],
    ],
    ["a skill gone", (card) => card.skills.pop(), ["breaking skill-removed"]],
    [
      "a new id for a skill",
      (card) => Object.assign(card.skills[0]!, { id: "plan-route" }),
      ["breaking skill-id-changed"],
    ],
    [
      "a new skill",
      (card) => card.skills.push({ id: "new", name: "New", description: "Is new.", tags: [] }),
      ["compatible skill-added"],
    ],
    [
      "another text of a skill",
      (card) => Object.assign(card.skills[0]!, { description: "Plans." }),
      ["compatible skill-text-changed"],
    ],
    ["an input mode gone", (card) => card.defaultInputModes.pop(), ["breaking input-mode-dropped"]],
    [
      "an output mode of a skill gone",
      (card) => Object.assign(card.skills[1]!, { outputModes: ["image/svg+xml"] }),
      ["breaking output-mode-dropped", "compatible mode-added"],
    ],
    [
      "a range of modes",
      (card) => Object.assign(card, { defaultInputModes: ["text/*", "Application/JSON"] }),
      ["compatible mode-added"],
    ],
    [
      "streaming gone",
      (card) => Object.assign(card.capabilities, { streaming: false }),
      ["breaking capability-dropped"],
    ],
    [
      "a required extension",
      (card) => card.capabilities.extensions?.push({ uri: "urn:c", required: true }),
      ["breaking extension-required"],
    ],
    [
      "an extension that becomes required",
      (card) => Object.assign(card.capabilities.extensions![0]!, { required: true }),
      ["breaking extension-required"],
    ],
    ["an extension gone", (card) => card.capabilities.extensions?.shift(), ["risky extension-removed"]],
    [
      "other parameters of an extension",
      (card) => Object.assign(card.capabilities.extensions![0]!, { params: { a: 2 } }),
      ["risky extension-params-changed"],
    ],
    ["an alternative login gone", (card) => card.securityRequirements?.pop(), ["breaking login-changed"]],
    [
      "a scope more",
      (card) => Object.assign(card.securityRequirements![1]!, { schemes: { oauth: { list: ["read", "write"] } } }),
      ["breaking login-changed"],
    ],
    [
      "another API key",
      (card) => Object.assign(card.securitySchemes!["key"]!.apiKeySecurityScheme!, { name: "X-Other" }),
      ["breaking login-changed", "risky scheme-changed"],
    ],
    ["no login", (card) => delete card.securityRequirements, ["risky login-no-longer-required"]],
    [
      "a login for one skill",
      (card) => Object.assign(card.skills[0]!, { securityRequirements: [{ schemes: { oauth: { list: ["write"] } } }] }),
      ["breaking login-added"],
    ],
    ["no signature", (card) => delete card.signatures, ["breaking signature-lost"]],
    [
      "another key",
      (card) =>
        Object.assign(card, {
          signatures: [{ protected: headerOf({ alg: "ES256", kid: "2027" }), signature: "AAAA" }],
        }),
      ["risky signing-key-changed"],
    ],
    ["one of two keys", (card) => card.signatures?.pop(), []],
    ["another name", (card) => Object.assign(card, { name: "Planner" }), ["risky name-changed"]],
    [
      "another provider",
      (card) => Object.assign(card.provider!, { organization: "Roads Ltd" }),
      ["risky provider-changed"],
    ],
    ["another release", (card) => Object.assign(card, { version: "1.1.0" }), ["compatible text-changed"]],
  ];

  test.each(rows)("%s", (_, edit, changes) => {
    expect(changesOf(base, edited(edit))).toEqual(changes);
  });

  const second = { url: "https://two.example/rpc", protocolBinding: "JSONRPC", protocolVersion: "1.0" };
  const unused = { apiKeySecurityScheme: { location: "header", name: "X-Unused" } };
  /** Each edit, and what it means to undo it. */
  const undone: readonly (readonly [string, Edit, readonly string[]])[] = [
    ["a binding", (card) => card.supportedInterfaces.splice(1, 1), ["compatible interface-added"]],
    ["a second address gone", (card) => card.supportedInterfaces.push(second), ["risky address-removed"]],
    ["an unused scheme gone", (card) => Object.assign(card.securitySchemes!, { unused }), ["risky scheme-removed"]],
    ["streaming", (card) => Object.assign(card.capabilities, { streaming: false }), ["compatible capability-added"]],
    ["an extension", (card) => card.capabilities.extensions?.shift(), ["compatible extension-added"]],
    [
      "an extension that is optional now",
      (card) => Object.assign(card.capabilities.extensions![0]!, { required: true }),
      ["compatible extension-optional"],
    ],
    ["signatures", (card) => delete card.signatures, ["compatible signature-added"]],
  ];

  test.each(undone)("%s", (_, edit, changes) => {
    expect(changesOf(edited(edit), base)).toEqual(changes);
  });

  test("a second address", () => {
    expect(
      changesOf(
        base,
        edited((card) => card.supportedInterfaces.push(second)),
      ),
    ).toEqual(["compatible address-added"]);
  });

  test("the list of interfaces under its name of the proto, which plain JSON readers do not find", () => {
    const renamed = edited((card) => {
      const { supportedInterfaces } = card;
      Object.assign(card, { supported_interfaces: supportedInterfaces });
      delete (card as Partial<typeof card>).supportedInterfaces;
    });
    expect(changesOf(base, renamed)).toEqual(["breaking interface-list-removed"]);
  });

  test("a login for an agent without one", () => {
    const open = edited((card) => delete card.securityRequirements);
    expect(changesOf(open, base)).toEqual(["breaking login-added"]);
  });

  test("a change names the clients and the interfaces that it affects", () => {
    expect(
      compareCards(
        base,
        edited((card) => card.supportedInterfaces.splice(2, 1)),
      ),
    ).toEqual({
      is: "compared",
      changes: [
        {
          code: "version-dropped",
          effect: "breaking",
          path: "$.supportedInterfaces",
          message: "The card no longer offers protocol version 0.3.",
          affects: "clients that speak only 0.3",
          lost: ["0.3 JSONRPC"],
        },
      ],
    });
  });
});

describe("cards that mean the same have no incompatible change", () => {
  test("another order of members, skills, modes, tags, logins and signatures", () => {
    const reversed = reverse(base) as AgentCard;
    // The order of interfaces has a meaning: the first one is preferred.
    reversed.supportedInterfaces.reverse();
    expect(changesOf(base, reversed)).toEqual([]);
  });

  test("members that A2A does not define", () => {
    expect(changesOf(base, { ...base, "x-team": "maps" })).toEqual(["compatible unknown-member-changed"]);
    expect(changesOf({ ...base, "x-team": { a: 1, b: 2 } }, { ...base, "x-team": { b: 2, a: 1 } })).toEqual([]);
  });

  test("another name for the same security scheme", () => {
    const renamed = edited((card) => {
      card.securitySchemes = { ...card.securitySchemes, header: card.securitySchemes!["key"]! };
      delete card.securitySchemes["key"];
      card.securityRequirements![0] = { schemes: { header: {} } };
    });
    expect(changesOf(base, renamed)).toEqual([]);
  });

  test("an address for refresh tokens, and another case in the name of a header", () => {
    const same = edited((card) => {
      Object.assign(card.securitySchemes!["oauth"]!.oauth2SecurityScheme!.flows.clientCredentials!, {
        refreshUrl: "https://login.example/refresh",
      });
      card.securitySchemes!["key"]!.apiKeySecurityScheme!.name = "x-key";
    });
    expect(changesOf(base, same)).toEqual([]);
  });

  test("a flow that requires PKCE, and one that no longer does", () => {
    const withPkce = (pkceRequired: boolean) =>
      edited((card) => {
        card.securitySchemes!["oauth"]!.oauth2SecurityScheme!.flows = {
          authorizationCode: {
            authorizationUrl: "https://login.example/authorize",
            tokenUrl: "https://login.example/token",
            scopes: {},
            pkceRequired,
          },
        };
      });
    expect(changesOf(withPkce(false), withPkce(true))).toEqual(["breaking login-changed", "risky scheme-changed"]);
    expect(changesOf(withPkce(true), withPkce(false))).toEqual([]);
  });

  test("one of two schemes that a login required together", () => {
    const both = edited((card) => {
      card.securityRequirements = [{ schemes: { key: {}, oauth: { list: ["read"] } } }];
    });
    const one = edited((card) => {
      card.securityRequirements = [{ schemes: { key: {} } }];
    });
    expect(changesOf(both, one)).toEqual(["risky login-relaxed"]);
  });

  test("one more flow, and one more login", () => {
    const more = edited((card) => {
      card.securityRequirements!.push({ schemes: { mtls: {} } });
      card.securitySchemes!["mtls"] = { mtlsSecurityScheme: {} };
      card.securitySchemes!["oauth"]!.oauth2SecurityScheme!.flows.deviceCode = {
        deviceAuthorizationUrl: "https://login.example/device",
        tokenUrl: "https://login.example/token",
        scopes: {},
      };
    });
    expect(changesOf(base, more)).toEqual(["compatible login-alternative-added", "compatible scheme-added"]);
  });
});

describe("cards of older versions", () => {
  test.each([
    ["0.1", v01],
    ["0.2", v02],
    ["0.3", v03],
    ["1.0", v10],
    ["1.0 and 0.3", hybrid],
  ])("a card of %s equals itself", (_, card) => {
    expect(changesOf(card, card)).toEqual([]);
  });

  test("a card of 0.3 that becomes a card of both versions changes nothing for its clients", () => {
    const {
      supportedInterfaces: _list,
      securityRequirements: _logins,
      ...members
    } = structuredClone(hybrid) as Record<string, unknown>;
    const older = {
      ...members,
      capabilities: {
        streaming: true,
        pushNotifications: true,
        extensions: (hybrid.capabilities as { extensions: unknown }).extensions,
      },
    };
    expect(changesOf(older, hybrid).filter((each) => !each.startsWith("compatible"))).toEqual([]);
    expect(changesOf(older, hybrid)).toContain("compatible version-added");
  });

  test("a card of 0.3 that becomes one of 1.0 alone strands its clients, and nothing else", () => {
    const older = {
      protocolVersion: "0.3.0",
      name: "Tides",
      description: "Tells tides.",
      url: "https://tides.example/rpc",
      preferredTransport: "JSONRPC",
      version: "1.0.0",
      capabilities: { streaming: true },
      supportsAuthenticatedExtendedCard: true,
      securitySchemes: { token: { type: "http", scheme: "Bearer" } },
      security: [{ token: [] }],
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      skills: [{ id: "tide", name: "Tide", description: "Tells the tide.", tags: ["sea"] }],
    };
    const current = {
      name: "Tides",
      description: "Tells tides.",
      supportedInterfaces: [{ url: "https://tides.example/rpc", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
      version: "1.0.0",
      capabilities: { streaming: true, extendedAgentCard: true },
      securitySchemes: { token: { httpAuthSecurityScheme: { scheme: "bearer" } } },
      securityRequirements: [{ schemes: { token: { list: [] } } }],
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/plain"],
      skills: [{ id: "tide", name: "Tide", description: "Tells the tide.", tags: ["sea"] }],
    };
    expect(changesOf(older, current)).toEqual(["breaking version-dropped", "compatible version-added"]);
    const listed = {
      ...current,
      supportedInterfaces: [
        ...current.supportedInterfaces,
        { url: "https://tides.example/rpc", protocolBinding: "JSONRPC", protocolVersion: "0.3" },
      ],
    };
    expect(changesOf(older, listed)).toEqual(["breaking older-members-removed", "compatible version-added"]);
    expect(changesOf(older, { ...older, ...listed })).toEqual(["compatible version-added"]);
  });
});

test("a card with many logins is compared, and a message names only the first of them", () => {
  const many = (prefix: string) =>
    edited((card) => {
      const names = Array.from({ length: 300 }, (_, index) => `${prefix}${index}`);
      card.securitySchemes = Object.fromEntries(
        names.map((name) => [name, { apiKeySecurityScheme: { location: "header", name } }]),
      );
      card.securityRequirements = names.map((name) => ({ schemes: { [name]: {} } }));
    });
  const comparison = compareCards(many("a"), many("b"));
  if (comparison.is === "unreadable") throw new Error(comparison.because);
  const [first] = comparison.changes;
  expect(first?.message).toBe(
    'A login with "a0" is no longer enough for the agent. It requires "b0", or "b1", or "b2", or "b3", or "b4", or one of 295 more.',
  );
  expect(comparison.changes).toHaveLength(900);
});

test("a document that is not a card is not compared", () => {
  expect(compareCards(base, [])).toEqual({
    is: "unreadable",
    which: "new",
    because: "$: the document is an array; an Agent Card is one JSON object",
  });
  expect(compareCards({ hello: "world" }, base)).toMatchObject({ is: "unreadable", which: "old" });
  expect(compareCards({ name: "NotFoundError", message: "gone" }, base)).toMatchObject({
    is: "unreadable",
    which: "old",
    because: expect.stringContaining("is required and missing"),
  });
});

function reverse(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverse).reverse();
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, each]) => [name, reverse(each)])
      .reverse(),
  );
}
