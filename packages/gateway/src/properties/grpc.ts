import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { A2AError, errorTable, type JsonObject, type Operation, publishedErrors } from "@assay/protocol";
import { grpcStatuses, grpcV10, ProtobufError, writeStatusDetails } from "@assay/protocol/grpc";
import type { Exchange, HeaderPairs } from "@assay/wire";
import type { GrpcCall } from "@assay/wire/server";
import { judged, judgedJson, sentHeader } from "../compare.ts";
import type { Ends, GrpcScript } from "../ends.ts";
import { grpcRequestOf, unknownGrpcTask } from "../grpc-requests.ts";
import type { Property } from "../property.ts";
import { messageOf } from "../requests.ts";
import {
  broken,
  changed,
  type ExaminedProperty,
  notExamined,
  type PropertyVerdict,
  preserved,
  worst,
} from "../verdict.ts";
import { closedBefore, patienceMs } from "./streams.ts";

type GrpcProperty = Omit<Property, "area" | "on">;

const metadata: Readonly<Record<string, string>> = {
  "a2a-version": "1.0",
  "a2a-extensions": "https://assay.invalid/extensions/gateway-test",
  traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
};

const answer: JsonObject = {
  message: {
    messageId: "m1",
    role: "ROLE_AGENT",
    parts: [{ text: "\u00e9\u4f60\ud83d\ude00 <&>" }, { raw: "+/8AAQ==" }],
    metadata: { number: 1.5, list: [null, 0, ""] },
  },
};

const event = (n: number): Uint8Array =>
  grpcV10.writeAnswer("SendStreamingMessage", {
    statusUpdate: { taskId: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" }, metadata: { n } },
  });

/** Reads the request, which is one message. */
async function received(call: GrpcCall): Promise<Uint8Array | undefined> {
  let first: Uint8Array | undefined;
  for await (const message of call.messages) first ??= message;
  return first;
}

/** Compares a protobuf message before and after the gateway. */
function judgedMessage(
  what: string,
  before: Uint8Array,
  after: Uint8Array | undefined,
  read: (bytes: Uint8Array) => unknown,
): PropertyVerdict {
  if (!after) return broken(`${what} is lost`, { saw: "no message", want: `a message of ${before.length} bytes` });
  if (Buffer.from(before).equals(after)) return preserved;
  try {
    return judgedJson(what, JSON.stringify(read(before)), `${JSON.stringify(read(after))} `);
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    return broken(`${what} is not valid protobuf any more`, { saw: error.message, want: "the message unchanged" });
  }
}

/** The status of a call: in the trailers, or in the headers of a call without messages. */
interface GrpcEnding {
  readonly status?: string;
  readonly message?: string;
  readonly details?: string;
}

function endingOf({ http: { response } }: Exchange): GrpcEnding {
  const [headers, trailers] = [new Map(response?.headers), new Map(response?.trailers)];
  const fields = trailers.has("grpc-status") ? trailers : headers;
  const [status, message, details] = ["grpc-status", "grpc-message", "grpc-status-details-bin"].map((name) =>
    fields.get(name),
  );
  return {
    ...(status !== undefined && { status }),
    ...(message !== undefined && { message: plain(message) }),
    // Padding is optional.
    ...(details !== undefined && { details: Buffer.from(details, "base64").toString("base64") }),
  };
}

/** Undoes the percent encoding of a grpc-message, which another program may write differently. */
function plain(message: string): string {
  try {
    return decodeURIComponent(message);
  } catch {
    return message;
  }
}

const names = { status: "grpc-status", message: "grpc-message", details: "grpc-status-details-bin" } as const;

/** Compares the endings of a call in some of their fields. */
function sameEnding(agent: Exchange, client: Exchange, fields: readonly (keyof GrpcEnding)[]): PropertyVerdict {
  const [want, saw] = [endingOf(agent), endingOf(client)];
  const field = fields.find((each) => want[each] !== saw[each]);
  if (!field) return preserved;
  const { response } = client.http;
  const instead = response ? `HTTP ${response.status} without it` : (client.failure?.message ?? "no response");
  return broken(`the gateway ${saw[field] === undefined ? "drops" : "changes"} ${names[field]}`, {
    saw: saw[field] === undefined ? instead : `${names[field]}: ${saw[field]}`,
    want: `${names[field]}: ${want[field]}`,
  });
}

/** One error for each status, because a gateway cannot tell errors apart that share it. */
const errors: readonly A2AError[] = [
  ...new Map(
    publishedErrors.map((name) => [
      errorTable[name].grpc,
      new A2AError(name, `An error for the gateway test: ${name}, 100 % \u00e9`),
    ]),
  ).values(),
];

const failingWith =
  (error: A2AError, play: (call: GrpcCall) => void = () => {}): GrpcScript =>
  async (call) => {
    await received(call);
    play(call);
    const details = Buffer.from(writeStatusDetails(error)).toString("base64");
    call.end(grpcStatuses[error.numbers().grpc], error.message, { "grpc-status-details-bin": details });
  };

/** Lets the agent fail with every status, and returns the most severe judgement. */
async function everyError(ends: Ends, fields: readonly (keyof GrpcEnding)[]): Promise<ExaminedProperty> {
  const examined: ExaminedProperty[] = [];
  for (const error of errors) {
    const passage = await ends.call(unknownGrpcTask(), failingWith(error));
    examined.push(judged(passage, (agent, client) => sameEnding(agent, client, fields)));
  }
  const judgement = worst(examined.map((each) => each.judgement));
  const passages = examined.filter((each) => each.judgement === judgement).flatMap((each) => each.passages);
  return { judgement, passages: passages.slice(0, 1) };
}

const streamOf = () => grpcRequestOf("SendStreamingMessage", messageOf("gateway stream"));

/** Compares the messages of a stream. A stream that the gateway cut has fewer. */
function sameMessages(client: Exchange, count: number): PropertyVerdict {
  const seen = client.http.grpc?.messages ?? [];
  const saw = `${seen.length} messages${client.failure ? `, then: ${client.failure.message}` : ""}`;
  const want = `${count} messages`;
  if (seen.length < count) return broken("the gateway cuts the stream", { saw, want });
  if (seen.length > count) return broken("the gateway repeats messages of the stream", { saw, want });
  const read = (bytes: Uint8Array): unknown => grpcV10.readAnswer("SendStreamingMessage", bytes);
  return worst(seen.map(({ bytes }, n) => judgedMessage(`message ${n + 1}`, event(n), bytes, read)));
}

const metadataJudgement = (agent: Exchange, client: Exchange): PropertyVerdict =>
  worst(
    [...Object.keys(metadata), "authorization"].map((name) => {
      const [sent, seen] = [sentHeader(client, name), sentHeader(agent, name)];
      if (sent === seen) return preserved;
      const happens = seen === undefined ? "drops" : "changes";
      // No rule of A2A needs a trace.
      if (name === "traceparent") return changed(`the gateway ${happens} the metadata ${name}`);
      // The value belongs to the operator of the gateway: it is not shown.
      if (seen !== undefined && name === "authorization")
        return changed("the gateway replaces the client's credentials with its own");
      if (name === "authorization" && !sent?.startsWith("Bearer assay-"))
        return changed("the gateway keeps the credentials of this run to itself");
      return broken(`the gateway ${happens} the metadata ${name}`, {
        saw: seen === undefined ? `no ${name}` : `${name}: ${seen}`,
        want: name === "authorization" ? "the authorization that the client sent" : `${name}: ${sent}`,
      });
    }),
  );

const unary = async (
  ends: Ends,
  operation: Operation & "SendMessage",
  judge: (arrived: Uint8Array | undefined, sent: Uint8Array, client: Exchange) => PropertyVerdict,
): Promise<ExaminedProperty> => {
  const spec = grpcRequestOf(
    operation,
    messageOf("message-only \u00e9\ud83d\ude00", { number: 1.5, list: [null, 0, ""] }),
  );
  let arrived: Uint8Array | undefined;
  let trouble: unknown;
  const passage = await ends.call(spec, async (call) => {
    arrived = await received(call).catch((error: unknown) => {
      trouble = error;
      return undefined;
    });
    call.answer(grpcV10.writeAnswer(operation, answer));
  });
  // A message that our own agent cannot read, for example because of its compression, is not the gateway's fault.
  if (trouble !== undefined)
    return { judgement: notExamined(`the agent of Assay cannot read the message: ${trouble}`), passages: [passage] };
  return judged(passage, (_, client) => judge(arrived, spec.message, client));
};

const properties: readonly GrpcProperty[] = [
  {
    id: "GW-GRPC-CALL",
    title: "The gateway passes gRPC calls on",
    breaks: "Clients cannot reach the gRPC interface of the agent.",
    remedy: "Enable HTTP/2 for clients and for the connection to the agent. Route /lf.a2a.v1.A2AService/ to the agent.",
    async examine(ends) {
      const passage = await ends.call(unknownGrpcTask());
      // GW-GRPC-STATUS judges its value.
      return judged(passage, (agent, client) =>
        endingOf(client).status === undefined ? sameEnding(agent, client, ["status"]) : preserved,
      );
    },
  },
  {
    id: "GW-GRPC-METADATA",
    title: "The gateway passes gRPC metadata on",
    breaks: "The agent does not see the version, the extensions, the credentials or the trace of the client.",
    rule: "VER-001",
    remedy: "Pass every header of a gRPC call on unchanged.",
    async examine(ends) {
      const given: HeaderPairs = [
        ...Object.entries(metadata).slice(1),
        ["authorization", `Bearer assay-${randomUUID()}`],
      ];
      return judged(await ends.call(unknownGrpcTask(given)), metadataJudgement);
    },
  },
  {
    id: "GW-GRPC-REQUEST",
    title: "The gateway keeps gRPC requests",
    breaks: "The agent gets other values than the client sent.",
    remedy: "Pass the messages of gRPC calls on as bytes.",
    examine: (ends) =>
      unary(ends, "SendMessage", (arrived, sent) =>
        judgedMessage("the request", sent, arrived, (bytes) => grpcV10.readRequest("SendMessage", bytes)),
      ),
  },
  {
    id: "GW-GRPC-ANSWER",
    title: "The gateway keeps gRPC responses",
    breaks: "The client gets other values than the agent sent.",
    remedy: "Pass the messages of gRPC calls on as bytes.",
    examine: (ends) =>
      unary(ends, "SendMessage", (_arrived, _sent, client) =>
        judgedMessage(
          "the response",
          grpcV10.writeAnswer("SendMessage", answer),
          client.http.grpc?.messages[0]?.bytes,
          (bytes) => grpcV10.readAnswer("SendMessage", bytes),
        ),
      ),
  },
  {
    id: "GW-GRPC-STATUS",
    title: "The gateway keeps the gRPC status of errors",
    breaks: "Clients take one error for another, for example a missing task for a broken gateway.",
    remedy: "Pass grpc-status and grpc-message on unchanged.",
    examine: (ends) => everyError(ends, ["status", "message"]),
  },
  {
    id: "GW-GRPC-DETAILS",
    title: "The gateway keeps the details of gRPC errors",
    breaks: "Clients cannot read the reason of an error.",
    remedy: "Pass grpc-status-details-bin on unchanged.",
    examine: (ends) => everyError(ends, ["details"]),
  },
  {
    id: "GW-GRPC-TRAILERS",
    title: "The gateway keeps the trailers of gRPC calls",
    breaks: "Clients cannot tell a complete stream from a failed one.",
    remedy: "Pass the trailers of HTTP/2 on.",
    async examine(ends) {
      const error = new A2AError("TaskNotFound", "An error behind a message");
      const passage = await ends.call(
        streamOf(),
        failingWith(error, (call) => void call.send(event(0))),
      );
      return judged(passage, (agent, client) => sameEnding(agent, client, ["status", "message"]));
    },
  },
  {
    id: "GW-GRPC-TIMING",
    title: "The gateway passes messages of a gRPC stream on as they happen",
    breaks: "Clients see nothing until the task has ended, and run into timeouts.",
    rule: "STREAM-001",
    remedy: "Disable response buffering for gRPC.",
    async examine(ends) {
      const count = 3;
      let arrived = 0;
      let isTimely = true;
      const passage = await ends.call(
        streamOf(),
        async (call) => {
          await received(call);
          for (let n = 0; n < count; n++) {
            // A gateway that cuts streams early has time to do it.
            if (n === count - 1) await sleep(1_500, undefined, { signal: call.signal });
            await call.send(event(n));
            isTimely &&= await ends.waitFor(() => arrived > n || call.signal.aborted, patienceMs);
          }
          call.end(grpcStatuses.OK);
        },
        { onEvent: () => arrived++ },
      );
      return judged(passage, (_, client) => {
        // Messages that never arrive are lost, not late.
        const whole = sameMessages(client, count);
        if (isTimely || whole.is === "broken") return whole;
        return broken("the gateway holds messages back until the stream ends", {
          saw: `a message that arrived only after the end of the stream, over ${patienceMs / 1_000} s after the agent sent it`,
          want: "each message as soon as the agent sends it",
        });
      });
    },
  },
  {
    id: "GW-GRPC-DISCONNECT",
    title: "The cancellation of a gRPC stream reaches the agent",
    breaks: "The agent keeps a stream open for each client that left.",
    remedy: "Reset the stream to the agent when the client cancels its call.",
    async examine(ends) {
      const leave = new AbortController();
      let isNoticed = false;
      let isClosedBefore = false;
      const passage = await ends.call(
        streamOf(),
        async (call) => {
          await received(call);
          await call.send(event(0));
          // A gateway that holds messages back may still pass a cancellation on.
          await ends.waitFor(() => leave.signal.aborted || call.signal.aborted, 1_000);
          isClosedBefore = !leave.signal.aborted && call.signal.aborted;
          leave.abort();
          // Gateways that read nothing from a client notice only with the next message.
          const more = setInterval(() => void call.send(event(1))?.catch(() => {}), 200);
          isNoticed = await ends.waitFor(() => call.signal.aborted, patienceMs).finally(() => clearInterval(more));
          call.end(grpcStatuses.OK);
        },
        { onEvent: () => leave.abort(), leave: leave.signal },
      );
      return judged(passage, (_, client) => {
        const { response } = client.http;
        if (response && response.status !== 200) return notExamined(`the gateway answered HTTP ${response.status}`);
        const { status } = endingOf(client);
        if (status !== undefined) return notExamined(`the gateway ended the call with grpc-status ${status}`);
        if (isClosedBefore) return notExamined(closedBefore);
        return isNoticed
          ? preserved
          : broken("the agent is not told that the client cancelled the call", {
              saw: "the stream to the agent stays open",
              want: `a reset stream within ${patienceMs / 1_000} s`,
            });
      });
    },
  },
];

export const grpcProperties: readonly Property[] = properties.map((property) => ({
  ...property,
  area: "grpc",
  on: "GRPC",
}));
