import {
  A2AError,
  type JsonObject,
  type JsonValue,
  type Message,
  type StreamResponse,
  type Task,
  v10,
} from "@assay/protocol";
import { describe, expect, test } from "vitest";
import { agents } from "../agents/index.ts";
import type { Outcome } from "../definition/call.ts";
import type { Layers } from "../definition/layers.ts";
import { Metrics } from "../operating/metrics.ts";
import { RequestMeter } from "../operating/request-meter.ts";
import { admissionWith } from "./admission.ts";
import type { Encode, ServerBinding } from "./binding.ts";
import { RequestContext } from "./request-context.ts";
import { serveRequest } from "./serve.ts";
import type { ServedAgent } from "./served-agent.ts";

/** A binding that records what it sends; the client disconnects after `closesAfter` events. */
class NotedBinding implements ServerBinding {
  readonly head = {
    headers: {},
    remoteAddress: "127.0.0.1",
    certificate: undefined,
    signal: new AbortController().signal,
  };
  readonly dialect = v10;
  readonly context: RequestContext;
  readonly sent: unknown[] = [];
  readonly #closesAfter: number;

  constructor(context: RequestContext, closesAfter = Number.POSITIVE_INFINITY) {
    this.context = context;
    this.#closesAfter = closesAfter;
  }

  async read() {
    this.context.operation = "GetTask";
    return { operation: "GetTask", json: { id: "t" }, caller: undefined } as const;
  }

  answer(json: JsonValue): void {
    this.sent.push(["answer", json]);
  }

  events() {
    this.sent.push("open");
    let left = this.#closesAfter;
    return {
      send: (json: JsonValue): undefined => {
        this.sent.push(["event", json]);
        left--;
      },
      end: () => {
        this.sent.push("end");
      },
      get closed() {
        return left <= 0;
      },
    };
  }

  error(thrown: unknown, encode: Encode): void {
    const { kind, message } = this.context.failed(thrown);
    this.sent.push(["error", kind, encode({ message })]);
  }
}

const spec = agents.find(({ path }) => path === "spec")!;
const message: Message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "done" }] };
const task: Task = { id: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } };

/** Returns what is sent for a request with this outcome. */
async function sentFor(perform: () => Promise<Outcome>, layers: Layers = {}, closesAfter?: number): Promise<unknown[]> {
  const host = {
    definition: { ...spec, layers },
    admission: admissionWith({ tokens: { verify: async () => undefined } }),
    perform,
  } as unknown as ServedAgent;
  const metrics = new Metrics({});
  const log = { metrics, requests: new RequestMeter(metrics), report: () => {} };
  const binding = new NotedBinding(new RequestContext(host, "JSONRPC", "http://127.0.0.1", {}, log), closesAfter);
  await serveRequest(binding);
  return binding.sent;
}

async function* two(onReturn = () => {}): AsyncGenerator<StreamResponse> {
  try {
    yield { task };
    yield { message };
  } finally {
    onReturn();
  }
}

const marked: Layers = {
  codec: (json, { is, binding, dialect, operation }) => ({
    ...(json as JsonObject),
    by: [is, binding, dialect.version, operation ?? "none"],
  }),
};

describe("a request", () => {
  test("is answered as its dialect writes it", async () => {
    expect(await sentFor(async () => ({ answer: task }))).toEqual([["answer", task]]);
  });

  test("is answered with the events of a stream in order, and its end", async () => {
    const sent = await sentFor(async () => ({ events: two() }));
    expect(sent).toEqual(["open", ["event", { task }], ["event", { message }], "end"]);
  });

  test("whose client is gone gets no further event, and its source is closed", async () => {
    let isReleased = false;
    const events = two(() => {
      isReleased = true;
    });
    expect(await sentFor(async () => ({ events }), {}, 1)).toEqual(["open", ["event", { task }]]);
    expect(isReleased).toBe(true);
  });

  test("that is refused ends in an error, with or without a stream", async () => {
    const refused = new A2AError("TaskNotFound", "There is no task t");
    const expected = ["error", "TaskNotFound", { message: "There is no task t" }];
    expect(await sentFor(() => Promise.reject(refused))).toEqual([expected]);
    const events = (async function* () {
      yield { task };
      throw refused;
    })();
    expect(await sentFor(async () => ({ events }))).toEqual(["open", ["event", { task }], expected]);
  });

  test("shows nothing of what failed inside the agent", async () => {
    const sent = await sentFor(() => Promise.reject(new Error("password")));
    expect(sent).toEqual([["error", "Internal", { message: "The agent failed to handle this request" }]]);
  });
});

describe("the codec layer", () => {
  test("gets answers, events and errors, and what they are", async () => {
    const by = (is: string) => [is, "JSONRPC", "1.0", "GetTask"];
    expect(await sentFor(async () => ({ answer: task }), marked)).toEqual([["answer", { ...task, by: by("answer") }]]);
    expect(await sentFor(async () => ({ events: two() }), marked)).toEqual([
      "open",
      ["event", { task, by: by("event") }],
      ["event", { message, by: by("event") }],
      "end",
    ]);
    expect(await sentFor(() => Promise.reject(new A2AError("TaskNotFound", "none")), marked)).toEqual([
      ["error", "TaskNotFound", { message: "none", by: by("error") }],
    ]);
  });
});
