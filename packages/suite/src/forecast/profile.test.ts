import { expect, test } from "vitest";
import type { RunEvent } from "../report/events.ts";
import { profileOf } from "./profile.ts";

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
  readonly ended?: "done" | "declined" | "time-over";
  readonly accepted?: number;
}

const finished = (
  situation: string,
  { output = "", errors = "", exit = 0, ended = "done", accepted = 1 }: Ended,
): RunEvent => ({
  event: "situation-finished",
  situation,
  interface: on,
  ended,
  requests: 1,
  accepted,
  runs: [{ exit, output, errors, dropped: 0, duration_ms: 1 }],
});

const called = (during: string, operation: string): RunEvent => ({
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
    "status-text": [{ is: "lost", saw: "printed only: completed" }],
    files: [{ is: "no", saw: "ValueError: bad part at 127.0.0.1" }],
    "input-required": [{ is: "yes" }],
  });
});

test("text that arrives with other white space is altered, not lost", () => {
  const altered = measuredIn(finished("status-text", { output: "the status\nsays T6 B3" }));
  expect(altered.abilities["status-text"]).toMatchObject([{ is: "altered" }]);
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
    login: [{ is: "unknown", saw: "the client has no call for this" }],
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
