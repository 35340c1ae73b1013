import { isInternal } from "../../answers/expect-error.ts";
import { brief } from "../../answers/loose-json.ts";
import { answerOf, describeReply, errorOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, type Check } from "../../define/check.ts";
import { breach, broken, crashed, type Finding, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { type ForeignTask, foreignTask, restrictedCaller, type TwoCallers } from "../../observations/principals.ts";
import { sendParams } from "../../observations/sending.ts";
import { headerIn } from "../bindings/bodies.ts";
import { isForbidden } from "./expect.ts";

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
  const theirs = await target.as("restricted")!.call("SendMessage", sendParams(target), { refusable: true });
  return [...made, { operation: "SendMessage", theirs }];
}

function judgeRefusal({ operation, theirs }: TwoCallers, target: Target): Finding {
  const details = answerOf(theirs, "HTTP 403, PERMISSION_DENIED or a JSON-RPC error");
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
    const details = answerOf(call, "UNAUTHENTICATED");
    return broken("a call without credentials ends with another status than UNAUTHENTICATED", details);
  },
});

type Asked = ForeignTask["asked"][number];

/** What an answer says, without what differs between any two answers: ids, times, numbers of requests. */
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

const foreignLooksUnknown = activeCheck({
  id: "ERR-008",
  uses: { foreignTask },
  judge({ foreignTask: seen }) {
    const refused = seen.asked.filter(({ foreign }) => errorOf(foreign));
    if (!refused.length) return notApplicable("no operation on a task of another principal was refused");
    return refused.map(({ operation, foreign, unknown }): Finding => {
      if (told(foreign, seen) === told(unknown, seen)) return holds();
      return broken(`${operation} answers a task of another principal in another way than one that does not exist`, {
        saw: `${describeReply(foreign)}, and for an unknown id ${describeReply(unknown)}`,
        want: "the same error for both",
        at: [foreign, unknown],
      });
    });
  },
});

/** Words that say that the thing is there, or whose it is. */
const betraying =
  /\b(belongs? to|owned by|owner|another (?:user|principal|caller|client|account|tenant)|(?:other|different) (?:user|principal|account|tenant)|not yours|does exist|already exists|TASK_STATE_[A-Z]+)\b/i;

const foreignIsNotRevealed = activeCheck({
  id: "ERR-009",
  uses: { foreignTask },
  judge: ({ foreignTask: seen }) => seen.asked.map((one) => judgeRevealed(one, seen)),
});

function judgeRevealed({ operation, foreign, unknown }: Asked, seen: ForeignTask): Finding {
  const want = "the answer for a task that does not exist";
  const error = errorOf(foreign);
  const details = answerOf(foreign, want);
  if (!error) {
    const isShown = foreign.reply.is === "result" && JSON.stringify(foreign.reply.json).includes(seen.task.id);
    return isShown ? broken(`${operation} shows a task of another principal`, details) : holds();
  }
  // Who says the same about what does not exist has revealed nothing.
  if (told(foreign, seen) === told(unknown, seen)) return holds();
  const words = `${error.message} ${JSON.stringify(error.details)}`;
  const context = seen.task.contextId;
  if (context !== undefined && context !== seen.task.id && words.includes(context))
    return broken(`the error of ${operation} names the context of a task of another principal`, details);
  const found = betraying.exec(words);
  if (found && !betraying.test(errorOf(unknown)?.message ?? ""))
    return broken(`the error of ${operation} reveals that a task of another principal exists`, {
      ...details,
      saw: brief(error.message),
    });
  return holds();
}

export const authorizationChecks: readonly Check[] = [
  foreignLooksUnknown,
  foreignIsNotRevealed,
  lackOfPermission,
  namesThePermission,
  grpcRefusals,
];
