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

const want = "an authentication error: HTTP 401, UNAUTHENTICATED, or a private JSON-RPC error";

/** Checks that an unauthenticated call was refused, and with which error. */
function received({ operation, claimed, call }: Attempt, whom: string, vouchedFor: boolean): Finding {
  const saw = describeReply(call);
  const details = { saw, want, at: call };
  if (isTurnedAway(call)) return holds();
  if (isInternal(call)) return crashed(`${operation} ${whom} returns an internal error`, details);
  if (call.reply.is === "failure") return crashed(`${operation} ${whom} gets no response`, details);
  if (!errorOf(call) && call.reply.is !== "malformed") {
    if (vouchedFor)
      return notExamined("credentials", "a proxy may present a certificate for every caller", "an https address");
    return broken(`${operation} succeeds ${whom}`, details);
  }
  // If a request has two faults, either error may come first (AMB-34): the operation or the task may be missing too.
  return claimed
    ? breach("other-reason", `${operation} ${whom} returns an error that is not about the credentials`, details)
    : holds();
}

/** Checks that bad credentials were refused. Credentials with a single flaw may get other errors too. */
function refused({ flaw, ...attempt }: ForgedAttempt, vouchedFor: boolean): Finding {
  if (flaw === undefined) return received(attempt, "with forged credentials", vouchedFor);
  return received({ ...attempt, claimed: false }, `with bad credentials (${flaw})`, vouchedFor);
}

/** Returns the rejections, for the rules about how to reject. */
const rejections = (attempts: readonly Attempt[]): Call[] =>
  attempts.flatMap(({ call, claimed }) => (claimed && isTurnedAway(call) && !call.shutOut ? [call] : []));

/** Returns why there is no rejection to judge. */
const noneTold = (attempts: readonly Attempt[]): Finding =>
  attempts.some(({ call }) => call.shutOut)
    ? notApplicable("the TLS handshake rejects callers without a certificate")
    : notExamined("not-triggered", "the agent refused no call for missing credentials");

export const strangersTurnedAway: readonly Check[] = [
  activeCheck("AUTH-006", {
    uses: { unauthenticatedCalls },
    also: { sentMessage },
    withoutLogin: true,
    async judge({ unauthenticatedCalls: { anonymous, vouchedFor }, sentMessage: sent }, target) {
      const task = sent?.task;
      const findings = anonymous.map((attempt) => received(attempt, "without credentials", vouchedFor));
      const caller = target.as("anonymous");
      // With an existing task, the missing credentials are the only fault.
      for (const operation of task && caller ? (["GetTask", "CancelTask"] as const) : []) {
        const call = await ask(caller!, operation, { id: task!.id });
        findings.push(received({ operation, claimed: true, call }, "without credentials", vouchedFor));
      }
      return findings;
    },
  }),

  activeCheck("AUTH-007", {
    uses: { unauthenticatedCalls },
    judge: ({ unauthenticatedCalls: { forged, vouchedFor } }) => forged.map((attempt) => refused(attempt, vouchedFor)),
  }),

  activeCheck("AUTH-008", {
    uses: { unauthenticatedCalls },
    withoutLogin: true,
    judge({ unauthenticatedCalls: { anonymous, forged } }) {
      const findings = rejections([...anonymous, ...forged]).map((call): Finding => {
        if (isLogin(call)) return holds();
        const details = answerOf(call, call.on.binding === "GRPC" ? "UNAUTHENTICATED" : "HTTP 401");
        const message = "requests without valid credentials return the wrong error code";
        if (isForbidden(call)) return breach("forbidden-for-unauthenticated", message, details);
        if (call.on.binding === "JSONRPC" && call.exchange.http.response?.status === 200)
          return breach(
            "error-object-alone",
            "the JSON-RPC error for missing credentials comes without HTTP 401",
            details,
          );
        return broken(message, details);
      });
      return findings.length ? findings : noneTold([...anonymous, ...forged]);
    },
  }),

  activeCheck("AUTH-009", {
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
        if (challenge === undefined) return broken(silent, { saw: "HTTP 401 without WWW-Authenticate", ...details });
        const isNamed = known.some((scheme) => challenge.toLowerCase().includes(scheme.toLowerCase()));
        if (isNamed || known.length === 0) return holds();
        return breach("other-challenge", "WWW-Authenticate names none of the schemes on the card", {
          saw: challenge,
          ...details,
        });
      });
      return findings.length ? findings : noneTold(anonymous);
    },
  }),
];

const silent = "the authentication error does not say how to authenticate";
const hints = /authenticat|credential|token|bearer|basic|api.?key|oauth|login/i;

/** Returns all text of a gRPC error: message, details, metadata and trailers. */
function wordsOf(call: Call): string {
  const { headers = [], trailers = [] } = call.exchange.http.response ?? {};
  const error = errorOf(call);
  const fields = [...headers, ...trailers].filter(([name]) => !name.startsWith("grpc-"));
  return JSON.stringify([error?.message, error?.details, fields]);
}

const canList = ({ on }: Target): boolean => hasOperation(on, "ListTasks");

/** A free call that returns something to authorized callers; before 1.0, at least an error about the task. */
const call = (target: Target): Promise<Call> =>
  canList(target) ? target.call("ListTasks", { pageSize: 1 }) : target.call("GetTask", { id: target.unknownId() });

/** Limits the attempts to get a reused connection. */
const tries = 5;

export const everyRequestIsAuthenticated = activeCheck("AUTH-019", {
  // Over gRPC each call has its own metadata, and calls share the connection by design.
  bindings: ["JSONRPC", "HTTP+JSON"],
  uses: { firstContact },
  async judge(_seen, target) {
    const anonymous = target.as("anonymous");
    if (!anonymous || !loginOf(target.facts)) return notApplicable("the card requires no authentication");
    if (target.showsCertificate) return notApplicable("the certificate of the connection identifies callers");
    for (let attempt = 0; attempt < tries; attempt++) {
      const first = await call(target);
      if (isTurnedAway(first))
        return notExamined("credentials", "the user is not allowed to make the call to compare with");
      const second = await call(anonymous);
      if (!second.exchange.transport.reused) continue;
      // For an unknown task, an authorized caller gets an error, too.
      if (second.reply.is !== "result" && (canList(target) || isTurnedAway(second))) return holds();
      // The same bytes on a fresh connection: if they succeed there too, the connection does not matter.
      const fresh = await anonymous.raw([{ is: "send", bytes: second.exchange.transport.sent }]);
      if (fresh.http.response?.status === second.exchange.http.response?.status)
        return notApplicable("requests without credentials succeed on any connection");
      return broken("a request without credentials succeeds on a connection that was authenticated before", {
        saw: describeReply(second),
        want: "an authentication error",
        at: [second, first],
      });
    }
    return notExamined("unstable", "the agent closes every connection after one request");
  },
});

const guesses = 40;

export const slowsGuessing = activeCheck("AUTH-021", {
  uses: { unauthenticatedCalls },
  rude: true,
  once: true,
  async judge({ unauthenticatedCalls: { ways } }, target) {
    const forge = ways.find((way) => way.forge)?.forge;
    if (!forge) return notExamined("credentials", "Assay cannot forge credentials for the schemes on the card");
    const anonymous = target.as("anonymous")!;
    const calls: Call[] = [];
    while (calls.length < guesses) {
      const call = await anonymous.call("ListTasks", { pageSize: 1 }, { ...forge(), unrepeated: true });
      calls.push(call);
      // Closing the connection also slows down a guessing caller.
      if (isPassing(call) || call.reply.is === "failure") return holds();
    }
    if (isSlower(calls.slice(-10), calls.slice(0, 10))) return holds();
    const message = `the agent does not limit or delay ${guesses} wrong credentials in a row`;
    return breach("guessing-not-slowed", message, { want: "429, RESOURCE_EXHAUSTED or a delay", at: calls.at(-1)! });
  },
});

const isSlower = (late: readonly Call[], early: readonly Call[]): boolean =>
  mean(late) > 3 * mean(early) && mean(late) > mean(early) + 100;

const mean = (calls: readonly Call[]): number =>
  calls.reduce((sum, { exchange }) => sum + exchange.timing.end, 0) / calls.length;

export const knownButNotAllowed = activeCheck("AUTH-010", {
  uses: { restrictedCaller },
  judge({ restrictedCaller: calls }) {
    // A call that the agent also refuses to the user says nothing about permissions.
    const forbidden = calls.filter(({ ours, theirs }) => isTurnedAway(theirs) && !isTurnedAway(ours));
    if (forbidden.length === 0) {
      return notExamined(
        "not-triggered",
        "the agent refused none of the calls of the restricted principal",
        "principals.restricted in assay.yaml",
      );
    }
    return forbidden.map(({ theirs }): Finding => {
      if (!isLogin(theirs)) return holds();
      return broken(
        "the agent asks for credentials instead of reporting a missing permission",
        answerOf(theirs, "HTTP 403 or PERMISSION_DENIED"),
      );
    });
  },
});
