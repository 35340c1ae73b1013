import { isInternal, matches } from "../../answers/expect-error.ts";
import { describeReply } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, crashed, type Finding, holds, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { isTurnedAway, mayBeVouchedFor } from "../../observations/login.ts";

/** Calls a method that no specification of ours knows. */
const callMethod = (target: Target, method: string): Promise<Call> =>
  target.http("GetTask", {}, (request) => ({
    ...request,
    body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 7, method, params: {} })),
  }));

export const methodsAskForALogin = activeCheck({
  id: "EXT-015",
  title: "methods that an extension brings ask for the same login as the others",
  remedy: "Authenticate requests before the method is looked at, so that those of extensions are no exception.",
  // Only JSON-RPC has a place for further methods that a client can call without knowing more.
  bindings: ["JSONRPC"],
  requires: ["extensions", "credentials", "expectation:protectedMethods"],
  uses: { firstContact },
  async judge(_seen, target) {
    const anonymous = target.as("anonymous")!;
    const findings = await Promise.all(
      (target.expectations.protectedMethods ?? []).map(async (method): Promise<Finding> => {
        const ours = await callMethod(target, method);
        if (matches(ours, "MethodNotFound") || isTurnedAway(ours)) {
          const because = `the user cannot call ${method} either: ${describeReply(ours)}`;
          return notExamined("not-triggered", because, "expectations.protectedMethods in assay.yaml");
        }
        const theirs = await callMethod(anonymous, method);
        const details = { saw: describeReply(theirs), want: "an authentication error", at: [theirs, ours] };
        if (isTurnedAway(theirs)) return holds();
        if (isInternal(theirs))
          return crashed("a method of an extension without credentials is answered with an internal error", details);
        if (theirs.reply.is === "failure") return notExamined("unstable", `it got no answer: ${describeReply(theirs)}`);
        if (mayBeVouchedFor(target.facts, theirs.on))
          return notExamined("credentials", "what lies between may show a certificate for every caller");
        return broken("a method of an extension is served without credentials", details);
      }),
    );
    return findings.length ? findings : notExamined("prompt", "no method was named");
  },
});
