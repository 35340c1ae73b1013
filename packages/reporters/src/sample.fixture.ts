import {
  type ConformanceResult,
  foldRun,
  type HarEntry,
  type InterfaceName,
  type RunEvent,
  type VerdictName,
} from "@assay/suite/report";
import type { Run } from "./run.ts";

/** A plausible run: an agent with three interfaces, mostly right, and wrong in every way there is. */

const base = "http://127.0.0.1:9999";
const jsonrpc: InterfaceName = { url: `${base}/`, dialect: "1.0", binding: "JSONRPC" };
const rest: InterfaceName = { url: `${base}/v1`, dialect: "1.0", binding: "HTTP+JSON" };
const grpc: InterfaceName = { url: "http://127.0.0.1:9998", dialect: "1.0", binding: "GRPC" };
const everywhere = [jsonrpc, rest, grpc];

const specification = "https://a2a-protocol.org/v1.0.1/specification/";

const status = (verdict: VerdictName) => (verdict === "pass" || verdict === "fail" ? verdict : "skip");

type About = Partial<Omit<ConformanceResult, "test" | "category" | "title" | "section" | "status">>;

function line(
  test: string,
  category: ConformanceResult["category"],
  section: string,
  title: string,
  { verdict = "pass", ...about }: About = {},
): ConformanceResult {
  return {
    test,
    category,
    status: status(verdict),
    verdict,
    dialect: "1.0",
    level: "MUST",
    title,
    section,
    specUrl: `${specification}#${section.replaceAll(".", "")}`,
    duration_ms: 3 + (test.length % 5),
    evidence: [],
    ...about,
  };
}

const on = (
  interfaces: readonly InterfaceName[],
  ...[test, category, section, title, about]: Parameters<typeof line>
): ConformanceResult[] => interfaces.map((each) => line(test, category, section, title, { ...about, interface: each }));

const card = [
  line("CARD-001", "agent-card", "8.1", "a card is served at the well-known address", { evidence: ["x1"] }),
  line("CARD-004", "agent-card", "4.4.1", "the card names the agent, and describes it", { evidence: ["x1"] }),
  line("CARD-011", "agent-card", "4.4.6", "every interface has a URL, a binding and a version", { evidence: ["x1"] }),
  line("CACHE-001", "agent-card", "8.6.1", "the agent sends Cache-Control with a max-age for its card", {
    level: "SHOULD",
    warning: "no Cache-Control on the card",
    remedy: "Send Cache-Control: max-age=3600 with the card.",
    evidence: ["x1"],
  }),
  line("SIG-001", "agent-card", "8.4", "a signature of the card can be verified", {
    verdict: "not-applicable",
    message: "the card is not signed",
  }),
  line("XCARD-002", "agent-card", "3.1.11", "the extended card is given to callers that are known", {
    verdict: "not-examined",
    unexamined: "credentials",
    enable: "--bearer env:TOKEN",
    message: "no credentials were given",
  }),
];

const lifecycle = [
  ...on(everywhere, "SEND-001", "lifecycle", "3.1.1", "the answer to a message is a task or a message", {
    evidence: ["x2"],
    duration_ms: 6104,
  }),
  ...on(everywhere, "SEND-004", "lifecycle", "3.2.1", "a message with an empty list of parts is refused"),
  ...on(everywhere, "GET-001", "lifecycle", "3.1.3", "GetTask gives the task as it is", { evidence: ["x2", "x3"] }),
  ...on([jsonrpc, rest], "LIST-003", "lifecycle", "3.1.4", "every ListTasks answer carries nextPageToken", {
    verdict: "fail",
    message: "nextPageToken is missing on the last page",
    sent: '{"jsonrpc":"2.0","id":7,"method":"ListTasks","params":{"pageSize":50}}',
    saw: '{"tasks":[{"id":"9b1c…","contextId":"4f1d…","status":{"state":"TASK_STATE_COMPLETED"}}],"totalSize":1}',
    want: 'nextPageToken, "" on the last page',
    remedy:
      "Write the member even when it is the empty string; printers of ProtoJSON leave it out unless told to always print it.",
    repeat: `curl -s ${base}/ -H 'A2A-Version: 1.0' -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":7,"method":"ListTasks","params":{"pageSize":50}}'`,
    evidence: ["x4"],
    ambiguity: ["AMB-08"],
  }),
  line("LIST-003", "lifecycle", "3.1.4", "every ListTasks answer carries nextPageToken", {
    verdict: "not-applicable",
    interface: grpc,
    message: "absence cannot be seen over gRPC",
  }),
  ...on(everywhere, "LIST-012", "lifecycle", "3.1.4", "tasks are listed by the time of their last change"),
  ...on(everywhere, "CANCEL-001", "lifecycle", "3.1.5", "a working task can be cancelled", {
    verdict: "not-examined",
    unexamined: "depth",
    enable: "--depth full",
    message: "needs a task that works for some seconds",
  }),
  ...on(everywhere, "INTASK-002", "lifecycle", "3.4.3", "a task that asks back goes on when it is answered", {
    verdict: "not-examined",
    unexamined: "prompt",
    enable: "prompts.inputRequired in assay.yaml",
    message: "no prompt is known that makes the agent ask back",
  }),
  ...on(everywhere, "CTX-003", "lifecycle", "3.4.1", "an answer keeps the context of its message"),
];

const errors = [
  line("ERR-020", "error-handling", "5.4", "GetTask of an unknown task is TaskNotFound", {
    verdict: "fail",
    interface: jsonrpc,
    message: "GetTask answers -32603 for an unknown task",
    sent: '{"jsonrpc":"2.0","id":3,"method":"GetTask","params":{"id":"3f0c2b9e-7a51-4f53-9d0e-6f5f0c2f9a11"}}',
    saw: `{"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"KeyError: '3f0c2b9e-7a51-4f53-9d0e-6f5f0c2f9a11'"}}`,
    want: "error.code -32001 (TaskNotFound)",
    remedy: "Catch the lookup error in your GetTask handler and answer with TaskNotFoundError.",
    operation: "GetTask",
    answer: "-32603",
    place: { path: "$.error.code" },
    repeat: `curl -s ${base}/ -H 'A2A-Version: 1.0' -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":3,"method":"GetTask","params":{"id":"3f0c2b9e-7a51-4f53-9d0e-6f5f0c2f9a11"}}'`,
    evidence: ["x5"],
  }),
  ...on([rest, grpc], "ERR-020", "error-handling", "5.4", "GetTask of an unknown task is TaskNotFound"),
  ...["ERR-021", "ERR-022", "ERR-023"].flatMap((id, index) =>
    on(
      [jsonrpc],
      id,
      "error-handling",
      "5.4",
      `an unknown task is told apart, ${["cancel", "subscribe", "push"][index]}`,
      {
        verdict: "blocked",
        rootCause: "ERR-020",
        message: "unknown tasks cannot be told from errors of the agent",
      },
    ),
  ),
  ...on(everywhere, "ERR-004", "error-handling", "5.4", "a method nobody knows is refused as such"),
  line("ERR-012", "error-handling", "11.6", "errors of HTTP+JSON carry an ErrorInfo", {
    interface: rest,
    level: "SHOULD",
    warning: "the error has no details, so a client has to guess the reason from the status",
    evidence: ["x6"],
  }),
  line("ERR-017", "error-handling", "5.4", "an unsupported operation is refused as such", {
    interface: grpc,
    verdict: "error",
    message: "the connection was reset while we waited (ECONNRESET), three times",
  }),
];

const streams = [
  ...on(everywhere, "STREAM-001", "streaming", "3.1.2", "a stream is opened, and something arrives on it"),
  line("STREAM-003", "streaming", "3.1.2", "a stream opens with the task, or a message", {
    verdict: "fail",
    interface: rest,
    message: "the stream opens with a status update instead of the Task",
    sent: 'POST /v1/message:stream {"message":{"messageId":"…","role":"ROLE_USER","parts":[{"text":"Reply with the word OK."}]}}',
    saw: 'data: {"statusUpdate":{"taskId":"9b1c…","contextId":"4f1d…","status":{"state":"TASK_STATE_WORKING"}}}',
    want: "a first event with `task` or `message`",
    remedy: "Send the Task as the first event, followed by status and artifact updates.",
    repeat: `curl -sN ${base}/v1/message:stream -H 'A2A-Version: 1.0' -H 'Content-Type: application/json' -d @message.json`,
    operation: "SendStreamingMessage",
    place: { event: 0, path: "$" },
    evidence: ["x7"],
  }),
  ...on([jsonrpc, grpc], "STREAM-003", "streaming", "3.1.2", "a stream opens with the task, or a message"),
  ...on(everywhere, "STREAM-005", "streaming", "3.1.2", "the stream closes when the task has ended", {
    info: "closed 4 ms after the last event",
  }),
  ...on(everywhere, "SUB-002", "streaming", "3.1.6", "a subscription begins with the task as it is", {
    verdict: "not-examined",
    unexamined: "budget",
    enable: "--budget 20",
  }),
];

const others = [
  ...on(everywhere, "PUSH-001", "lifecycle", "3.1.7", "a webhook can be configured", {
    tags: ["push-notifications"],
    verdict: "not-applicable",
    message: "the card does not claim push notifications",
  }),
  ...on(
    everywhere,
    "VER-004",
    "error-handling",
    "3.6.2",
    "a version nobody knows is refused with the versions there are",
  ),
  line("AUTH-001", "error-handling", "7.3", "a caller without credentials is turned away", {
    tags: ["security"],
    verdict: "not-applicable",
    message: "the card asks for no credentials",
  }),
  line("SEC-004", "interop", "7.1", "a production deployment uses TLS", {
    tags: ["security"],
    verdict: "fail",
    message: "the card lists an http:// address",
    expected: "behind a gateway that ends TLS, see OPS-112",
    disputed: true,
    saw: '"url":"http://127.0.0.1:9999/"',
    want: "an https:// address",
    evidence: ["x1"],
  }),
  ...on(everywhere, "DATA-007", "lifecycle", "5.6.1", "times are ISO 8601 in UTC, with milliseconds"),
  line("JSONRPC-006", "interop", "9.3", "an answer carries the id of its request", { interface: jsonrpc }),
  line("REST-012", "interop", "11.3.2", "an unknown path is answered with 404", { interface: rest }),
  line("GRPC-003", "interop", "10.2", "the service is a2a.v1.A2AService", { interface: grpc }),
  line("BIND-002", "interop", "5.2", "a task made over one binding can be read over another", {
    warning: "the task was found, but without its history over gRPC",
    level: "SHOULD",
  }),
];

function entry(id: string, at: number, took: number, sent: Sent, answer: Answer): HarEntry {
  return {
    startedDateTime: new Date(Date.parse("2026-11-15T08:14:02.000Z") + at).toISOString(),
    time: took,
    request: {
      method: sent.method ?? "POST",
      url: sent.url,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: [
        { name: "A2A-Version", value: "1.0" },
        { name: "Authorization", value: "Bearer [masked]" },
        ...(sent.body === undefined ? [] : [{ name: "Content-Type", value: "application/json" }]),
      ],
      queryString: [],
      ...(sent.body !== undefined && { postData: { mimeType: "application/json", text: sent.body } }),
      headersSize: 120,
      bodySize: sent.body?.length ?? 0,
    },
    response: {
      status: answer.status ?? 200,
      statusText: answer.status === 404 ? "Not Found" : "OK",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: [
        { name: "content-type", value: answer.type ?? "application/json" },
        { name: "server", value: "uvicorn" },
      ],
      content: { size: answer.body.length, mimeType: answer.type ?? "application/json", text: answer.body },
      redirectURL: "",
      headersSize: 90,
      bodySize: -1,
      ...(answer.arrivals && { _arrivals: answer.arrivals }),
    },
    cache: {},
    timings: { connect: 1, send: 0, wait: took - 2, receive: 1 },
    serverIPAddress: "127.0.0.1",
    _id: id,
  };
}

interface Sent {
  readonly url: string;
  readonly method?: string;
  readonly body?: string;
}

interface Answer {
  readonly body: string;
  readonly status?: number;
  readonly type?: string;
  readonly arrivals?: readonly number[];
}

const rpc = (id: number, method: string, params: object): Sent => ({
  url: `${base}/`,
  body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
});

const task = {
  id: "9b1c6a52-0d0e-4c0e-8a37-2b6a3f1f8f10",
  contextId: "4f1d7c1e-52a7-4f0c-9d53-0f8a5f1c7a2b",
  status: { state: "TASK_STATE_COMPLETED", timestamp: "2026-11-15T08:14:08.112Z" },
  artifacts: [{ artifactId: "answer", parts: [{ text: "OK" }] }],
};

const exchanges: RunEvent[] = [
  {
    event: "exchange",
    id: "x1",
    entry: entry(
      "x1",
      4,
      12,
      { method: "GET", url: `${base}/.well-known/agent-card.json` },
      { body: JSON.stringify({ name: "Weather Agent", version: "2.3.0", supportedInterfaces: [jsonrpc, rest, grpc] }) },
    ),
  },
  {
    event: "exchange",
    id: "x2",
    operation: "SendMessage",
    interface: jsonrpc,
    during: "a task followed to its end",
    working: true,
    entry: entry(
      "x2",
      40,
      6104,
      rpc(1, "SendMessage", {
        message: { messageId: "6f0d", role: "ROLE_USER", parts: [{ text: "Reply with the word OK." }] },
      }),
      { body: JSON.stringify({ jsonrpc: "2.0", id: 1, result: { task } }) },
    ),
  },
  {
    event: "exchange",
    id: "x3",
    operation: "GetTask",
    interface: jsonrpc,
    during: "a task followed to its end",
    entry: entry("x3", 6150, 4, rpc(2, "GetTask", { id: task.id }), {
      body: JSON.stringify({ jsonrpc: "2.0", id: 2, result: task }),
    }),
  },
  {
    event: "exchange",
    id: "x4",
    operation: "ListTasks",
    interface: jsonrpc,
    during: "a page of tasks",
    entry: entry("x4", 6160, 7, rpc(7, "ListTasks", { pageSize: 50 }), {
      body: JSON.stringify({ jsonrpc: "2.0", id: 7, result: { tasks: [task], totalSize: 1, pageSize: 50 } }),
    }),
  },
  {
    event: "exchange",
    id: "x5",
    operation: "GetTask",
    interface: jsonrpc,
    during: "an unknown task",
    entry: entry("x5", 6170, 5, rpc(3, "GetTask", { id: "3f0c2b9e-7a51-4f53-9d0e-6f5f0c2f9a11" }), {
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 3,
        error: { code: -32603, message: "KeyError: '3f0c2b9e-7a51-4f53-9d0e-6f5f0c2f9a11'" },
      }),
    }),
  },
  {
    event: "exchange",
    id: "x6",
    operation: "GetTask",
    interface: rest,
    during: "an unknown task",
    entry: entry(
      "x6",
      6180,
      5,
      { method: "GET", url: `${base}/v1/tasks/3f0c2b9e-7a51-4f53-9d0e-6f5f0c2f9a11` },
      { status: 404, body: '{"error":{"code":404,"status":"NOT_FOUND","message":"task not found"}}' },
    ),
  },
  {
    event: "exchange",
    id: "x7",
    operation: "SendStreamingMessage",
    interface: rest,
    during: "a stream of a task",
    working: true,
    entry: entry(
      "x7",
      6200,
      5890,
      {
        url: `${base}/v1/message:stream`,
        body: '{"message":{"messageId":"77aa","role":"ROLE_USER","parts":[{"text":"Reply with the word OK."}]}}',
      },
      {
        type: "text/event-stream",
        body: ["TASK_STATE_WORKING", "TASK_STATE_COMPLETED"]
          .map((state) => ({ statusUpdate: { taskId: task.id, contextId: task.contextId, status: { state } } }))
          .map((update) => `data: ${JSON.stringify(update)}\r\n\r\n`)
          .join(""),
        arrivals: [12, 5880],
      },
    ),
  },
];

const results = [...card, ...lifecycle, ...errors, ...streams, ...others];

const events: RunEvent[] = [
  {
    event: "run-started",
    run: "2026-11-15T08-14-02",
    at: "2026-11-15T08:14:02.000Z",
    tool: { name: "assay", version: "1.0.0" },
    ruleSet: "1.0.1-r1",
    agentUrl: base,
    depth: "quick",
    strict: false,
  },
  {
    event: "agent-found",
    cardUrl: `${base}/.well-known/agent-card.json`,
    name: "Weather Agent",
    version: "2.3.0",
    dialects: [{ dialect: "1.0", because: "its card", declared: true }],
    interfaces: everywhere,
    leftOut: [{ interface: { ...jsonrpc, dialect: "0.2" }, because: "0.2 is tested only with --dialect 0.2" }],
    capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: true },
  },
  { event: "planned", checks: results.length, rules: 36, workingMessages: 8, withoutCheck: 12 },
  ...exchanges,
  ...results.map((result): RunEvent => ({ event: "check-finished", result })),
  { event: "note", text: "hooks.example.com was not contacted: it is not among the allowed hosts (--allow-host)" },
  {
    event: "run-finished",
    at: "2026-11-15T08:14:50.000Z",
    ending: "done",
    duration_ms: 48_000,
    workingMessages: 8,
  },
];

export const runFrom = (given: readonly RunEvent[]): Run => ({ events: given, report: foldRun(given) });

export const sampleRun: Run = runFrom(events);

/** Returns the sample with other results. */
export const sampleWith = (given: readonly ConformanceResult[]): Run =>
  runFrom([
    ...events.filter(({ event }) => event !== "check-finished" && event !== "run-finished"),
    ...given.map((result): RunEvent => ({ event: "check-finished", result })),
    ...events.filter(({ event }) => event === "run-finished"),
  ]);

/** Results without a failure or warning. With them a run is conclusive. */
export const whatHolds: readonly ConformanceResult[] = results.filter(
  ({ verdict, warning }) => verdict === "pass" && warning === undefined,
);

/** Returns any number of results, all different. */
export const manyResults = (count: number): ConformanceResult[] =>
  Array.from({ length: count }, (_, index) => {
    const result = results[index % results.length]!;
    const round = Math.floor(index / results.length);
    return round === 0 ? result : { ...result, test: `${result.test}.${round}`, message: `${result.message} ${round}` };
  });

export const oneFailure: ConformanceResult = results.find(({ test }) => test === "ERR-020")!;

/** The failed property of a gateway: the status of an error differs at both ends. */
export const brokenProperty: ConformanceResult = {
  ...oneFailure,
  test: "GW-ERROR-STATUS",
  message: "the gateway changes the status of TASK_NOT_FOUND",
  saw: "HTTP 502",
  want: "HTTP 404",
  compared: {
    part: "response",
    ends: [
      { end: "agent", exchanges: oneFailure.evidence, shows: "HTTP 404" },
      { end: "client", exchanges: oneFailure.evidence, shows: "HTTP 502" },
    ],
    status: true,
  },
};

export const nobodyThere: Run = runFrom([
  events[0]!,
  {
    event: "run-finished",
    at: "2026-11-15T08:14:12.000Z",
    ending: "unreachable",
    duration_ms: 10_000,
    workingMessages: 0,
    message: "Cannot reach http://127.0.0.1:9999 (connection refused, 6 attempts in 10 s).",
    hint: 'Start the agent, or let Assay start it: assay test --start "npm run agent" http://127.0.0.1:9999',
  },
]);

/** Returns the sample as if the agent also spoke 0.3 without declaring it. */
export function inTwoVersions(): Run {
  const older = { ...oneFailure, dialect: "0.3", interface: { ...oneFailure.interface!, dialect: "0.3" } };
  const { interface: _on, ...aboutTheCard } = { ...oneFailure, category: "agent-card" as const, test: "CARD-004" };
  const { events } = sampleWith([oneFailure, older, aboutTheCard, { ...aboutTheCard, dialect: "0.3" }]);
  const told = events.map((event) =>
    event.event === "agent-found"
      ? {
          ...event,
          dialects: [...event.dialects, { dialect: "0.3", because: "the endpoint knows `message/send`" }],
        }
      : event,
  );
  return runFrom(told);
}

/** Returns the sample, with LIST-022 failing as it does on a2a-sdk 1.3.0. */
export function knownFaultRun({ isRecognised }: { readonly isRecognised: boolean }): Run {
  const added: RunEvent[] = [
    {
      event: "check-finished",
      result: {
        ...oneFailure,
        test: "LIST-022",
        code: "accepted",
        interface: { url: "http://127.0.0.1:9999/", dialect: "1.0", binding: "JSONRPC" },
      },
    },
    { event: "sdk-recognised", name: "a2a-python", because: "looks like a2a-sdk (Python)" },
  ];
  const last = sampleRun.events.length - 1;
  return runFrom([
    ...sampleRun.events.slice(0, last),
    ...(isRecognised ? added : added.slice(0, 1)),
    ...sampleRun.events.slice(last),
  ]);
}
