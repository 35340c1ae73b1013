import type { JsonObject, UnaryOperation } from "@assay/protocol";
import { type Check, probe } from "../../check.ts";
import { isInternal } from "../../expect-error.ts";
import { broken, crashed, type Finding, holds, notExamined, odd } from "../../finding.ts";
import type { Lab } from "../../lab.ts";
import { canary } from "../../observations/canary.ts";
import { contact } from "../../observations/contact.ts";
import { injected } from "../../observations/injected.ts";
import { asObject, brief, describeReply, errorOf, headerOf } from "../../reading.ts";
import type { Talk } from "../../talk.ts";
import { worstOf } from "../../worst-of.ts";

const megabytes = 12;
const depth = 1_000;
const burst = 60;

/** Metadata in metadata: a line of text that costs a careless reader its stack. */
const nested = (levels: number): string => `${'{"n":'.repeat(levels)}0${"}".repeat(levels)}`;

/** To a task that nobody has, so that there is no work in it. */
const toNobody = (lab: Lab, more: JsonObject): JsonObject => ({
  // A message of ours is JSON.
  message: { ...(lab.message("task", { taskId: lab.unknownId() }) as unknown as JsonObject), ...more },
});

/** Members of the wrong kind altogether; what a tolerant reader could make something of is not among them (AMB-38). */
const wrongKinds: readonly (readonly [what: string, operation: UnaryOperation, params: (lab: Lab) => JsonObject])[] = [
  ["a message that is a text", "SendMessage", () => ({ message: "hello" })],
  ["parts that are no list", "SendMessage", (lab) => toNobody(lab, { parts: "hello" })],
  ["a part that is a list", "SendMessage", (lab) => toNobody(lab, { parts: [[{ text: "hello" }]] })],
  ["metadata that is a list", "SendMessage", (lab) => toNobody(lab, { metadata: [1, 2] })],
  ["configuration that is a text", "SendMessage", (lab) => ({ ...toNobody(lab, {}), configuration: "fast" })],
];

export const withstands: readonly Check[] = [
  probe({
    id: "SEC-001",
    title: "huge and deeply nested requests do no harm",
    remedy: "Limit the size and the depth of what you parse, and refuse what is beyond with 413 or an invalid request.",
    // Over gRPC all calls share a connection, and a server that hangs up on the huge one ends the others with it.
    bindings: ["JSONRPC", "HTTP+JSON"],
    uses: { contact },
    rude: true,
    once: true,
    async probe(_seen, lab) {
      const asked = [
        ["huge", toNobody(lab, { parts: [{ text: "x".repeat(megabytes * 1024 * 1024) }] })],
        ["deeply nested", toNobody(lab, { metadata: JSON.parse(nested(depth)) as JsonObject })],
      ] as const;
      const findings: Finding[] = [];
      for (const [what, params] of asked) {
        const talk = await lab.call("SendMessage", params, { refusable: true, timeout: Math.max(lab.grace, 10_000) });
        const after = await lab.call("GetTask", { id: lab.unknownId() });
        const details = { saw: describeReply(talk), want: "a refusal or an answer, and an agent that lives", at: talk };
        if (after.reply.is === "failure") {
          findings.push(
            crashed(`after a ${what} request the agent answers no more`, { ...details, at: [after, talk] }),
          );
        } else if (isInternal(talk)) findings.push(broken(`a ${what} request breaks the agent down`, details));
        // To hang up in the middle of it is a refusal, too.
        else findings.push(holds());
      }
      return worstOf("SEC-001", findings, lab);
    },
  }),

  probe({
    id: "SEC-003",
    title: "files on private addresses are not fetched",
    remedy: "Resolve the url of a file part before fetching it, and refuse loopback, link-local and private addresses.",
    uses: { canary },
    probe({ canary: { talk, visits } }) {
      const [visit] = visits;
      if (!visit) return holds();
      // Where agent and tester share a machine, that may well be wanted (AMB-19).
      return odd("a file on a private address is fetched", {
        saw: `${visit.method} by the agent`,
        want: "no request to loopback and private addresses",
        at: talk,
      });
    },
  }),

  probe({
    id: "SEC-004",
    title: "what users say cannot break the frame of an answer",
    remedy: "Write answers with a JSON serializer, one event per data line, and put no user text into headers.",
    uses: { injected },
    probe({ injected: talk }) {
      const details = { saw: describeReply(talk), want: "text that stays text", at: talk };
      if (headerOf(talk.exchange, "x-assay-injected") !== undefined)
        return broken("text of a message ends up as a header of the answer", details);
      const frames = talk.reply.is === "stream" ? talk.reply.events : [talk.reply];
      for (const frame of frames) {
        if (frame.is === "malformed")
          return broken("text of a message breaks the frame of the answer", { ...details, saw: frame.because });
        if (frame.is === "result" && asObject(frame.json)?.["assayInjected"] !== undefined)
          return broken("text of a message ends up as an event of its own", { ...details, saw: brief(frame.json) });
      }
      if (isInternal(talk)) return crashed("text that looks like a frame breaks the agent down", details);
      return talk.reply.is === "failure"
        ? notExamined("unstable", `no answer came: ${describeReply(talk)}`, "--timeout <seconds>")
        : holds();
    },
  }),

  probe({
    id: "SEC-005",
    title: "a burst of requests is answered",
    remedy: "Answer what is too much with 429 or RESOURCE_EXHAUSTED instead of dropping the connection.",
    uses: { contact },
    rude: true,
    once: true,
    async probe(_seen, lab) {
      const outcomes = await Promise.allSettled(
        Array.from({ length: burst }, () => lab.call("GetTask", { id: lab.unknownId() })),
      );
      const talks = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
      const dropped = talks.filter(({ reply }) => reply.is === "failure");
      if (dropped.length) {
        return broken("in a burst of requests connections are dropped without an answer", {
          saw: `${dropped.length} of ${burst} requests: ${describeReply(dropped[0]!)}`,
          want: "an answer, or 429 / RESOURCE_EXHAUSTED",
          at: dropped.slice(0, 3),
        });
      }
      // Those that were turned away again and again were at least told so.
      return holds(talks.length < burst ? "the agent limits the rate of requests" : undefined);
    },
  }),

  probe({
    id: "SEC-009",
    title: "requests that carry a trace are served like others",
    remedy: "Let the fields traceparent and tracestate (W3C Trace Context) pass your filters.",
    uses: { contact },
    async probe({ contact: plain }, lab) {
      const headers = [
        ["traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"],
        ["tracestate", "assay=1"],
      ] as const;
      const talk = await lab.call("GetTask", { id: lab.unknownId() }, { headers });
      if (sameKind(talk, plain)) return holds();
      return broken("a request with traceparent is answered in another way than one without", {
        saw: describeReply(talk),
        want: describeReply(plain),
        at: [talk, plain],
      });
    },
  }),

  probe({
    id: "SEC-010",
    title: "requests with members of the wrong kind are refused",
    remedy: "Validate requests against the schema before anything else, and answer what does not fit as invalid.",
    uses: { contact },
    async probe(_seen, lab) {
      const findings: Finding[] = [];
      for (const [what, operation, params] of wrongKinds) {
        const talk = await lab.call(operation, params(lab), { refusable: true });
        findings.push(judgeRefused(what, talk));
      }
      return worstOf("SEC-010", findings, lab);
    },
  }),
];

function judgeRefused(what: string, talk: Talk): Finding {
  const details = { saw: describeReply(talk), want: "a validation error", at: talk };
  if (isInternal(talk)) return crashed(`${what} breaks the agent down`, details);
  if (talk.reply.is === "failure") return crashed(`a request with ${what} gets no answer`, details);
  if (talk.reply.is === "malformed") return odd(`a request with ${what} is answered unreadably`, details);
  return errorOf(talk) ? holds() : broken(`a request with ${what} is accepted`, details);
}

const sameKind = (a: Talk, b: Talk): boolean =>
  a.reply.is === b.reply.is && errorOf(a)?.http === errorOf(b)?.http && errorOf(a)?.code === errorOf(b)?.code;
