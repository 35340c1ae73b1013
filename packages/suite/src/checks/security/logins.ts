import { isInternal, isPassing } from "../../answers/expect-error.ts";
import { hasOperation } from "../../answers/operations-of.ts";
import { answerOf, describeReply, errorOf, headerOf, isForbidden, isLogin } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { isTurnedAway, loginOf } from "../../observations/login.ts";
import { restrictedCaller } from "../../observations/principals.ts";
import { sentMessage } from "../../observations/sent-message.ts";
import { type Attempt, type ForgedAttempt, unauthenticatedCalls } from "../../observations/unauthenticated-calls.ts";
import { ask } from "../../observations/unknown-task.ts";

const want = "an authentication error: HTTP 401, UNAUTHENTICATED, or a JSON-RPC error of its own";

/** Whether an unauthenticated call was refused, and by what. */
function received({ operation, claimed, call }: Attempt, whom: string, vouchedFor: boolean): Finding {
  const saw = describeReply(call);
  const details = { saw, want, at: call };
  if (isTurnedAway(call)) return holds();
  if (isInternal(call)) return crashed(`${operation} ${whom} is answered with an internal error`, details);
  if (call.reply.is === "failure") return crashed(`${operation} ${whom} got no answer`, details);
  if (!errorOf(call) && call.reply.is !== "malformed") {
    if (vouchedFor)
      return notExamined(
        "credentials",
        "what lies between may show a certificate for every caller",
        "an https address",
      );
    return broken(`${operation} is served ${whom}`, details);
  }
  // Of two things that are wrong, either may be said first (AMB-34): who has no such operation, or no such task, says so.
  return claimed
    ? breach("other-reason", `${operation} ${whom} is refused for another reason than the credentials`, details)
    : holds();
}

/** Whether bad credentials were refused. Of those that are good but for one thing, more than one thing may be said. */
function refused({ flaw, ...attempt }: ForgedAttempt, vouchedFor: boolean): Finding {
  if (flaw === undefined) return received(attempt, "with forged credentials", vouchedFor);
  return received({ ...attempt, claimed: false }, `with credentials that are no good: ${flaw}`, vouchedFor);
}

/** The rejections themselves, for the rules on how to reject. */
const rejections = (attempts: readonly Attempt[]): Call[] =>
  attempts.flatMap(({ call, claimed }) => (claimed && isTurnedAway(call) && !call.shutOut ? [call] : []));

/** Where no rejection was put into words. */
const noneTold = (attempts: readonly Attempt[]): Finding =>
  attempts.some(({ call }) => call.shutOut)
    ? notApplicable("callers without a certificate do not get through the handshake")
    : notExamined("not-triggered", "no call was refused for want of credentials");

export const strangersTurnedAway: readonly Check[] = [
  activeCheck({
    id: "AUTH-006",
    uses: { unauthenticatedCalls },
    also: { sentMessage },
    withoutLogin: true,
    async judge({ unauthenticatedCalls: { anonymous, vouchedFor }, sentMessage: sent }, target) {
      const task = sent?.task;
      const findings = anonymous.map((attempt) => received(attempt, "without credentials", vouchedFor));
      const caller = target.as("anonymous");
      // A task that exists leaves the caller as the only thing that is wrong.
      for (const operation of task && caller ? (["GetTask", "CancelTask"] as const) : []) {
        const call = await ask(caller!, operation, { id: task!.id });
        findings.push(received({ operation, claimed: true, call }, "without credentials", vouchedFor));
      }
      return findings;
    },
  }),

  activeCheck({
    id: "AUTH-007",
    uses: { unauthenticatedCalls },
    judge: ({ unauthenticatedCalls: { forged, vouchedFor } }) => forged.map((attempt) => refused(attempt, vouchedFor)),
  }),

  activeCheck({
    id: "AUTH-008",
    uses: { unauthenticatedCalls },
    withoutLogin: true,
    judge({ unauthenticatedCalls: { anonymous, forged } }) {
      const findings = rejections([...anonymous, ...forged]).map((call): Finding => {
        if (isLogin(call)) return holds();
        const details = answerOf(call, call.on.binding === "GRPC" ? "UNAUTHENTICATED" : "HTTP 401");
        const message = "requests without good credentials are not answered with the code for that";
        if (isForbidden(call)) return breach("forbidden-for-unauthenticated", message, details);
        if (call.on.binding === "JSONRPC" && call.exchange.http.response?.status === 200)
          return breach("error-object-alone", "JSON-RPC says it with an error object alone, without HTTP 401", details);
        return broken(message, details);
      });
      return findings.length ? findings : noneTold([...anonymous, ...forged]);
    },
  }),

  activeCheck({
    id: "AUTH-009",
    uses: { unauthenticatedCalls },
    withoutLogin: true,
    judge({ unauthenticatedCalls: { anonymous, ways } }) {
      const known = ways.flatMap(({ challenge }) => challenge ?? []);
      const findings = rejections(anonymous).map((call): Finding => {
        if (!isLogin(call) && call.on.binding !== "GRPC") return holds();
        if (call.on.binding === "GRPC") {
          return hints.test(wordsOf(call)) ? holds() : broken(silent, { saw: describeReply(call), at: call });
        }
        const challenge = headerOf(call.exchange, "www-authenticate");
        const details = { want: `WWW-Authenticate: ${known[0] ?? "<scheme>"} …`, at: call };
        if (challenge === undefined) return broken(silent, { saw: "a 401 without WWW-Authenticate", ...details });
        const isNamed = known.some((scheme) => challenge.toLowerCase().includes(scheme.toLowerCase()));
        if (isNamed || known.length === 0) return holds();
        return breach("other-challenge", "the challenge names none of the schemes of the card", {
          saw: challenge,
          ...details,
        });
      });
      return findings.length ? findings : noneTold(anonymous);
    },
  }),
];

const silent = "who is turned away does not learn how to authenticate";
const hints = /authenticat|credential|token|bearer|basic|api.?key|oauth|login/i;

/** Everything an error says over gRPC: message, details, metadata and trailers. */
function wordsOf(call: Call): string {
  const { headers = [], trailers = [] } = call.exchange.http.response ?? {};
  const error = errorOf(call);
  const fields = [...headers, ...trailers].filter(([name]) => !name.startsWith("grpc-"));
  return JSON.stringify([error?.message, error?.details, fields]);
}

const canList = ({ on }: Target): boolean => hasOperation(on, "ListTasks");

/** Costs nothing, and gives something to those who may have it; before 1.0, as much as that there is nothing. */
const call = (target: Target): Promise<Call> =>
  canList(target) ? target.call("ListTasks", { pageSize: 1 }) : target.call("GetTask", { id: target.unknownId() });

/** How often we try to get hold of a connection that has been used before. */
const tries = 5;

export const everyRequestIsAuthenticated = activeCheck({
  id: "AUTH-019",
  // Over gRPC every call has metadata of its own, and the connection is shared by design.
  bindings: ["JSONRPC", "HTTP+JSON"],
  uses: { firstContact },
  async judge(_seen, target) {
    const anonymous = target.as("anonymous");
    if (!anonymous || !loginOf(target.facts)) return notApplicable("the card asks for no authentication");
    if (target.showsCertificate) return notApplicable("callers are known by the certificate of the connection");
    for (let attempt = 0; attempt < tries; attempt++) {
      const first = await call(target);
      if (isTurnedAway(first))
        return notExamined("credentials", "the user may not make the call that is to be compared");
      const second = await call(anonymous);
      if (!second.exchange.transport.reused) continue;
      // Asked for a task that does not exist, the agent answers an error to those whom it serves as well.
      if (second.reply.is !== "result" && (canList(target) || isTurnedAway(second))) return holds();
      // The same bytes on a fresh connection: who is served there too is not known by the connection.
      const fresh = await anonymous.raw([{ is: "send", bytes: second.exchange.transport.sent }]);
      if (fresh.http.response?.status === second.exchange.http.response?.status)
        return notApplicable("requests without credentials are served on any connection");
      return broken("a request without credentials is served on a connection that was used with good ones before", {
        saw: describeReply(second),
        want: "an authentication error",
        at: [second, first],
      });
    }
    return notExamined("unstable", "the agent closes every connection after one request");
  },
});

const guesses = 40;

export const slowsGuessing = activeCheck({
  id: "AUTH-021",
  uses: { unauthenticatedCalls },
  rude: true,
  once: true,
  async judge({ unauthenticatedCalls: { ways } }, target) {
    const forge = ways.find((way) => way.forge)?.forge;
    if (!forge) return notExamined("credentials", "no credentials can be made up for the schemes of the card");
    const anonymous = target.as("anonymous")!;
    const calls: Call[] = [];
    while (calls.length < guesses) {
      const call = await anonymous.call("ListTasks", { pageSize: 1 }, { ...forge(), unrepeated: true });
      calls.push(call);
      // To hang up on a guessing caller is a way to slow down, too.
      if (isPassing(call) || call.reply.is === "failure") return holds();
    }
    if (isSlower(calls.slice(-10), calls.slice(0, 10))) return holds();
    const message = `${guesses} wrong credentials in a row are answered alike, without limit or delay`;
    return breach("guessing-not-slowed", message, { want: "429, RESOURCE_EXHAUSTED or a delay", at: calls.at(-1)! });
  },
});

const isSlower = (late: readonly Call[], early: readonly Call[]): boolean =>
  mean(late) > 3 * mean(early) && mean(late) > mean(early) + 100;

const mean = (calls: readonly Call[]): number =>
  calls.reduce((sum, { exchange }) => sum + exchange.timing.end, 0) / calls.length;

export const knownButNotAllowed = activeCheck({
  id: "AUTH-010",
  uses: { restrictedCaller },
  judge({ restrictedCaller: calls }) {
    // What the user is turned away from as well says nothing about rights.
    const forbidden = calls.filter(({ ours, theirs }) => isTurnedAway(theirs) && !isTurnedAway(ours));
    if (forbidden.length === 0) {
      return notExamined(
        "not-triggered",
        "the principal with fewer rights was refused nothing of what was tried",
        "principals.restricted in assay.yaml",
      );
    }
    return forbidden.map(({ theirs }): Finding => {
      if (!isLogin(theirs)) return holds();
      return broken(
        "who lacks a permission is asked for credentials again",
        answerOf(theirs, "HTTP 403 or PERMISSION_DENIED"),
      );
    });
  },
});
