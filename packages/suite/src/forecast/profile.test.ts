import { expect, test } from "vitest";
import type { ExchangeRecorded, RunEvent } from "../report/events.ts";
import { result } from "../report/run.fixture.ts";
import type { VerdictName } from "../report/verdict.ts";
import { profileOf, readProfile, whyNoProfile } from "./profile.ts";

const on = { url: "http://127.0.0.1:1", dialect: "1.0", binding: "JSONRPC" };
const client = { name: "example", version: "1.0.0" };

const started: RunEvent = {
  event: "run-started",
  subject: "client",
  run: "r",
  at: "2026-11-18T08:00:00.000Z",
  tool: { name: "assay", version: "0.1.0" },
  ruleSet: "1.0",
  agentUrl: "example",
  depth: "full",
  strict: false,
};

interface Ended {
  readonly output?: string;
  readonly errors?: string;
  readonly exit?: number;
  readonly ended?: "done" | "declined" | "time-over" | "not-started";
  readonly accepted?: number;
  readonly requests?: number;
}

const finished = (
  situation: string,
  { output = "", errors = "", exit = 0, ended = "done", accepted = 1, requests = 1 }: Ended,
): RunEvent => ({
  event: "situation-finished",
  situation,
  interface: on,
  ended,
  requests,
  accepted,
  runs: [{ exit, output, errors, dropped: 0, duration_ms: 1 }],
});

const called = (during: string, operation: string): ExchangeRecorded => ({
  event: "exchange",
  id: `x-${during}`,
  operation,
  interface: on,
  during,
  entry: {} as never,
});

const fine = [
  started,
  called("send", "SendMessage"),
  finished("send", { output: "the word is 7Q4M" }),
  finished("task", { output: "the artifact says K2V9" }),
];
const measuredIn = (...more: readonly RunEvent[]) => profileOf([...fine, ...more], client);

test("it names the client, the day and the interfaces on which the agent accepted a message", () => {
  expect(measuredIn()).toMatchObject({
    client,
    measured: "2026-11-18",
    speaks: ["1.0 JSONRPC"],
    notSpoken: [],
    sends: { "1.0 JSONRPC": ["SendMessage"] },
    abilities: { message: [{ is: "yes", on: ["1.0 JSONRPC"] }], task: [{ is: "yes" }] },
  });
});

test("an ability without a situation is not in it", () => {
  expect(Object.keys(measuredIn().abilities)).toEqual(["message", "task"]);
});

test("success without the text is lost, an error is no, and a question may come with an error", () => {
  expect(
    measuredIn(
      finished("status-text", { output: "completed" }),
      finished("parts", { exit: 1, errors: "Traceback\nValueError: bad part at 127.0.0.1:4711" }),
      finished("asks-back", { exit: 1, errors: "input required: For how many?" }),
    ).abilities,
  ).toMatchObject({
    "status-text": [{ is: "lost", saw: "last line printed: completed" }],
    files: [{ is: "no", saw: "ValueError: bad part at 127.0.0.1" }],
    "input-required": [{ is: "yes" }],
  });
});

test("text that arrives with other white space is altered, not lost", () => {
  const altered = measuredIn(finished("status-text", { output: "the status\nsays T6 B3" }));
  expect(altered.abilities["status-text"]).toMatchObject([{ is: "altered" }]);
});

test("an unfinished task that the caller sees in its state is not lost", () => {
  const early = (output: string) => measuredIn(finished("early-task", { output })).abilities["early-task"];
  expect(early("TaskState.submitted")).toMatchObject([
    { is: "unfinished", saw: "last line printed: TaskState.submitted" },
  ]);
  expect(early("end_turn")).toMatchObject([{ is: "lost" }]);
  const asked = "TASK_STATE_AUTH_REQUIRED\nAgree to it, and I go on.";
  expect(measuredIn(finished("authorisation", { output: asked })).abilities["auth-required"]).toMatchObject([
    { is: "unfinished" },
  ]);
});

test("extensions count only if the client requests them", () => {
  const output = "the word is 7Q4M";
  const requested = (name: string): RunEvent => ({
    ...called("extensions", "SendMessage"),
    entry: { request: { headers: [{ name, value: "urn:x" }] } } as never,
  });
  const extended = (name: string) =>
    measuredIn(requested(name), finished("extensions", { output })).abilities.extensions;
  expect(extended("a2a-extensions")).toMatchObject([{ is: "yes" }]);
  expect(extended("X-A2A-Extensions")).toMatchObject([{ is: "yes" }]);
  expect(extended("accept")).toMatchObject([{ is: "unknown", saw: "the client did not request the extensions" }]);
});

const broke = (rule: string, verdict: VerdictName = "fail"): RunEvent => ({
  event: "check-finished",
  result: result(rule, { verdict, interface: on }),
});

test("a client without A2A-Version is known as such, although Assay's agents accept its messages", () => {
  expect(measuredIn(broke("VER-001"))).toMatchObject({ speaks: ["1.0 JSONRPC"], unversioned: ["1.0 JSONRPC"] });
  expect(measuredIn(broke("VER-001", "pass"))).not.toHaveProperty("unversioned");
});

test("a client that omits the tenant does not work with tenants, although it gets an answer", () => {
  const sent = (url: string, postData?: object): RunEvent => ({
    ...called("tenant", "SendMessage"),
    entry: { request: { url, postData } } as never,
  });
  const tenant = (call: RunEvent) =>
    measuredIn(call, finished("tenant", { output: "the word is 7Q4M" })).abilities.tenant;
  const body = '{"params":{"tenant":"acme-7"}}';
  expect(tenant(sent("http://127.0.0.1:1/acme-7/message:send"))).toMatchObject([{ is: "yes" }]);
  expect(tenant(sent("http://127.0.0.1:1/", { text: body }))).toMatchObject([{ is: "yes" }]);
  expect(tenant(sent("http://127.0.0.1:1/", { text: btoa(body), _encoding: "base64" }))).toMatchObject([{ is: "yes" }]);
  expect(tenant(sent("http://127.0.0.1:1/", { text: "{}" }))).toMatchObject([
    { is: "unknown", saw: "the client does not name the tenant" },
  ]);
});

test.each([
  ["was not started", { ended: "not-started" }],
  ["had no time", { ended: "time-over" }],
  ["was declined", { ended: "declined" }],
  ["sent nothing", { requests: 0 }],
] as const)("an interface is not called unspoken if the client %s", (_what, ending) => {
  const events = [started, finished("send", { exit: 1, accepted: 0, ...ending })];
  expect(profileOf(events, client)).toMatchObject({ speaks: [], notSpoken: [] });
});

const over = (ending: "done" | "interrupted"): RunEvent => ({
  event: "run-finished",
  at: "2026-11-18T08:00:01.000Z",
  ending,
  duration_ms: 1,
  workingMessages: 0,
});

test.each([
  ["of a client that spoke", [...fine, over("done")], undefined],
  [
    "of a client that the agent rejected",
    [started, finished("send", { exit: 1, accepted: 0 }), over("done")],
    undefined,
  ],
  ["of an interrupted run", [...fine, over("interrupted")], "the run was interrupted"],
  ["of a run that was cut off", fine, "the run was interrupted"],
  [
    "of a command that does not start",
    [started, finished("send", { ended: "not-started", accepted: 0, requests: 0 }), over("done")],
    "the command could not be started",
  ],
  [
    "of a command that sends nothing",
    [started, finished("send", { accepted: 0, requests: 0 }), over("done")],
    "the client sent no request",
  ],
])("a profile %s", (_what, events, because) => {
  expect(whyNoProfile(events)).toBe(because);
});

test("a profile is read again, and anything else is not", () => {
  const profile = measuredIn();
  const read = (json: unknown) => readProfile(JSON.parse(JSON.stringify(json)));
  expect(read(profile)).toEqual(profile);
  expect(read({ ...profile, more: 1 })).toMatchObject({ client });
  for (const member of ["profile", "client", "measured", "tool", "speaks", "notSpoken", "sends", "abilities"])
    expect(read({ ...profile, [member]: undefined })).toBeUndefined();
  for (const wrong of [
    { client: { name: "example" } },
    { speaks: [1] },
    { unversioned: "1.0 JSONRPC" },
    { sends: { "1.0 JSONRPC": "SendMessage" } },
    { abilities: { task: { is: "yes" } } },
    { abilities: { task: [{ is: "perhaps", on: [] }] } },
    { abilities: { task: [{ is: "yes" }] } },
  ])
    expect(read({ ...profile, ...wrong })).toBeUndefined();
  expect(read([])).toBeUndefined();
});

test("nothing is claimed of a declined situation, or where a simpler one fails", () => {
  const { abilities } = profileOf(
    [
      started,
      finished("send", { output: "the word is 7Q4M" }),
      finished("task", { exit: 1, errors: "no tasks" }),
      finished("parts", { exit: 1, errors: "no tasks" }),
      finished("login", { ended: "declined" }),
    ],
    client,
  );
  expect(abilities).toMatchObject({
    task: [{ is: "no" }],
    files: [{ is: "unknown", saw: 'the client does not pass the simpler situation "task"' }],
    login: [{ is: "unknown", saw: "the program around the client does not do this" }],
  });
});

test("a stream is measured only if the client called the streaming operation", () => {
  const streamed = finished("stream", { output: "streamed R8W1" });
  expect(measuredIn(streamed).abilities.streaming).toMatchObject([{ is: "unknown" }]);
  expect(measuredIn(called("stream", "SendStreamingMessage"), streamed).abilities.streaming).toMatchObject([
    { is: "yes" },
  ]);
});

test("a client that never prints an answer loses nothing", () => {
  const silent = [started, finished("send", {}), finished("status-text", {})];
  expect(profileOf(silent, client).abilities).toMatchObject({
    message: [{ is: "lost", saw: "printed nothing" }],
    "status-text": [{ is: "unknown" }],
  });
});

test("interfaces on which the agent accepted nothing are not spoken, and nothing is measured there", () => {
  const refused = [started, finished("send", { exit: 1, errors: "unsupported version", accepted: 0 })];
  expect(profileOf(refused, client)).toMatchObject({ speaks: [], notSpoken: ["1.0 JSONRPC"], abilities: {} });
});
