import { once } from "node:events";
import { constants } from "node:http2";
import { connect as connectTcp } from "node:net";
import type { SendMessageResponse } from "@assay/protocol";
import { grpcV10, readStatusDetails } from "@assay/protocol/grpc";
import { describe, expect, test } from "vitest";
import { connectionPreface, headersFrame, http2Frame } from "../../fixtures/http2-bytes.fixture.ts";
import { ask, expectNormalService, sending } from "../../fixtures/testbed.fixture.ts";
import { frame, hear, rawCall, session } from "./raw-call.fixture.ts";
import { useSpecOverGrpc } from "./spec-over-grpc.fixture.ts";

const { bed, spec } = useSpecOverGrpc();

describe("one port, two protocols", () => {
  test("HTTP/1.1 and h2c at the same time", async () => {
    const texts = Array.from({ length: 40 }, (_, n) => `message-only ${n}`);
    const answers = await Promise.all(
      texts.map(async (text, n) =>
        n % 2
          ? spec.ask<SendMessageResponse>("SendMessage", sending(text))
          : ask(`${bed.url}/spec`, n % 4 ? "HTTP+JSON" : "JSONRPC", "SendMessage", sending(text)),
      ),
    );
    expect(answers.map(({ message }) => message?.parts[0]?.text)).toEqual(
      texts.map((text) => `[message-only] You said: ${text}`),
    );
  });

  test.each<[string, Record<string, string>, number]>([
    ["a GET is answered", { ":method": "GET", ":path": "/spec/.well-known/agent-card.json" }, 200],
    ["JSON is answered", { ":method": "POST", ":path": "/spec", "content-type": "application/json" }, 200],
    ["gRPC-Web is not spoken", { ":method": "POST", ":path": "/x", "content-type": "application/grpc-web" }, 415],
    ["a call without a type is none", { ":method": "POST", ":path": "/lf.a2a.v1.A2AService/GetTask" }, 404],
  ])("over HTTP/2, %s", async (_name, headers, status) => {
    const stream = session(bed.url).request(headers);
    stream.end();
    const { head, body } = await hear(stream);
    expect([head[":status"], typeof JSON.parse(body.toString())]).toEqual([status, "object"]);
  });

  test("a foreign authority is rejected", async () => {
    const stream = rawCall(session(bed.url), grpcV10.path("ListTasks")!, { ":authority": "evil.example" });
    stream.end(frame(new Uint8Array()));
    const { head } = await hear(stream);
    const details = Buffer.from(String(head["grpc-status-details-bin"]), "base64");
    expect([head["grpc-status"], readStatusDetails(details)?.details[0]?.["reason"]]).toEqual([
      "3",
      "MISDIRECTED_REQUEST",
    ]);
  });

  test("the server drops reset streams and serves the others of the connection", async () => {
    const shared = session(bed.url);
    for (let n = 0; n < 50; n++) {
      const stream = rawCall(shared, grpcV10.path("SendStreamingMessage")!);
      stream.on("error", () => {});
      stream.write(frame(grpcV10.writeRequest("SendStreamingMessage", sending("streaming x") as never)));
      stream.close(constants.NGHTTP2_CANCEL);
    }
    const stream = rawCall(shared, grpcV10.path("ListTasks")!);
    stream.end(frame(new Uint8Array()));
    expect((await hear(stream)).trailers["grpc-status"]).toBe("0");
  });
});

describe("a request that is reset in the same packet", () => {
  const request = (type: string) =>
    headersFrame({
      ":method": "POST",
      ":scheme": "http",
      ":path": "/x",
      ":authority": "localhost",
      "content-type": type,
    });
  const takenBack: [string, Buffer][] = [
    ["RST_STREAM", http2Frame(3, 0, 1, Buffer.from([0, 0, 0, 8]))],
    ["GOAWAY", http2Frame(7, 0, 0, Buffer.alloc(8))],
    ["SETTINGS that are none", http2Frame(4, 0, 0, Buffer.alloc(5))],
    ["DATA of another stream", http2Frame(0, 0, 99, Buffer.from([0]))],
  ];

  // Node emits the stream after its reset, so packages/wire/src/server/http2-side.ts must not answer it.
  test.each(
    takenBack.flatMap(([name, bytes]) => ["application/grpc", "text/plain"].map((type) => ({ name, bytes, type }))),
  )("by $name, as $type, does not bring the server down", async ({ bytes, type }) => {
    const socket = connectTcp(bed.port, "127.0.0.1", () =>
      socket.write(Buffer.concat([connectionPreface, request(type), bytes])),
    );
    socket.on("error", () => {});
    await once(socket, "data");
    socket.destroy();
    await expectNormalService(bed);
  });
});
