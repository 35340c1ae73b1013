import type { JsonObject } from "@assay/protocol";
import { isInternal } from "../../answers/expect-error.ts";
import { brief, describeReply, errorOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { restrictedCaller, type TwoCallers } from "../../observations/restricted-caller.ts";
import { headerIn } from "../bindings/bodies.ts";
import { isForbidden } from "./names.ts";

/** What the one is refused and the other is not: by the status, since both may well be told that there is no task. */
const refusedOnly = (calls: readonly TwoCallers[]): readonly TwoCallers[] =>
  calls.filter(({ ours, theirs }) => isTurnedAway(theirs) && kindOf(ours) !== kindOf(theirs));

const isTurnedAway = (call: Call): boolean => call.reply.is === "error" || call.reply.is === "malformed";

function kindOf(call: Call): string {
  const error = errorOf(call);
  return error ? `${error.http} ${error.code} ${error.grpc?.code}` : call.reply.is;
}

const nothingRefused = notExamined(
  "not-triggered",
  "the principal with fewer rights was refused nothing of what was tried",
  "expectations.forbiddenOperations in assay.yaml",
);

const lackOfPermission = activeCheck({
  id: "ERR-010",
  title: "who lacks a permission gets an authorization error",
  remedy: "Refuse an operation that the caller may not use with HTTP 403, PERMISSION_DENIED or a JSON-RPC error.",
  uses: { restrictedCaller },
  async judge({ restrictedCaller: calls }, target) {
    const served = (await forbiddenCalls(calls, target)).filter(({ theirs }) => theirs.reply.is === "result");
    const findings = [
      ...served.map(({ operation, theirs }) =>
        broken(`${operation} succeeds for a caller without the permission`, {
          saw: describeReply(theirs),
          want: "HTTP 403, PERMISSION_DENIED or a JSON-RPC error",
          remedy: `Check the caller's permission, such as the scope of its token, before you serve ${operation}.`,
          at: theirs,
        }),
      ),
      ...refusedOnly(calls).map((pair) => judgeRefusal(pair, target)),
    ];
    return findings.length ? findings : nothingRefused;
  },
});

/** The calls of the restricted principal that the operator says must be refused; a message among them counts only where it is accepted. */
async function forbiddenCalls(
  calls: readonly TwoCallers[],
  target: Target,
): Promise<readonly Pick<TwoCallers, "operation" | "theirs">[]> {
  const { forbiddenOperations: forbidden = [] } = target.expectations;
  const made = calls.filter(({ operation }) => forbidden.includes(operation));
  if (!forbidden.includes("SendMessage")) return made;
  // A message of ours is JSON.
  const params = { message: target.message("task") as unknown as JsonObject };
  const theirs = await target.as("restricted")!.call("SendMessage", params, { refusable: true });
  return [...made, { operation: "SendMessage", theirs }];
}

function judgeRefusal({ operation, theirs }: TwoCallers, target: Target): Finding {
  const details = { saw: describeReply(theirs), want: "HTTP 403, PERMISSION_DENIED or a JSON-RPC error", at: theirs };
  if (isInternal(theirs))
    return crashed(`${operation} without the permission is answered with an internal error`, details);
  if (isForbidden(theirs, target) || (theirs.on.binding === "JSONRPC" && errorOf(theirs))) return holds();
  const message = `${operation} without the permission is refused with another error than an authorization error`;
  return breach("other-reason", message, details);
}

/** All they say is that it is forbidden. */
const bareWords =
  /^\W*(forbidden|permission[ _]denied|access[ _]denied|not (allowed|authori[sz]ed|permitted)|unauthori[sz]ed|http 403|403)?\W*$/i;

const namesThePermission = activeCheck({
  id: "ERR-011",
  title: "an authorization error names the permission that is missing",
  remedy: "Name the missing permission or scope in the message, the details, or scope in WWW-Authenticate.",
  uses: { restrictedCaller },
  judge({ restrictedCaller: calls }, target) {
    const findings = refusedOnly(calls)
      .filter(({ theirs }) => isForbidden(theirs, target))
      .map(({ operation, theirs }): Finding => {
        const error = errorOf(theirs);
        const challenge = headerIn(theirs.exchange.http.response?.headers ?? [], "www-authenticate") ?? "";
        const isNamed = /\bscope=/i.test(challenge) || !bareWords.test(error?.message ?? "");
        if (isNamed || JSON.stringify(error?.details ?? []).match(/scope|permission"|role/i)) return holds();
        return broken(`the refusal of ${operation} names no permission`, {
          saw: brief(error?.message ?? "no message"),
          want: "the permission or scope that is missing",
          at: theirs,
        });
      });
    return findings.length ? findings : nothingRefused;
  },
});

const grpcRefusals = activeCheck({
  id: "GRPC-015",
  title: "missing credentials are UNAUTHENTICATED, missing permissions PERMISSION_DENIED",
  remedy:
    "End calls without credentials with UNAUTHENTICATED, and those that are not permitted with PERMISSION_DENIED.",
  uses: { firstContact },
  async judge(_seen, target) {
    const id = target.unknownId();
    const ours = await target.call("GetTask", { id });
    const call = await target.as("anonymous")!.call("GetTask", { id });
    if (errorOf(call)?.grpc?.status === "UNAUTHENTICATED") return holds();
    if (call.shutOut) return notApplicable("callers without a certificate do not get through the handshake");
    // Only part of the agent may ask for credentials: whether it should have is not for this rule.
    if (call.reply.is === "result" || kindOf(call) === kindOf(ours))
      return notApplicable("GetTask asks for no credentials");
    const details = { saw: describeReply(call), want: "UNAUTHENTICATED", at: call };
    return broken("a call without credentials ends with another status than UNAUTHENTICATED", details);
  },
});

export const forbiddenChecks = [lackOfPermission, namesThePermission, grpcRefusals];
