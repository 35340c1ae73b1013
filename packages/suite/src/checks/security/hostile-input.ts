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
import { sendParams } from "../../observations/sending.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { taskStream } from "../../observations/task-stream.ts";

const megabytes = 12;
const depth = 1_000;
const burst = 60;

/** Metadata in metadata: a line of text that costs a careless reader its stack. */
const nested = (levels: number): string => `${'{"n":'.repeat(levels)}0${"}".repeat(levels)}`;

/** To an unknown task, so that there is no work in it. */
const toNobody = (target: Target, more: JsonObject): JsonObject => ({
  message: { ...sendParams(target, { taskId: target.unknownId() }).message, ...more },
});

/** Members of the wrong kind altogether; what a tolerant reader could make something of is not among them (AMB-38). */
const wrongKinds: readonly (readonly [
  what: string,
  operation: UnaryOperation,
  params: (target: Target) => JsonObject,
])[] = [
  ["a message that is a text", "SendMessage", () => ({ message: "hello" })],
  ["parts that are no list", "SendMessage", (target) => toNobody(target, { parts: "hello" })],
  ["a part that is a list", "SendMessage", (target) => toNobody(target, { parts: [[{ text: "hello" }]] })],
  ["metadata that is a list", "SendMessage", (target) => toNobody(target, { metadata: [1, 2] })],
  ["configuration that is a text", "SendMessage", (target) => ({ ...toNobody(target, {}), configuration: "fast" })],
];

/** A harmless call over a fresh connection, made again once: an agent that hangs up on a request may be busy with that. */
async function callAfter(target: Target): Promise<Call> {
  const ask = (): Promise<Call> =>
    target.call("GetTask", { id: target.unknownId() }, { unrepeated: true, fresh: true });
  const first = await ask();
  return first.reply.is === "failure" ? ask() : first;
}

/** Over gRPC all calls share one connection: sixty of their own would be another burst than the one that is meant. */
const ofItsOwn = ({ on }: Target): { readonly fresh?: true } => (on.binding === "GRPC" ? {} : { fresh: true });

const withstands: readonly Check[] = [
  activeCheck({
    id: "SEC-001",
    // Over gRPC all calls share a connection, and a server that hangs up on the huge one ends the others with it.
    bindings: ["JSONRPC", "HTTP+JSON"],
    uses: { firstContact },
    rude: true,
    once: true,
    async judge(_seen, target) {
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
        const details = answerOf(call, "a refusal or an answer, and an agent that lives");
        if (after.reply.is === "failure") {
          findings.push(
            crashed(`after a ${what} request the agent answers no more`, { ...details, at: [after, call] }),
          );
        } else if (isInternal(call)) findings.push(broken(`a ${what} request breaks the agent down`, details));
        // To hang up in the middle of it is a refusal, too.
        else findings.push(holds());
      }
      return findings;
    },
  }),

  activeCheck({
    id: "SEC-003",
    uses: { fileOnPrivateAddress },
    also: { thirdPartyFiles },
    judge({ fileOnPrivateAddress: tries, thirdPartyFiles: foreign }, { production, webhook }) {
      const visited = tries.filter(({ fetched }) => fetched);
      const [first] = visited;
      if (first) {
        const details = {
          saw: `${first.fetched!.method} by the agent at ${visited.map(({ address }) => hostIn(address)).join(", ")}`,
          want: "no request to loopback and private addresses",
          at: first.call,
        };
        const message = `the agent fetches a file from the private address ${hostIn(first.address)}`;
        // An agent that the operator let call this address may do so.
        return production && !webhook?.declared
          ? broken(message, details)
          : breach("private-address-called", message, details);
      }
      if (!foreign?.shown) return holds();
      return breach("private-address-called", `the agent shows what it found at ${foreign.shown}`, {
        saw: `the content of ${foreign.shown} in the answer`,
        want: "no request to metadata services, and no file of the agent's machine",
        at: foreign.call,
      });
    },
  }),

  activeCheck({
    id: "SEC-004",
    uses: { frameLikeMessage },
    // The same without that text.
    also: { sentMessage, taskStream },
    judge({ frameLikeMessage: call, sentMessage: plain, taskStream: stream }) {
      const details = answerOf(call, "text that stays text");
      if (headerOf(call.exchange, "x-assay-injected") !== undefined)
        return broken("text of a message ends up as a header of the answer", details);
      const control = call.streamed ? stream?.call : plain?.call;
      const isUsual = !control || framesOf(control).some(({ is }) => is === "malformed");
      for (const frame of framesOf(call)) {
        if (frame.is === "malformed" && isUsual)
          return notExamined("not-triggered", "answers of this agent cannot be read, whatever is said");
        if (frame.is === "malformed")
          return broken("text of a message breaks the frame of the answer", { ...details, saw: frame.because });
        if (frame.is === "result" && asObject(frame.json)?.["assayInjected"] !== undefined)
          return broken("text of a message ends up as an event of its own", { ...details, saw: brief(frame.json) });
      }
      if (isInternal(call)) return crashed("text that looks like a frame breaks the agent down", details);
      return call.reply.is === "failure"
        ? notExamined("unstable", `no answer came: ${describeReply(call)}`, "--timeout <seconds>")
        : holds();
    },
  }),

  activeCheck({
    id: "SEC-005",
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
      const dropped = calls.filter(({ reply }) => reply.is === "failure");
      if (dropped.length) {
        return broken("in a burst of requests connections are dropped without an answer", {
          saw: `${dropped.length} of ${burst} requests: ${describeReply(dropped[0]!)}`,
          want: "an answer, or 429 / RESOURCE_EXHAUSTED",
          at: dropped.slice(0, 3),
        });
      }
      // Those that were turned away again and again were at least told so.
      return holds(calls.length < burst ? "the agent limits the rate of requests" : undefined);
    },
  }),

  activeCheck({
    id: "SEC-009",
    uses: { firstContact },
    async judge({ firstContact: { asked: plain } }, target) {
      const headers = [
        ["traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
        ["tracestate", "assay=1"],
      ] as const;
      const call = await target.call("GetTask", { id: target.unknownId() }, { headers });
      if (sameKind(call, plain)) return holds();
      return broken("a request with traceparent is answered in another way than one without", {
        saw: describeReply(call),
        want: describeReply(plain),
        at: [call, plain],
      });
    },
  }),

  activeCheck({
    id: "SEC-010",
    uses: { firstContact },
    async judge(_seen, target) {
      const findings: Finding[] = [];
      for (const [what, operation, params] of wrongKinds) {
        const call = await target.call(operation, params(target), { refusable: true });
        findings.push(judgeRefused(what, call));
        // Whoever takes one has done work enough.
        if (isAccepted(call)) break;
      }
      return findings;
    },
  }),
];

/** The host of an address, as it was written. */
const hostIn = (address: string): string => /^[a-z]+:\/\/(\[[^\]]*\]|[^:/]*)/i.exec(address)?.[1] ?? address;

const framesOf = ({ reply }: Call) => (reply.is === "stream" ? reply.events : [reply]);

function judgeRefused(what: string, call: Call): Finding {
  const details = answerOf(call, "a validation error");
  if (isInternal(call)) return crashed(`${what} breaks the agent down`, details);
  if (call.reply.is === "failure") return crashed(`a request with ${what} gets no answer`, details);
  if (call.reply.is === "malformed")
    return breach("unreadable-answer", `a request with ${what} is answered unreadably`, details);
  return errorOf(call) ? holds() : broken(`a request with ${what} is accepted`, details);
}

const sameKind = (a: Call, b: Call): boolean =>
  a.reply.is === b.reply.is && errorOf(a)?.http === errorOf(b)?.http && errorOf(a)?.code === errorOf(b)?.code;

const strangeFiles = activeCheck({
  id: "SEC-002",
  uses: { unexpectedFile },
  once: true,
  judge({ unexpectedFile: call }) {
    const details = answerOf(call, "ContentTypeNotSupportedError, or a rejected task");
    if (isInternal(call)) return crashed("a file of a type that the card does not list breaks the agent down", details);
    if (!isAnswered(call) || /_(REJECTED|FAILED)$/.test(taskIn(call)?.state ?? "")) return holds();
    return breach("unlisted-type-taken", "a file of a type that the card does not list is taken", details);
  },
});

export const hostileInputChecks: readonly Check[] = [...withstands, strangeFiles];
