import { probe } from "../../check.ts";
import { isInternal, matches } from "../../expect-error.ts";
import { broken, crashed, type Finding, holds, notExamined } from "../../finding.ts";
import type { Lab } from "../../lab.ts";
import { contact } from "../../observations/contact.ts";
import { isTurnedAway, usesCertificates } from "../../observations/login.ts";
import { describeReply } from "../../reading.ts";
import type { Talk } from "../../talk.ts";
import { worstOf } from "../../worst-of.ts";

/** Calls a method that no specification of ours knows. */
const call = (lab: Lab, method: string): Promise<Talk> =>
  lab.http("GetTask", {}, (request) => ({
    ...request,
    body: Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 7, method, params: {} })),
  }));

export const methodsAskForALogin = probe({
  id: "EXT-015",
  title: "methods that an extension brings ask for the same login as the others",
  remedy: "Authenticate requests before the method is looked at, so that those of extensions are no exception.",
  // Only JSON-RPC has a place for further methods that a client can call without knowing more.
  bindings: ["JSONRPC"],
  requires: ["extensions", "credentials", "expectation:protectedMethods"],
  uses: { contact },
  async probe(_seen, lab) {
    if (usesCertificates(lab.facts))
      return notExamined("credentials", "callers are known by their certificate, which goes with every connection");
    const nobody = lab.as("anonymous")!;
    const findings = await Promise.all(
      (lab.expectations.protectedMethods ?? []).map(async (method): Promise<Finding> => {
        const ours = await call(lab, method);
        if (matches(ours, "MethodNotFound") || isTurnedAway(ours)) {
          const because = `the user cannot call ${method} either: ${describeReply(ours)}`;
          return notExamined("no-occasion", because, "expectations.protectedMethods in assay.yaml");
        }
        const theirs = await call(nobody, method);
        const details = { saw: describeReply(theirs), want: "an authentication error", at: [theirs, ours] };
        if (isTurnedAway(theirs)) return holds();
        if (isInternal(theirs))
          return crashed("a method of an extension without credentials is answered with an internal error", details);
        if (theirs.reply.is === "failure") return notExamined("unstable", `it got no answer: ${describeReply(theirs)}`);
        return broken("a method of an extension is served without credentials", details);
      }),
    );
    return findings.length ? worstOf("EXT-015", findings, lab) : notExamined("prompt", "no method was named");
  },
});
