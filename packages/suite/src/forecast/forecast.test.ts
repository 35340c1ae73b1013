import { describe, expect, test } from "vitest";
import { adviceOf } from "./advice.ts";
import { forecastOf } from "./forecast.ts";
import type { ClientProfile } from "./profile.ts";
import type { AgentTraits } from "./traits.ts";

const agent: AgentTraits = {
  interfaces: [{ on: "1.0 JSONRPC", elsewhere: false, tenant: false }],
  cardAt: "agent-card.json",
  belowPath: false,
  hasOlderForm: false,
  namesVersion: true,
  streaming: true,
  needsLogin: false,
  requiredExtensions: [],
  answers: { SendMessage: [["task"]], SendStreamingMessage: [["task"]] },
  also: [],
  broken: [],
  isLenient: false,
};

const on = ["1.0 JSONRPC"];
const client: ClientProfile = {
  profile: 1,
  client: { name: "example", version: "1.0.0" },
  measured: "2026-11-18",
  tool: { name: "assay", version: "0.1.0" },
  speaks: on,
  notSpoken: [],
  sends: { "1.0 JSONRPC": ["SendMessage"] },
  abilities: { message: [{ is: "yes", on }], task: [{ is: "yes", on }] },
};

function said(traits: Partial<AgentTraits>, profile: Partial<ClientProfile> = {}): string {
  const { verdict, because } = forecastOf({ ...agent, ...traits }, [{ ...client, ...profile }])[0]!;
  return because === "" ? verdict : `${verdict}: ${because}`;
}

const able = (more: ClientProfile["abilities"]): Partial<ClientProfile> => ({
  abilities: { ...client.abilities, ...more },
});

describe("a forecast", () => {
  test("works where the client has every ability that the agent needs", () => {
    expect(said({})).toBe("works");
  });

  test("fails on a version that the client does not speak", () => {
    expect(said({ interfaces: [{ on: "0.3 JSONRPC", elsewhere: false, tenant: false }] })).toBe(
      "fails: your agent offers 0.3 over JSON-RPC, and it speaks 1.0 over JSON-RPC",
    );
  });

  test("fails where the client cannot use the card, with what was seen", () => {
    const traits = { interfaces: [{ on: "1.0 JSONRPC", elsewhere: true, tenant: false }] };
    const profile = able({ "card-elsewhere": [{ is: "no", on, saw: "Error: another origin" }] });
    expect(said(traits, profile)).toBe(
      "fails: it fails on interfaces on another port than the card (Error: another origin)",
    );
  });

  test("fails if the client loses every ordinary answer, and has limits if it loses some", () => {
    const profile = able({ "early-task": [{ is: "lost", on }] });
    const lost = "it loses tasks that are returned before they end without an error";
    expect(said({ answers: { SendMessage: [["early-task"]] } }, profile)).toBe(`fails: ${lost}`);
    expect(said({ answers: { SendMessage: [["early-task"], ["message"]] } }, profile)).toBe(
      `works with limits: ${lost}`,
    );
  });

  test("has limits where the agent also does what the client cannot show", () => {
    expect(said({ also: ["input-required"] }, able({ "input-required": [{ is: "lost", on }] }))).toBe(
      "works with limits: it loses questions of the agent (input-required) without an error",
    );
  });

  test("has limits where the client changes the white space of the text", () => {
    expect(said({ answers: { SendMessage: [["chunks"]] } }, able({ chunks: [{ is: "altered", on }] }))).toBe(
      "works with limits: it changes the white space in artifacts in chunks",
    );
  });

  test("reads the answers of the operation that the client uses", () => {
    const answers = { SendMessage: [["early-task"]], SendStreamingMessage: [["task"]] } as const;
    const profile = able({ "early-task": [{ is: "no", on }], "without-streaming": [{ is: "yes", on }] });
    const streaming = { ...profile, sends: { "1.0 JSONRPC": ["SendStreamingMessage"] } };
    expect(said({ answers }, profile)).toBe("fails: it fails on tasks that are returned before they end");
    expect(said({ answers }, streaming)).toBe("works");
    expect(said({ answers, streaming: false }, streaming)).toMatch(/^fails/);
  });

  test.each([
    ["an ability that was not measured", { answers: { SendMessage: [["status-text"]] } }],
    ["an agent that answered no message", { answers: {} }],
    ["a card at an unusual path", { cardAt: "other" }],
    ["an extension that the agent requires", { requiredExtensions: ["urn:x"] }],
    ["a login that was not measured", { needsLogin: true }],
    ["a broken rule on the path", { broken: [{ rule: "DATA-003", operation: "SendMessage", on: "1.0 JSONRPC" }] }],
    ["no known interface", { interfaces: [] }],
  ] as const satisfies readonly (readonly [string, Partial<AgentTraits>])[])(
    "stays unknown with %s",
    (_what, traits) => {
      expect(said(traits)).toMatch(/^unknown: /);
    },
  );

  test("needs everything that one answer needs", () => {
    const profile = able({ chunks: [{ is: "yes", on }], "open-artifact": [{ is: "lost", on }] });
    expect(said({ answers: { SendMessage: [["chunks", "open-artifact"]] } }, profile)).toBe(
      "fails: it loses streamed artifacts without lastChunk without an error",
    );
  });

  test("stays unknown for a client with malformed messages only if the agent accepts such messages", () => {
    expect(said({}, { speaks: [] })).toMatch(/^fails: /);
    expect(said({ isLenient: true }, { speaks: [] })).toMatch(/^unknown: its messages are malformed/);
  });

  test("stays unknown if the card names no version, and the client speaks an older one", () => {
    const interfaces = [{ on: "0.2 JSONRPC", elsewhere: false, tenant: false }];
    expect(said({ interfaces, namesVersion: false }, { speaks: ["0.3 JSONRPC"] })).toMatch(/^unknown: your card names/);
    expect(said({ interfaces, namesVersion: false })).toMatch(/^fails: /);
  });

  test("takes no notice of a rule that the agent breaks elsewhere", () => {
    expect(said({ broken: [{ rule: "STREAM-003", operation: "SendStreamingMessage", on: "1.0 JSONRPC" }] })).toBe(
      "works",
    );
  });

  test("stays unknown if another interface, which the client may choose, fails", () => {
    const both = ["1.0 JSONRPC", "1.0 HTTP+JSON"];
    const interfaces = both.map((each) => ({ on: each, elsewhere: false, tenant: false }));
    const profile = able({
      "with-other-http": [{ is: "yes", on: both }],
      task: [
        { is: "yes", on },
        { is: "no", on: ["1.0 HTTP+JSON"] },
      ],
    });
    expect(said({ interfaces }, { ...profile, speaks: both })).toMatch(/^unknown: with 1.0 over HTTP\+JSON it fails/);
  });
});

describe("advice", () => {
  test("counts the clients that a change would gain, most first", () => {
    const older = {
      ...client,
      speaks: ["0.3 JSONRPC"],
      sends: { "0.3 JSONRPC": ["SendMessage"] },
      abilities: {
        task: [{ is: "yes", on: ["0.3 JSONRPC"] }],
        "listed-older": [{ is: "yes", on: ["0.3 JSONRPC"] }],
      },
    } as const satisfies ClientProfile;
    expect(adviceOf(agent, [client, older, older])).toEqual([
      { change: "Serve 0.3 over JSON-RPC, and declare it on the card", gains: 2 },
    ]);
  });

  test("shows how clients of 0.3 find an interface that the card lists in the form of 1.0", () => {
    const older = {
      ...client,
      speaks: ["0.3 JSONRPC"],
      sends: { "0.3 JSONRPC": ["SendMessage"] },
      abilities: {
        task: [{ is: "yes", on: ["0.3 JSONRPC"] }],
        "listed-older": [{ is: "no", on: ["0.3 JSONRPC"], saw: "no url" }],
        "both-versions": [{ is: "yes", on: ["0.3 JSONRPC"] }],
      },
    } as const satisfies ClientProfile;
    const interfaces = [...agent.interfaces, { on: "0.3 JSONRPC", elsewhere: false, tenant: false }];
    expect(adviceOf({ ...agent, interfaces }, [older])).toEqual([
      {
        change: "Add url, preferredTransport and protocolVersion of 0.3 to the card, besides supportedInterfaces",
        gains: 1,
      },
    ]);
  });

  test("says nothing where nothing is to gain", () => {
    expect(adviceOf(agent, [client])).toEqual([]);
  });
});
