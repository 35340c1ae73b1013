import type { HarEntry } from "@assay/suite/report";
import type { Blame } from "./blame.ts";
import { failedCell } from "./cell.fixture.ts";
import type { Cell } from "./cell.ts";
import {
  type BindingName,
  type MatrixDocument,
  type MatrixDriver,
  type MatrixVersion,
  matrixFormat,
} from "./document.ts";
import type { MatrixExchange } from "./evidence.ts";

/** A recorded exchange of JSON-RPC. */
export function sampleEntry(id: string, request: unknown, answer: string, mimeType = "application/json"): HarEntry {
  const text = JSON.stringify(request);
  const json = [{ name: "Content-Type", value: "application/json" }];
  return {
    startedDateTime: "2026-11-16T08:14:02.000Z",
    time: 12,
    request: {
      method: "POST",
      url: "http://127.0.0.1:4123/spec",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: [...json, { name: "A2A-Version", value: "1.0" }],
      queryString: [],
      postData: { mimeType: "application/json", text },
      headersSize: -1,
      bodySize: text.length,
    },
    response: {
      status: 200,
      statusText: "OK",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: [{ name: "content-type", value: mimeType }],
      content: { size: answer.length, mimeType, text: answer },
      redirectURL: "",
      headersSize: -1,
      bodySize: -1,
      ...(mimeType === "text/event-stream" && { _arrivals: [3, 9] }),
    },
    cache: {},
    timings: { connect: 0, send: 0, wait: 10, receive: 2 },
    _id: id,
  };
}

function sampleDriver(name: string, language = "Go"): MatrixDriver {
  const speaks = { "1.0": ["JSONRPC", "GRPC"] } as const;
  return {
    name,
    title: `${name} SDK`,
    language,
    package: `example.com/${name}`,
    version: "1.2.3",
    roles: { client: speaks, server: speaks },
  };
}

const serverBlame = (server: string): Blame => ({
  whose: "server",
  code: "answer-breaks-rule",
  cause: `server/${server}/ERR-020`,
  title: "GetTask: an unknown task is -32603",
  explanation:
    "The request breaks no rule and matches what the program asked for. The response breaks a rule about servers.",
  reasons: [
    {
      says: "an unknown task is -32603",
      exchange: "x1",
      at: { answer: { path: "$.error.code" } },
      rule: {
        id: "ERR-020",
        level: "MUST",
        text: "GetTask of a task that does not exist is TaskNotFoundError.",
        section: "3.1.3",
        url: "https://a2a-protocol.org/latest/specification/#313-get-task",
      },
    },
  ],
});

const clientBlame = (client: string): Blame => ({
  whose: "client",
  code: "surfaced-otherwise",
  cause: `client/${client}/surfaced/SendStreamingMessage/unexpected-error`,
  title: "SendStreamingMessage: the client turns a correct response into ParseError",
  explanation: "The response on the wire is correct. The client's result for its program is not.",
  reasons: [{ says: "on the wire: as expected; to the program: ParseError", exchange: "x2" }],
});

const sampleScenarios = ["spec-get-task", "spec-streaming", "error-task-not-found", "error-push-not-supported"];

const notFound = '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"KeyError"}}';
const events = ['{"jsonrpc":"2.0","id":1,"result":{"task":{"id":"t"}}}', '{"jsonrpc":"2.0","id":1,"result":{}}'];

/** The exchanges of the two failures below. */
const sampleExchanges: Readonly<Record<string, MatrixExchange>> = {
  x1: {
    id: "x1",
    operation: "GetTask",
    entry: sampleEntry("x1", { jsonrpc: "2.0", id: 1, method: "GetTask", params: { id: "none" } }, notFound),
    breaches: [{ party: "server", rule: "ERR-020", severity: "fail", message: "an unknown task is -32603" }],
  },
  x2: {
    id: "x2",
    operation: "SendStreamingMessage",
    entry: sampleEntry(
      "x2",
      { jsonrpc: "2.0", id: 1, method: "SendStreamingMessage", params: {} },
      events.map((data) => `data: ${data}\n\n`).join(""),
      "text/event-stream",
    ),
    breaches: [],
  },
};

/** Two clients and two servers over two wires: `beta` answers unknown tasks wrongly, and the client of `alpha` cannot stream. */
export function sampleMatrix(change: (cell: Cell) => Cell = (cell) => cell): MatrixDocument {
  const drivers = ["alpha", "beta"].map((name) => sampleDriver(name));
  const wires: readonly (readonly [BindingName, MatrixVersion])[] = [
    ["JSONRPC", "1.0"],
    ["GRPC", "1.0"],
  ];
  const cells = drivers.flatMap(({ name: client }) =>
    drivers.flatMap(({ name: server }) =>
      wires.flatMap(([binding, version]) =>
        sampleScenarios.map((scenario) => change(sampleCell({ client, server, binding, version, scenario }))),
      ),
    ),
  );
  return {
    format: matrixFormat,
    tool: { name: "assay", version: "0.1.0" },
    startedAt: "2026-11-16T08:00:00.000Z",
    finishedAt: "2026-11-16T08:10:00.000Z",
    duration_ms: 600_000,
    machine: { cores: 2, memoryBytes: 8e9, node: "20.20.0" },
    timeScale: 0.1,
    drivers,
    scenarios: sampleScenarios.map((id) => ({ id, name: `what ${id} is about`, group: "all" })),
    cells,
    chains: [],
    causes: [],
    exchanges: sampleExchanges,
    staleKnownFailures: [],
  };
}

type Place = Pick<Cell, "client" | "server" | "binding" | "version" | "scenario">;

function sampleCell(place: Place): Cell {
  const { client, server, binding, version, scenario } = place;
  const id = [client, server, binding.toLowerCase(), version, scenario].join("/");
  const [x1, x2] = [sampleExchanges["x1"]!, sampleExchanges["x2"]!];
  if (server === "beta" && scenario === "error-task-not-found") {
    const error = { kind: "protocol", code: -32603, message: "KeyError" } as const;
    const step = { op: "get", params: { id: "none" }, answer: { error } } as const;
    const failure = {
      code: "other-error",
      onTheWire: "fails",
      message: "expected TaskNotFound (-32001), got another error: -32603",
      expected: "TaskNotFound (-32001)",
    } as const;
    return failedCell([x1], step, failure, { id, ...place, blame: serverBlame(server) });
  }
  if (client === "alpha" && scenario === "spec-streaming") {
    const error = { kind: "transport", type: "ParseError", message: "unexpected end" } as const;
    return failedCell(
      [x2],
      { op: "stream", params: {}, answer: { error } },
      { code: "unexpected-error", onTheWire: "holds", message: "expected a success, got an error: ParseError" },
      { id, ...place, blame: clientBlame(client) },
    );
  }
  const { failure: _, because: __, ...cell } = failedCell([], { op: "get" }, { code: "answer", onTheWire: "fails" });
  const isMissing = binding === "GRPC" && scenario === "error-push-not-supported";
  return {
    ...cell,
    id,
    ...place,
    steps: [],
    outcome: isMissing ? "unsupported" : "passed",
    ...(isMissing && { because: "the SDK has no push notifications over gRPC" }),
  };
}
