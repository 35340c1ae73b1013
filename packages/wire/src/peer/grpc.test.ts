import { grpcV10 } from "@assay/protocol/grpc";
import { describe, expect, test } from "vitest";
import { collect } from "../client/peers.fixture.ts";
import { frame } from "../grpc/frame.ts";
import { framePeer, type RawCall } from "../grpc/frames.fixture.ts";
import { task, testClients } from "./agents.fixture.ts";
import { createPeer } from "./peer.ts";

const head = { ":status": "200", "content-type": "application/grpc" };
const ok = { "grpc-status": "0" };
const answer = frame(grpcV10.writeAnswer("GetTask", task("TASK_STATE_WORKING")));
const event = frame(grpcV10.writeAnswer("SubscribeToTask", { task: task("TASK_STATE_WORKING") }));

const peerThat = async (answers: (call: RawCall) => void) =>
  createPeer(testClients(), { url: await framePeer(answers), binding: "GRPC", dialect: "1.0" });

const saidBy = async (answers: (call: RawCall) => void) => {
  const { exchange: _, ...said } = await (await peerThat(answers)).call("GetTask", { id: "t1" });
  return said;
};

const streamedBy = async (answers: (call: RawCall) => void) => {
  const { events } = await (await peerThat(answers)).stream("SubscribeToTask", { id: "t1" });
  return (await collect(events)).map(({ at: _at, bytes: _bytes, ...said }) => said);
};

describe("what is no gRPC answer is malformed", () => {
  test.each([
    [
      "no status",
      (call: RawCall) => call.head(head).data(answer, { end: true }),
      "HTTP 200 (application/grpc) without a grpc-status",
    ],
    [
      "a proxy's page",
      (call: RawCall) => call.head({ ":status": "502", "content-type": "text/html" }, { end: true }),
      "HTTP 502 (text/html) without a grpc-status",
    ],
    [
      "no content-type",
      (call: RawCall) => call.head({ ":status": "404" }, { end: true }),
      "HTTP 404 (no content-type) without a grpc-status",
    ],
    [
      "a status in words",
      (call: RawCall) => call.head({ ...head, "grpc-status": "OK" }, { end: true }),
      'the grpc-status is not a number: "OK"',
    ],
    [
      "OK without a message",
      (call: RawCall) => call.head({ ...head, ...ok }, { end: true }),
      "status OK with 0 messages instead of one",
    ],
    [
      "two answers",
      (call: RawCall) => call.head(head).data(answer).data(answer).head(ok, { end: true }),
      "status OK with 2 messages instead of one",
    ],
    [
      "bytes that are no Task",
      (call: RawCall) =>
        call
          .head(head)
          .data(frame(Buffer.from([0xff, 0xff])))
          .head(ok, { end: true }),
      "the message is not a lf.a2a.v1.Task",
    ],
  ])("%s", async (_what, answers, because) => {
    expect(await saidBy(answers)).toEqual({ is: "malformed", because });
  });

  test("a stream without a status ends as such, behind its events", async () => {
    expect(await streamedBy((call) => call.head(head).data(event, { end: true }))).toEqual([
      { is: "value", value: { task: task("TASK_STATE_WORKING") } },
      { is: "malformed", because: "HTTP 200 (application/grpc) without a grpc-status" },
    ]);
  });

  test("bytes that are no event end a stream", async () => {
    const broken = frame(Buffer.from([0xff, 0xff]));
    expect(await streamedBy((call) => call.head(head).data(broken).data(event).head(ok, { end: true }))).toEqual([
      { is: "malformed", because: "the message is not a lf.a2a.v1.StreamResponse" },
    ]);
  });
});

describe("an error is read", () => {
  test.each([
    [
      "without details",
      { "grpc-status": "5", "grpc-message": "gone" },
      { message: "gone", grpc: { code: 5, status: "NOT_FOUND" } },
    ],
    ["without a message", { "grpc-status": "16" }, { message: "", grpc: { code: 16, status: "UNAUTHENTICATED" } }],
    ["with a number nobody knows", { "grpc-status": "42" }, { message: "", grpc: { code: 42 } }],
    [
      "with details that are none",
      { "grpc-status": "3", "grpc-message": "bad%20%C3%A4", "grpc-status-details-bin": "////" },
      { message: "bad ä", grpc: { code: 3, status: "INVALID_ARGUMENT" } },
    ],
  ])("%s", async (_what, fields, error) => {
    expect(await saidBy((call) => call.head({ ...head, ...fields }, { end: true }))).toEqual({
      is: "error",
      error: { http: 200, details: [], ...error },
    });
  });

  test("also where it came with an HTTP status of its own", async () => {
    const said = await saidBy((call) => call.head({ ...head, ":status": "401", "grpc-status": "16" }, { end: true }));
    expect(said).toMatchObject({ is: "error", error: { http: 401, grpc: { code: 16 } } });
  });

  test("also behind a message: the status has the last word", async () => {
    const said = await saidBy((call) => call.head(head).data(answer).head({ "grpc-status": "13" }, { end: true }));
    expect(said).toMatchObject({ is: "error", error: { grpc: { status: "INTERNAL" } } });
  });
});

test("a stream that is cut off ends with the failure", async () => {
  expect(await streamedBy((call) => call.head(head).data(event).reset(2))).toEqual([
    { is: "value", value: { task: task("TASK_STATE_WORKING") } },
    { is: "failure", failure: { code: "reset", message: "the peer reset the stream (INTERNAL_ERROR)" } },
  ]);
});
