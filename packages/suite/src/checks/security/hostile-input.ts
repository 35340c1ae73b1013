import type { JsonObject, UnaryOperation } from "@assay/protocol";
import { isInternal } from "../../answers/expect-error.ts";
import { asObject, brief } from "../../answers/loose-json.ts";
import { answerOf, describeReply, errorOf, headerOf, isAccepted, isAnswered, taskIn } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { fileOnPrivateAddress, thirdPartyFiles } from "../../observations/files-by-reference.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { frameLikeMessage, unexpectedFile } from "../../observations/odd-messages.ts";
import { failsForUnknownTask, hiddenByFailure } from "../../observations/send-to-unknown-task.ts";
import { sendParams } from "../../observations/sending.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { taskStream } from "../../observations/task-stream.ts";
import { unknownTask } from "../../observations/unknown-task.ts";

const megabytes = 12;
const depth = 1_000;
const burst = 60;

/** Nested metadata, which overflows the stack of a careless reader. */
const nested = (levels: number): string => `${'{"n":'.repeat(levels)}0${"}".repeat(levels)}`;

/** Addresses an unknown task, so that it causes no work. */
const toNobody = (target: Target, more: JsonObject): JsonObject => ({
  message: { ...sendParams(target, { taskId: target.unknownId() }).message, ...more },
});

/** Members of a wrong type that no tolerant reader could accept (AMB-38). */
const wrongKinds: readonly (readonly [
  what: string,
  operation: UnaryOperation,
  params: (target: Target) => JsonObject,
])[] = [
  ["a string as message", "SendMessage", () => ({ message: "hello" })],
  ["parts that are not an array", "SendMessage", (target) => toNobody(target, { parts: "hello" })],
  ["a part that is an array", "SendMessage", (target) => toNobody(target, { parts: [[{ text: "hello" }]] })],
  ["metadata that is an array", "SendMessage", (target) => toNobody(target, { metadata: [1, 2] })],
  ["a string as configuration", "SendMessage", (target) => ({ ...toNobody(target, {}), configuration: "fast" })],
];

/** Makes a harmless call over a fresh connection, twice if needed: the agent may be busy closing the other one. */
async function callAfter(target: Target): Promise<Call> {
  const ask = (): Promise<Call> =>
    target.call("GetTask", { id: target.unknownId() }, { unrepeated: true, fresh: true });
  const first = await ask();
  return first.reply.is === "failure" ? ask() : first;
}

/** Over gRPC all calls share a connection; sixty connections would be a different burst. */
const ofItsOwn = ({ on }: Target): { readonly fresh?: true } => (on.binding === "GRPC" ? {} : { fresh: true });

export const withstands: readonly Check[] = [
  activeCheck("SEC-001", {
    // Over gRPC all calls share a connection, so closing it for the huge call ends the others too.
    bindings: ["JSONRPC", "HTTP+JSON"],
    uses: { firstContact },
    also: { unknownTask },
    rude: true,
    once: true,
    async judge({ unknownTask: plain }, target) {
      const asked = [
        ["huge", toNobody(target, { parts: [{ text: "x".repeat(megabytes * 1024 * 1024) }] })],
        ["deeply nested", toNobody(target, { metadata: JSON.parse(nested(depth)) as JsonObject })],
      ] as const;
      const findings: Finding[] = [];
      for (const [what, params] of asked) {
        const call = await target.call("SendMessage", params, {
          refusable: true,
          mayHangUp: true,
          timeout: Math.max(target.grace, 10_000),
        });
        const after = await callAfter(target);
        const details = answerOf(call, "an error or a response, and an agent that keeps running");
        if (after.reply.is === "failure") {
          findings.push(
            crashed(`the agent stops responding after a ${what} request`, { ...details, at: [after, call] }),
          );
        } else if (isInternal(call) && failsForUnknownTask(plain)) {
          findings.push(notExamined("not-triggered", hiddenByFailure));
        } else if (isInternal(call)) findings.push(broken(`a ${what} request causes an internal error`, details));
        // Closing the connection during the request also is a refusal.
        else findings.push(holds());
      }
      return findings;
    },
  }),

  activeCheck("SEC-003", {
    uses: { fileOnPrivateAddress },
    also: { thirdPartyFiles },
    judge({ fileOnPrivateAddress: tries, thirdPartyFiles: foreign }, { production, webhook }) {
      const visited = tries.filter(({ fetched }) => fetched);
      const [first] = visited;
      if (first) {
        const details = {
          saw: `${first.fetched!.method} by the agent at ${visited.map(({ address }) => hostIn(address)).join(", ")}`,
          want: "no requests to loopback or private addresses",
          at: first.call,
        };
        const message = `the agent fetches a file from the private address ${hostIn(first.address)}`;
        // The operator may allow this address.
        return production && !webhook?.declared
          ? broken(message, details)
          : breach("private-address-called", message, details);
      }
      if (!foreign?.shown) return holds();
      return breach("private-address-called", `the agent returns the content of ${foreign.shown}`, {
        saw: `the content of ${foreign.shown} in the response`,
        want: "no requests to metadata services, and no local files",
        at: foreign.call,
      });
    },
  }),

  activeCheck("SEC-004", {
    uses: { frameLikeMessage },
    // The control: messages without that text.
    also: { sentMessage, taskStream },
    judge({ frameLikeMessage: call, sentMessage: plain, taskStream: stream }) {
      const details = answerOf(call, "the text unchanged");
      if (headerOf(call.exchange, "x-assay-injected") !== undefined)
        return broken("text of a message becomes a header of the response", details);
      const control = call.streamed ? stream?.call : plain?.call;
      const isUsual = !control || framesOf(control).some(({ is }) => is === "malformed");
      for (const frame of framesOf(call)) {
        if (frame.is === "malformed" && isUsual)
          return notExamined("not-triggered", "the agent's responses are unreadable for any message");
        if (frame.is === "malformed")
          return broken("text of a message breaks the framing of the response", { ...details, saw: frame.because });
        if (frame.is === "result" && asObject(frame.json)?.["assayInjected"] !== undefined)
          return broken("text of a message becomes a separate event", { ...details, saw: brief(frame.json) });
      }
      if (isInternal(call)) return crashed("text that looks like a frame causes an internal error", details);
      return call.reply.is === "failure"
        ? notExamined("unstable", `the message got no response: ${describeReply(call)}`, "--timeout <seconds>")
        : holds();
    },
  }),

  activeCheck("SEC-005", {
    uses: { firstContact },
    rude: true,
    once: true,
    async judge(_seen, target) {
      const outcomes = await Promise.allSettled(
        Array.from({ length: burst }, () =>
          target.call("GetTask", { id: target.unknownId() }, { unrepeated: true, ...ofItsOwn(target) }),
        ),
      );
      const calls = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
      const failed = calls.filter(({ reply }) => reply.is === "failure");
      // A time limit of Assay that passes shows a slow network or a busy machine.
      const dropped = failed.filter(({ reply }) => reply.is === "failure" && !reply.failure.code.startsWith("timeout"));
      if (dropped.length) {
        return broken("the agent drops connections without a response in a burst of requests", {
          saw: `${dropped.length} of ${burst} requests: ${describeReply(dropped[0]!)}`,
          want: "a response, or 429 / RESOURCE_EXHAUSTED",
          at: dropped.slice(0, 3),
        });
      }
      if (failed.length)
        return notExamined("unstable", `a burst of requests: ${describeReply(failed[0]!)}`, "--timeout <seconds>");
      // Requests that were turned away repeatedly still got a response.
      return holds(calls.length < burst ? "the agent limits the rate of requests" : undefined);
    },
  }),

  activeCheck("SEC-009", {
    uses: { firstContact },
    async judge({ firstContact: { asked: plain } }, target) {
      const headers = [
        ["traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
        ["tracestate", "assay=1"],
      ] as const;
      const call = await target.call("GetTask", { id: target.unknownId() }, { headers });
      if (sameKind(call, plain)) return holds();
      return broken("a request with traceparent gets a different response than one without", {
        saw: describeReply(call),
        want: describeReply(plain),
        at: [call, plain],
      });
    },
  }),

  activeCheck("SEC-010", {
    uses: { firstContact },
    also: { unknownTask },
    async judge({ unknownTask: plain }, target) {
      const findings: Finding[] = [];
      for (const [what, operation, params] of wrongKinds) {
        const asked = params(target);
        const call = await target.call(operation, asked, { refusable: true, share: JSON.stringify(asked) });
        const isHidden = isInternal(call) && typeof asked["message"] !== "string" && failsForUnknownTask(plain);
        findings.push(isHidden ? notExamined("not-triggered", hiddenByFailure) : judgeRefused(what, call));
        // Stops at the first accepted request, to save the agent work.
        if (isAccepted(call)) break;
      }
      return findings;
    },
  }),
];

/** Returns the host of an address, as written. */
const hostIn = (address: string): string => /^[a-z]+:\/\/(\[[^\]]*\]|[^:/]*)/i.exec(address)?.[1] ?? address;

const framesOf = ({ reply }: Call) => (reply.is === "stream" ? reply.events : [reply]);

function judgeRefused(what: string, call: Call): Finding {
  const details = answerOf(call, "a validation error");
  if (isInternal(call)) return crashed(`a request with ${what} causes an internal error`, details);
  if (call.reply.is === "failure") return crashed(`a request with ${what} gets no response`, details);
  if (call.reply.is === "malformed")
    return breach("unreadable-answer", `a request with ${what} gets an unreadable response`, details);
  return errorOf(call) ? holds() : broken(`a request with ${what} returns no error`, details);
}

const sameKind = (a: Call, b: Call): boolean =>
  a.reply.is === b.reply.is && errorOf(a)?.http === errorOf(b)?.http && errorOf(a)?.code === errorOf(b)?.code;

export const strangeFiles = activeCheck("SEC-002", {
  uses: { unexpectedFile },
  once: true,
  judge({ unexpectedFile: call }) {
    const details = answerOf(call, "ContentTypeNotSupportedError, or a rejected task");
    if (isInternal(call))
      return crashed("a file with a media type that the card does not list causes an internal error", details);
    if (!isAnswered(call) || /_(REJECTED|FAILED)$/.test(taskIn(call)?.state ?? "")) return holds();
    return breach(
      "unlisted-type-taken",
      "the agent accepts a file with a media type that the card does not list",
      details,
    );
  },
});
