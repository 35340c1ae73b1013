import { isInternal } from "../../answers/expect-error.ts";
import { brief } from "../../answers/loose-json.ts";
import { answerOf, describeReply, errorOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { type ForeignTask, foreignTask, restrictedCaller, type TwoCallers } from "../../observations/principals.ts";
import { sendParams } from "../../observations/sending.ts";
import { headerIn } from "../bindings/bodies.ts";
import { isForbidden } from "./expect.ts";

/** Keeps calls that only the restricted principal was refused. Compares by status, as both may get "task not found". */
const refusedOnly = (calls: readonly TwoCallers[]): readonly TwoCallers[] =>
  calls.filter(({ ours, theirs }) => isTurnedAway(theirs) && kindOf(ours) !== kindOf(theirs));

const isTurnedAway = (call: Call): boolean => call.reply.is === "error" || call.reply.is === "malformed";

function kindOf(call: Call): string {
  const error = errorOf(call);
  return error ? `${error.http} ${error.code} ${error.grpc?.code}` : call.reply.is;
}

const nothingRefused = notExamined(
  "not-triggered",
  "the agent refused none of the calls of the restricted principal",
  "expectations.forbiddenOperations in assay.yaml",
);

export const lackOfPermission = activeCheck("ERR-010", {
  uses: { restrictedCaller },
  async judge({ restrictedCaller: calls }, target) {
    const served = (await forbiddenCalls(calls, target)).filter(({ theirs }) => theirs.reply.is === "result");
    const findings = [
      ...served.map(({ operation, theirs }) =>
        broken(`${operation} succeeds for a caller without permission`, {
          saw: describeReply(theirs),
          want: "HTTP 403, PERMISSION_DENIED or a JSON-RPC error",
          remedy: `Check the caller's permission, for example the scope of the token, before you serve ${operation}.`,
          at: theirs,
        }),
      ),
      ...refusedOnly(calls).map((pair) => judgeRefusal(pair, target)),
    ];
    return findings.length ? findings : nothingRefused;
  },
});

/**
 * Returns the restricted principal's calls that the operator wants refused. A message counts only if it was accepted.
 */
async function forbiddenCalls(
  calls: readonly TwoCallers[],
  target: Target,
): Promise<readonly Pick<TwoCallers, "operation" | "theirs">[]> {
  const { forbiddenOperations: forbidden = [] } = target.expectations;
  const made = calls.filter(({ operation }) => forbidden.includes(operation));
  if (!forbidden.includes("SendMessage")) return made;
  const theirs = await target.as("restricted")!.call("SendMessage", sendParams(target), { refusable: true });
  return [...made, { operation: "SendMessage", theirs }];
}

function judgeRefusal({ operation, theirs }: TwoCallers, target: Target): Finding {
  const details = answerOf(theirs, "HTTP 403, PERMISSION_DENIED or a JSON-RPC error");
  if (isInternal(theirs)) return crashed(`${operation} without permission returns an internal error`, details);
  if (isForbidden(theirs, target) || (theirs.on.binding === "JSONRPC" && errorOf(theirs))) return holds();
  const message = `${operation} without permission returns an error that is not an authorization error`;
  return breach("other-reason", message, details);
}

/** Messages that say nothing more than "forbidden". */
const bareWords =
  /^\W*(forbidden|permission[ _]denied|access[ _]denied|not (allowed|authori[sz]ed|permitted)|unauthori[sz]ed|http 403|403)?\W*$/i;

export const namesThePermission = activeCheck("ERR-011", {
  uses: { restrictedCaller },
  judge({ restrictedCaller: calls }, target) {
    const findings = refusedOnly(calls)
      .filter(({ theirs }) => isForbidden(theirs, target))
      .map(({ operation, theirs }): Finding => {
        const error = errorOf(theirs);
        const challenge = headerIn(theirs.exchange.http.response?.headers ?? [], "www-authenticate") ?? "";
        const isNamed = /\bscope=/i.test(challenge) || !bareWords.test(error?.message ?? "");
        if (isNamed || JSON.stringify(error?.details ?? []).match(/scope|permission"|role/i)) return holds();
        return broken(`the error of ${operation} does not name the missing permission`, {
          saw: brief(error?.message ?? "no message"),
          want: "the missing permission or scope",
          at: theirs,
        });
      });
    return findings.length ? findings : nothingRefused;
  },
});

export const grpcRefusals = activeCheck("GRPC-015", {
  uses: { firstContact },
  async judge(_seen, target) {
    const id = target.unknownId();
    const ours = await target.call("GetTask", { id });
    const call = await target.as("anonymous")!.call("GetTask", { id });
    if (errorOf(call)?.grpc?.status === "UNAUTHENTICATED") return holds();
    if (call.shutOut) return notApplicable("the TLS handshake rejects callers without a certificate");
    // An agent may require credentials for some operations only; other rules judge whether it should.
    if (call.reply.is === "result" || kindOf(call) === kindOf(ours))
      return notApplicable("GetTask requires no credentials");
    const details = answerOf(call, "UNAUTHENTICATED");
    return broken("a call without credentials returns a status other than UNAUTHENTICATED", details);
  },
});

type Asked = ForeignTask["asked"][number];

/** Returns the text of a response without ids, times and request numbers, which differ between any two responses. */
function told(call: Call, { task, unknownId }: ForeignTask): string {
  const error = errorOf(call);
  if (!error) return describeReply(call);
  const { message, http, code, grpc, details } = error;
  return JSON.stringify({ http, code, grpc, message, details })
    .replaceAll(task.id, "<id>")
    .replaceAll(unknownId, "<id>")
    .replaceAll(/\b[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}\b/gi, "<uuid>")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)?/g, "<time>")
    .replaceAll(/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi, "<number>");
}

export const foreignLooksUnknown = activeCheck("ERR-008", {
  uses: { foreignTask },
  judge({ foreignTask: seen }) {
    const refused = seen.asked.filter(({ foreign }) => errorOf(foreign));
    if (!refused.length) return notApplicable("the agent refused no operation on a task of another principal");
    return refused.map(({ operation, foreign, unknown }): Finding => {
      if (told(foreign, seen) === told(unknown, seen)) return holds();
      return broken(`${operation} returns different errors for a task of another principal and for an unknown task`, {
        saw: `${describeReply(foreign)}; for an unknown id ${describeReply(unknown)}`,
        want: "the same error for both",
        at: [foreign, unknown],
      });
    });
  },
});

/** Words that reveal that the task exists, or who owns it. */
const betraying =
  /\b(belongs? to|owned by|owner|another (?:user|principal|caller|client|account|tenant)|(?:other|different) (?:user|principal|account|tenant)|not yours|does exist|already exists|TASK_STATE_[A-Z]+)\b/i;

export const foreignIsNotRevealed = activeCheck("ERR-009", {
  uses: { foreignTask },
  judge: ({ foreignTask: seen }) => seen.asked.map((one) => judgeRevealed(one, seen)),
});

function judgeRevealed({ operation, foreign, unknown }: Asked, seen: ForeignTask): Finding {
  const want = "the response for an unknown task";
  const error = errorOf(foreign);
  const details = answerOf(foreign, want);
  if (!error) {
    const isShown = foreign.reply.is === "result" && JSON.stringify(foreign.reply.json).includes(seen.task.id);
    return isShown ? broken(`${operation} returns a task of another principal`, details) : holds();
  }
  // The same response for an unknown task reveals nothing.
  if (told(foreign, seen) === told(unknown, seen)) return holds();
  const words = `${error.message} ${JSON.stringify(error.details)}`;
  const context = seen.task.contextId;
  if (context !== undefined && context !== seen.task.id && words.includes(context))
    return broken(`the error of ${operation} reveals the context of another principal's task`, details);
  const found = betraying.exec(words);
  if (found && !betraying.test(errorOf(unknown)?.message ?? ""))
    return broken(`the error of ${operation} reveals that another principal's task exists`, {
      ...details,
      saw: brief(error.message),
    });
  return holds();
}
