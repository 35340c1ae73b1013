import { describe, expect, test } from "vitest";
import { adviceOf } from "./advice.ts";
import { forecastOf } from "./forecast.ts";
import type { ClientProfile } from "./profile.ts";
import type { AgentTraits } from "./traits.ts";

const agent: AgentTraits = {
  interfaces: [{ on: "1.0 JSONRPC", elsewhere: false, tenant: false, repeated: false }],
  listsOtherVersion: false,
  cardAt: "agent-card.json",
  belowPath: false,
  hasOlderForm: false,
  namesVersion: true,
  streaming: true,
  login: "none",
  hasSkillLogin: false,
  requiredExtensions: [],
  answers: { SendMessage: [["task"]], SendStreamingMessage: [["task"]] },
  splitsEvents: [],
  also: [],
  broken: [],
  requiresVersion: [],
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

const offering = (...names: readonly string[]): AgentTraits["interfaces"] =>
  names.map((each) => ({ on: each, elsewhere: false, tenant: false, repeated: false }));

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

  test("fails on a version that Assay offered and the client does not speak", () => {
    expect(said({ interfaces: offering("0.3 JSONRPC") }, { notSpoken: ["0.3 JSONRPC"] })).toBe(
      "fails: your agent offers 0.3 over JSON-RPC, and it speaks 1.0 over JSON-RPC",
    );
  });

  test("stays unknown on an interface that Assay never offered to the client", () => {
    const unmeasured = "unknown: it was not measured with 1.0 over HTTP+JSON";
    expect(said({ interfaces: offering("1.0 HTTP+JSON") })).toBe(unmeasured);
    expect(said({ interfaces: offering("1.0 HTTP+JSON") }, { speaks: [] })).toBe(unmeasured);
    const both = able({ "with-other-http": [{ is: "yes", on }] });
    expect(said({ interfaces: offering("1.0 JSONRPC", "1.0 HTTP+JSON") }, both)).toBe(
      "unknown: it was not measured with 1.0 over HTTP+JSON, and Assay does not know which interface it chooses",
    );
    expect(
      said({ interfaces: offering("1.0 JSONRPC", "1.0 HTTP+JSON") }, { ...both, notSpoken: ["1.0 HTTP+JSON"] }),
    ).toBe("works");
  });

  test("fails where the client cannot use the card, with what was seen", () => {
    const traits = { interfaces: [{ on: "1.0 JSONRPC", elsewhere: true, tenant: false, repeated: false }] };
    const profile = able({ "card-elsewhere": [{ is: "no", on, saw: "Error: another origin" }] });
    expect(said(traits, profile)).toBe(
      "fails: it fails on interfaces on another port than the card (Error: another origin)",
    );
  });

  test("fails if the client loses every ordinary answer, and has limits if it loses some", () => {
    const profile = able({ "early-task": [{ is: "lost", on }] });
    const lost = "it loses unfinished tasks without an error";
    expect(said({ answers: { SendMessage: [["early-task"]] } }, profile)).toBe(`fails: ${lost}`);
    expect(said({ answers: { SendMessage: [["early-task"], ["message"]] } }, profile)).toBe(
      `works with limits: ${lost}`,
    );
  });

  test("says that the client hands out unfinished tasks where it shows their state", () => {
    const profile = able({ "early-task": [{ is: "unfinished", on }], "auth-required": [{ is: "unfinished", on }] });
    expect(said({ answers: { SendMessage: [["early-task"]] } }, profile)).toBe(
      "fails: it hands unfinished tasks to its caller, and does not wait for the result",
    );
    expect(said({ also: ["auth-required"] }, profile)).toBe(
      "works with limits: it hands tasks that wait for authorisation to its caller, and does not wait for the result",
    );
  });

  test("has limits where the agent also does what the client cannot show", () => {
    expect(said({ also: ["input-required"] }, able({ "input-required": [{ is: "lost", on }] }))).toBe(
      "works with limits: it loses questions of the agent (input-required) without an error",
    );
  });

  test("has limits where the client reads a question, and its answer never reaches the task", () => {
    const asking = { also: ["input-required"] } as const;
    const question = { "input-required": [{ is: "yes", on }] } as const;
    expect(said(asking, able({ ...question, conversation: [{ is: "lost", on }] }))).toBe(
      "works with limits: it loses answers to questions of the agent without an error",
    );
    expect(said(asking, able({ ...question, conversation: [{ is: "yes", on }] }))).toBe("works");
    expect(said(asking, able(question))).toBe("unknown: it was not measured with answers to questions of the agent");
  });

  test("doesn't take what a client loses in streams for what it loses in responses", () => {
    const sends = { "1.0 JSONRPC": ["SendStreamingMessage"] };
    const abilities = {
      "without-streaming": [{ is: "yes", on }],
      "input-required": [{ is: "lost", on }],
      "early-task": [{ is: "lost", on }],
    } as const;
    const asking = { also: ["input-required"], answers: { SendMessage: [["input-required"]] } } as const;
    const streamed = { also: ["input-required"], answers: { SendStreamingMessage: [["input-required"]] } } as const;
    const early = { streaming: false, answers: { SendMessage: [["early-task"]] } } as const;
    expect(said(streamed, { ...able(abilities), sends })).toMatch(/^fails: it loses questions/);
    expect(said({ ...asking, streaming: false }, { ...able(abilities), sends })).toBe(
      "unknown: it was not measured with questions of the agent (input-required) (only in streams)",
    );
    expect(said({ ...asking, streaming: false }, able(abilities))).toMatch(/^fails: it loses questions/);
    expect(said(early, { ...able(abilities), sends })).toMatch(/^fails: it loses unfinished tasks/);
  });

  test("counts the question of an agent that always asks back as its answer", () => {
    const asking = { answers: { SendMessage: [["input-required"]] }, also: ["input-required"] } as const;
    const conversation = [{ is: "yes", on }] as const;
    expect(said(asking, able({ "input-required": [{ is: "yes", on }], conversation }))).toBe("works");
    expect(said(asking, able({ "input-required": [{ is: "lost", on }], conversation }))).toBe(
      "fails: it loses questions of the agent (input-required) without an error",
    );
    expect(said(asking)).toMatch(/^unknown: /);
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
    expect(said({ answers }, profile)).toBe("fails: it fails on unfinished tasks");
    expect(said({ answers }, streaming)).toBe("works");
    expect(said({ answers, streaming: false }, streaming)).toMatch(/^fails/);
  });

  test.each([
    ["an ability that was not measured", { answers: { SendMessage: [["status-text"]] } }],
    ["an agent that answered no message", { answers: {} }],
    ["a card at an unusual path", { cardAt: "other" }],
    ["an extension that the agent requires", { requiredExtensions: ["urn:x"] }],
    ["a login that was not measured", { login: "bearer" }],
    ["a question back that was not measured", { also: ["input-required"] }],
    ["two interfaces of one version and binding", { interfaces: [{ ...agent.interfaces[0]!, repeated: true }] }],
    ["an interface of another version, as 1.1", { listsOtherVersion: true }],
    ["a skill that requires a login", { hasSkillLogin: true }],
    ["files in a message, which no situation has", { also: ["other-files"] }],
    [
      "an ability that was not measured, if the agent also omits artifacts",
      { answers: { SendMessage: [["task"], ["status-text"]] }, broken: [{ rule: "SEND-011" }] },
    ],
    ["a broken rule on the path", { broken: [{ rule: "DATA-003", operation: "SendMessage", on: "1.0 JSONRPC" }] }],
    ["no known interface", { interfaces: [] }],
  ] as const satisfies readonly (readonly [string, Partial<AgentTraits>])[])(
    "stays unknown with %s",
    (_what, traits) => {
      expect(said(traits)).toMatch(/^unknown: /);
    },
  );

  test("takes what was measured with a bearer token for no other login", () => {
    const profile = able({ login: [{ is: "yes", on }] });
    expect(said({ login: "bearer" }, profile)).toBe("works");
    expect(said({ login: "optional" }, profile)).toBe("works");
    expect(said({ login: "other" }, profile)).toBe(
      "unknown: it was not measured with agents that require another login than a bearer token",
    );
    const unable = able({ login: [{ is: "no", on }] });
    expect(said({ login: "bearer" }, unable)).toMatch(/^fails/);
    expect(said({ login: "optional" }, unable)).toBe("unknown: it was not measured with an optional login");
    expect(said({ login: "other" }, unable)).toMatch(/^unknown/);
    expect(said({ hasSkillLogin: true }, profile)).toBe("works");
    expect(said({ hasSkillLogin: true }, unable)).toBe("unknown: it was not measured with skills that require a login");
  });

  test("has limits if the caller must activate an extension", () => {
    const requiredExtensions = ["urn:x"];
    expect(said({ requiredExtensions }, able({ extensions: [{ is: "yes", on }] }))).toBe(
      "works with limits: its caller must activate the extension urn:x",
    );
    expect(said({ requiredExtensions }, able({ extensions: [{ is: "no", on }] }))).toBe(
      "fails: it fails on extensions",
    );
  });

  test("names what was not measured beside a limit", () => {
    expect(said({ also: ["input-required", "files"] }, able({ "input-required": [{ is: "lost", on }] }))).toBe(
      "works with limits: it loses questions of the agent (input-required) without an error; it was not measured with artifacts with files and data",
    );
  });

  test("needs everything that one answer needs", () => {
    const profile = able({ chunks: [{ is: "yes", on }], "open-artifact": [{ is: "lost", on }] });
    expect(said({ answers: { SendMessage: [["chunks", "open-artifact"]] } }, profile)).toBe(
      "fails: it loses streamed artifacts without lastChunk without an error",
    );
  });

  test("stays unknown if the agent splits events, and the client does not read all forms of events", () => {
    const streams = (abilities: ClientProfile["abilities"]) => ({
      ...able(abilities),
      sends: { "1.0 JSONRPC": ["SendStreamingMessage"] },
    });
    const split = { splitsEvents: on };
    expect(said(split, streams({ "odd-events": [{ is: "yes", on }] }))).toBe("works");
    expect(said(split, streams({ "odd-events": [{ is: "no", on, saw: "Error" }] }))).toBe(
      "unknown: your agent writes stream events over several data lines, and it fails on unusual server-sent events (Error)",
    );
    expect(said(split, streams({}))).toMatch(/^unknown: your agent writes .* not measured with unusual/);
    expect(said(split)).toBe("works");
    expect(said({ splitsEvents: ["0.3 JSONRPC"] }, streams({}))).toBe("works");
  });

  test("stays unknown for a client with malformed messages only if the agent accepts such messages", () => {
    const malformed = { speaks: [], notSpoken: on };
    expect(said({}, malformed)).toMatch(/^fails: /);
    expect(said({ isLenient: true }, malformed)).toMatch(/^unknown: its messages are malformed/);
  });

  test("never works for a client without A2A-Version, and fails if the agent demands it", () => {
    expect(said({ requiresVersion: on }, { unversioned: on })).toBe(
      "fails: it sends no A2A-Version, and your agent rejects such requests",
    );
    expect(said({}, { unversioned: on })).toMatch(/^unknown: it sends no A2A-Version/);
    expect(said({ requiresVersion: ["1.0 GRPC"] }, { unversioned: on })).toMatch(/^unknown: /);
    expect(said({ requiresVersion: on })).toBe("works");
    expect(said({ requiresVersion: on }, { unversioned: ["1.0 GRPC"] })).toBe("works");
  });

  test("stays unknown if the card names no version, and the client speaks an older one", () => {
    const interfaces = offering("0.2 JSONRPC");
    const notSpoken = ["0.2 JSONRPC"];
    expect(said({ interfaces, namesVersion: false }, { speaks: ["0.3 JSONRPC"], notSpoken })).toMatch(
      /^unknown: your card names/,
    );
    expect(said({ interfaces, namesVersion: false }, { notSpoken })).toMatch(/^fails: /);
  });

  test("takes no notice of a rule that the agent breaks elsewhere", () => {
    expect(said({ broken: [{ rule: "STREAM-003", operation: "SendStreamingMessage", on: "1.0 JSONRPC" }] })).toBe(
      "works",
    );
  });

  describe("with several interfaces, of which the client may choose any,", () => {
    const both = ["1.0 JSONRPC", "1.0 HTTP+JSON"];
    const speaksBoth = (abilities: ClientProfile["abilities"]): Partial<ClientProfile> => ({
      speaks: both,
      abilities: { "with-other-http": [{ is: "yes", on: both }], ...abilities },
    });
    const yes = { is: "yes", on } as const;

    test.each([
      ["1.0 JSONRPC", "1.0 HTTP+JSON"],
      ["1.0 HTTP+JSON", "1.0 JSONRPC"],
    ])("stays unknown if one fails (%s first)", (...names) => {
      const profile = speaksBoth({ task: [yes, { is: "no", on: ["1.0 HTTP+JSON"] }] });
      expect(said({ interfaces: offering(...names) }, profile)).toBe(
        "unknown: with 1.0 over HTTP+JSON it fails on artifacts of tasks, and Assay does not know which interface it chooses",
      );
    });

    test.each([
      ["1.0 JSONRPC", "1.0 HTTP+JSON"],
      ["1.0 HTTP+JSON", "1.0 JSONRPC"],
    ])("stays unknown if one is unknown (%s first)", (...names) => {
      expect(said({ interfaces: offering(...names) }, speaksBoth({ task: [yes] }))).toBe(
        "unknown: with 1.0 over HTTP+JSON it was not measured with artifacts of tasks, and Assay does not know which interface it chooses",
      );
    });

    test("takes what it measured of the way to the card for all of them", () => {
      const profile = speaksBoth({ task: [yes], "below-path": [{ is: "no", on, saw: "404" }] });
      const interfaces = offering("1.0 JSONRPC", "1.0 GRPC");
      expect(said({ interfaces, belowPath: true }, { ...profile, speaks: ["1.0 JSONRPC", "1.0 GRPC"] })).toBe(
        "fails: it fails on addresses with a path (404)",
      );
    });

    test("fails if it cannot read a card that lists gRPC, in whatever version", () => {
      const speaks = ["1.0 JSONRPC", "0.3 JSONRPC"];
      const withGrpc = { is: "no", on: speaks, saw: "no scheme" } as const;
      const listed = { is: "yes", on: speaks } as const;
      const profile = able({ task: [listed], "with-grpc": [withGrpc], "listed-older": [listed] });
      expect(
        said(
          { interfaces: offering("1.0 JSONRPC", "1.0 GRPC", "0.3 JSONRPC") },
          { ...profile, speaks, notSpoken: ["1.0 GRPC"] },
        ),
      ).toBe("fails: it fails on cards that list gRPC, too (no scheme)");
    });

    test("works if all work, has the limits of one, and fails if all fail", () => {
      const interfaces = offering(...both);
      expect(said({ interfaces }, speaksBoth({ task: [{ is: "yes", on: both }] }))).toBe("works");
      expect(said({ interfaces }, speaksBoth({ task: [yes, { is: "altered", on: ["1.0 HTTP+JSON"] }] }))).toBe(
        "works with limits: it changes the white space in artifacts of tasks",
      );
      expect(said({ interfaces }, speaksBoth({ task: [{ is: "no", on: both }] }))).toBe(
        "fails: it fails on artifacts of tasks",
      );
    });
  });
});

describe("advice", () => {
  test("counts the clients that a change would gain, most first", () => {
    const older = {
      ...client,
      speaks: ["0.3 JSONRPC"],
      notSpoken: on,
      sends: { "0.3 JSONRPC": ["SendMessage"] },
      abilities: {
        task: [{ is: "yes", on: ["0.3 JSONRPC"] }],
        "listed-older": [{ is: "no", on: ["0.3 JSONRPC"], saw: "no url" }],
        "both-versions": [{ is: "yes", on: ["0.3 JSONRPC"] }],
      },
    } as const satisfies ClientProfile;
    const newer = { ...client, notSpoken: ["0.3 JSONRPC"], ...able({ "both-versions": [{ is: "yes", on }] }) };
    expect(adviceOf(agent, [newer, older, older])).toEqual([
      {
        change:
          "Serve 0.3 over JSON-RPC, and declare it on the card, also as url, preferredTransport and protocolVersion",
        gains: 2,
      },
    ]);
  });

  test("shows how clients of 0.3 find an interface that the card lists in the form of 1.0", () => {
    const older = {
      ...client,
      speaks: ["0.3 JSONRPC"],
      notSpoken: on,
      sends: { "0.3 JSONRPC": ["SendMessage"] },
      abilities: {
        task: [{ is: "yes", on: ["0.3 JSONRPC"] }],
        "listed-older": [{ is: "no", on: ["0.3 JSONRPC"], saw: "no url" }],
        "both-versions": [{ is: "yes", on: ["0.3 JSONRPC"] }],
      },
    } as const satisfies ClientProfile;
    const interfaces = [...agent.interfaces, { on: "0.3 JSONRPC", elsewhere: false, tenant: false, repeated: false }];
    expect(adviceOf({ ...agent, interfaces }, [older])).toEqual([
      {
        change: "Add url, preferredTransport and protocolVersion of 0.3 to the card, besides supportedInterfaces",
        gains: 1,
      },
    ]);
  });

  test("counts no client that may work already, and takes off those that a change loses", () => {
    const interfaces = offering("1.0 JSONRPC", "1.0 GRPC");
    const notSpoken = ["1.0 GRPC", "0.3 JSONRPC"];
    const refuses = {
      ...client,
      notSpoken,
      abilities: { ...client.abilities, "with-grpc": [{ is: "no", on }] },
    } as const;
    const unmeasured = { ...client, notSpoken };
    const change = "List gRPC on a card of its own";
    expect(adviceOf({ ...agent, interfaces }, [refuses, unmeasured])).toEqual([{ change, gains: 1 }]);
    const overGrpc = {
      ...client,
      speaks: ["1.0 GRPC"],
      notSpoken: [...on, "0.3 JSONRPC"],
      sends: { "1.0 GRPC": ["SendMessage"] },
      abilities: { task: [{ is: "yes", on: ["1.0 GRPC"] }] },
    } as const;
    expect(adviceOf({ ...agent, interfaces }, [refuses, refuses, overGrpc])).toEqual([{ change, gains: 1 }]);
    expect(adviceOf({ ...agent, interfaces }, [refuses, overGrpc])).toEqual([]);
  });

  test("says nothing where nothing is to gain", () => {
    expect(adviceOf(agent, [client])).toEqual([]);
  });
});
