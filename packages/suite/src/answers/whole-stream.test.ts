import type { Arrived, FailureCode, Reply } from "@assay/wire";
import { expect, test } from "vitest";
import type { Call } from "../define/call.ts";
import { Obstacle } from "../define/obstacle.ts";
import { assertNotCut, incomplete, isClosed, type StreamEnding, streamEnding } from "./whole-stream.ts";

const working: Arrived = event({ statusUpdate: { taskId: "t", status: { state: "TASK_STATE_WORKING" } } });
const completed: Arrived = event({ statusUpdate: { taskId: "t", status: { state: "TASK_STATE_COMPLETED" } } });
const garbage: Arrived = { at: 2, bytes: 3, is: "malformed", because: "the data of an event is not JSON" };
const unavailable: Arrived = {
  at: 3,
  bytes: 0,
  is: "error",
  error: { message: "upstream reset", http: 200, grpc: { code: 14, status: "UNAVAILABLE" }, details: [] },
};
const noStatus: Arrived = { at: 3, bytes: 0, is: "malformed", because: "HTTP 200 without a grpc-status" };

function event(json: object): Arrived {
  return { at: 1, bytes: 2, is: "result", json: json as never };
}

function streamed(events: readonly Arrived[], code?: FailureCode, binding: "JSONRPC" | "GRPC" = "JSONRPC"): Call {
  const reply: Reply = { is: "stream", events, ...(code && { failure: { code, message: "it broke" } }) };
  const messages = events.filter(({ is }) => is !== "error").filter((each) => each !== noStatus);
  const http = {
    response: { status: 200, headers: [], trailers: [], body: new Uint8Array() },
    ...(binding === "GRPC" && { grpc: { messages } }),
  };
  const exchange = { http, timing: { end: 3_000 }, ...(code && { failure: { code, message: "it broke" } }) };
  const on = { url: "http://127.0.0.1/", binding, dialect: "1.0" };
  return { exchange, on, reply, said: reply } as unknown as Call;
}

test.each<[string, Call, StreamEnding]>([
  ["an ordinary end", streamed([working]), "closed"],
  ["our own hanging up", streamed([working], "aborted"), "left"],
  ["a time that is over", streamed([working], "timeout-idle"), "silent"],
  ["a reset", streamed([working], "reset"), "cut"],
  ["an aborted body", streamed([working], "closed-early"), "cut"],
  ["OK over gRPC", streamed([working], undefined, "GRPC"), "closed"],
  ["GOAWAY", streamed([working], "closed-early", "GRPC"), "cut"],
  ["a gateway that lost the agent", streamed([working, unavailable], undefined, "GRPC"), "cut"],
  ["no status over gRPC", streamed([working, noStatus], undefined, "GRPC"), "cut"],
])("how a stream ended: %s", (_what, call, ending) => {
  expect(streamEnding(call)).toBe(ending);
  expect(isClosed(call)).toBe(ending === "closed");
});

const kindOf = (obstacle: Obstacle | undefined): string | undefined =>
  obstacle && (obstacle.kind.is === "held-up" ? obstacle.kind.rule : obstacle.kind.is);

test.each<[string, Call, string | undefined]>([
  ["that the agent closed without the end of the task", streamed([working]), undefined],
  ["that was cut off", streamed([working], "reset"), "not-examined"],
  ["that fell silent", streamed([working], "timeout-idle"), "not-examined"],
  ["that was cut off behind the end of the task", streamed([working, completed], "reset"), undefined],
  ["with an event that cannot be read", streamed([working, garbage]), "JSONRPC-017"],
  ["with one behind the end of the task", streamed([working, completed, garbage]), undefined],
  ["with one before it", streamed([garbage, completed]), "JSONRPC-017"],
  ["of gRPC with a message that cannot be read", streamed([garbage], undefined, "GRPC"), "GRPC-004"],
])("whether something can be missing in a stream %s", (_what, call, kind) => {
  expect(kindOf(incomplete(call))).toBe(kind);
});

test("what was cut off says how, and when", () => {
  const kind = incomplete(streamed([working], "reset"))?.kind;
  expect(kind).toMatchObject({
    because: "the stream was cut off after 3 s (it broke)",
    trouble: { code: "stream-cut", seconds: 3 },
  });
});

test("a stream that was cut off does not tell how its agent closes streams", () => {
  expect(() => assertNotCut(streamed([working, completed], "reset"))).toThrow(Obstacle);
  expect(() => assertNotCut(streamed([working, completed], "aborted"))).not.toThrow();
});
