import { isInternal } from "../../answers/expect-error.ts";
import { describeReply, errorOf, headerOf, isForbidden, isLogin } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import { isTurnedAway } from "../../observations/login.ts";
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
    return vouchedFor
      ? notExamined("credentials", "what lies between may show a certificate for every caller", "an https address")
      : broken(`${operation} is served ${whom}`, details);
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
    title: "requests without credentials are refused",
    remedy: "Authenticate every request before anything else, on every route and method; the public card is exempt.",
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
    title: "requests with invalid credentials are refused",
    remedy: "Verify the credentials themselves, not only that there are some, and only by the schemes of the card.",
    uses: { unauthenticatedCalls },
    judge: ({ unauthenticatedCalls: { forged, vouchedFor } }) => forged.map((attempt) => refused(attempt, vouchedFor)),
  }),

  activeCheck({
    id: "AUTH-008",
    title: "unauthenticated requests are refused with the code of the binding",
    remedy: "Answer HTTP 401, over gRPC UNAUTHENTICATED, to requests without good credentials.",
    uses: { unauthenticatedCalls },
    withoutLogin: true,
    judge({ unauthenticatedCalls: { anonymous, forged } }) {
      const findings = rejections([...anonymous, ...forged]).map((call): Finding => {
        if (isLogin(call)) return holds();
        const details = {
          saw: describeReply(call),
          want: call.on.binding === "GRPC" ? "UNAUTHENTICATED" : "HTTP 401",
          at: call,
        };
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
    title: "who is turned away learns how to authenticate",
    remedy: "Add WWW-Authenticate with the scheme to every 401; over gRPC, name it in the message or the metadata.",
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
        return isNamed || known.length === 0
          ? holds()
          : breach("other-challenge", "the challenge names none of the schemes of the card", {
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
