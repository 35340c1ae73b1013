import type { ListTasksResponse, StreamResponse } from "@assay/protocol";
import { grpcV10 } from "@assay/protocol/grpc";
import { describe, expect, test } from "vitest";
import { refusalOf } from "../../fixtures/grpc.fixture.ts";
import { say, until } from "../../fixtures/testbed.fixture.ts";
import { frame, hear, rawCall, session } from "./raw-call.fixture.ts";
import { endless, useSpecOverGrpc } from "./spec-over-grpc.fixture.ts";

const { bed, spec } = useSpecOverGrpc();

describe("deadlines and cancellation", () => {
  const slow = (contextId: string) => ({ message: say("slow 10", { contextId }) });
  const listed = async (contextId: string) =>
    (await spec.ask<ListTasksResponse>("ListTasks", { contextId })).tasks.map(({ status }) => status.state);

  test("an expired deadline ends the call and not the task", async () => {
    const within = async (ms: number) => {
      const contextId = `deadline-unary-${ms}`;
      const stream = rawCall(session(bed.url), grpcV10.path("SendMessage")!, { "grpc-timeout": `${ms}m` });
      // The task takes ten times as long as the deadline.
      const request = { message: say(`slow ${ms / 10}`, { contextId }) };
      stream.end(frame(grpcV10.writeRequest("SendMessage", request as never)));
      const { head } = await hear(stream);
      return { contextId, head, isBegun: (await listed(contextId)).length > 0 };
    };
    // On a busy machine the first deadline may pass before the server has read the message.
    let heard = await within(100);
    for (let ms = 400; !heard.isBegun && ms < 100_000; ms *= 4) heard = await within(ms);
    const { contextId, head } = heard;
    expect([head[":status"], head["grpc-status"], head["grpc-message"]]).toEqual([200, "4", "the deadline passed"]);
    await expect.poll(() => listed(contextId)).toEqual(["TASK_STATE_COMPLETED"]);
  });

  test("a deadline ends a stream after the events that arrived in time", async () => {
    const within = async (seconds: number) => {
      const contextId = `deadline-stream-${seconds}`;
      const deadline = { "grpc-timeout": `${seconds * 1_000_000}u` };
      const stream = rawCall(session(bed.url), grpcV10.path("SendStreamingMessage")!, deadline);
      const request = { message: say(endless, { contextId }) };
      stream.end(frame(grpcV10.writeRequest("SendStreamingMessage", request as never)));
      return { contextId, ...(await hear(stream)) };
    };
    // On a busy machine the first deadline may pass before the first event.
    let heard = await within(1);
    for (let seconds = 4; heard.body.length === 0 && seconds < 100; seconds *= 4) heard = await within(seconds);
    expect([heard.head[":status"], heard.trailers["grpc-status"]]).toEqual([200, "4"]);
    expect(heard.body.length).toBeGreaterThan(0);
    expect(await listed(heard.contextId)).toEqual(["TASK_STATE_WORKING"]);
  });

  test("the same, as grpc-js sees it", async () => {
    const request = slow("deadline-client");
    const work = spec.call("SendMessage", request, { deadline: Date.now() + 100 });
    expect(await refusalOf(work)).toEqual({ status: "DEADLINE_EXCEEDED", reason: "" });
  });

  test("a deadline that does not expire or is unreadable changes nothing", async () => {
    for (const timeout of ["500S", "1H", "99999999H", "soon", "-1S", "999999999S", ""]) {
      const stream = rawCall(session(bed.url), grpcV10.path("ListTasks")!, { "grpc-timeout": timeout });
      stream.end(frame(new Uint8Array()));
      const { trailers } = await hear(stream);
      expect([timeout, trailers["grpc-status"]]).toEqual([timeout, "0"]);
    }
  });

  test("a client that cancels a stream ends the stream, not the task", async () => {
    const contextId = "cancel-stream";
    const call = spec.open<StreamResponse>("SendStreamingMessage", { message: say(endless, { contextId }) });
    const seen: StreamResponse[] = [];
    const error = await (async () => {
      for await (const event of call) {
        seen.push(event as StreamResponse);
        if (seen.length === 3) call.cancel();
      }
    })().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 1 });
    expect(seen.length).toBe(3);
    const { id } = seen[0]!.task!;
    const watching = spec.open<StreamResponse>("SubscribeToTask", { id });
    let hasChunk = false;
    for await (const event of watching) {
      if (!(event as StreamResponse).artifactUpdate) continue;
      hasChunk = true;
      watching.cancel();
      break;
    }
    expect(hasChunk).toBe(true);
    await spec.ask("CancelTask", { id });
  });

  test("a task keeps running when its client cancels a blocking call or disconnects", async () => {
    const call = spec.client.makeUnaryRequest(
      grpcV10.path("SendMessage")!,
      (json: object) => Buffer.from(grpcV10.writeRequest("SendMessage", json as never)),
      (bytes: Buffer) => bytes,
      slow("cancel-unary"),
      spec.metadata(),
      () => {},
    );
    const vanishing = session(bed.url);
    rawCall(vanishing, grpcV10.path("SendStreamingMessage")!)
      .on("error", () => {})
      .end(frame(grpcV10.writeRequest("SendStreamingMessage", slow("vanish") as never)));
    for (const contextId of ["cancel-unary", "vanish"]) {
      await until(
        () => listed(contextId),
        ({ length }) => length === 1,
      );
    }
    call.cancel();
    vanishing.destroy();
    for (const contextId of ["cancel-unary", "vanish"]) {
      await until(
        () => listed(contextId),
        ([state]) => state === "TASK_STATE_COMPLETED",
      );
    }
  });
});
