import { expectInvalid, isRefusal, matches } from "../../answers/expect-error.ts";
import { asList, asObject, brief } from "../../answers/loose-json.ts";
import { errorOf, resultOf, taskIn } from "../../answers/reading.ts";
import { isUnknown } from "../../answers/served.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds, isBreach, notApplicable, notExamined } from "../../define/finding.ts";
import { invalidInput, type WrongInput } from "../../observations/invalid-input.ts";
import { judgedCalls } from "../../observations/sent-calls.ts";
import { bodyOf } from "../bindings/bodies.ts";
import { hasUnlistedDetails } from "./details.ts";

const inputIsValidated = activeCheck("ERR-004", {
  uses: { invalidInput },
  judge: ({ invalidInput: inputs }) => naming(judgedCalls(inputs, judgeRefused)),
});

/** Adds to each breach what else was wrong, because a report shows only the worst finding of a rule. */
function naming(findings: readonly Finding[]): readonly Finding[] {
  const breaches = findings.filter((finding) => isBreach(finding));
  if (breaches.length < 2) return findings;
  return breaches.map((first) => {
    const all = [first, ...breaches.filter((other) => other !== first)];
    return breach(first.code, all.map(({ message }) => message).join("; "), {
      ...first,
      saw: all.map(({ saw }) => saw).join("; "),
      at: all.flatMap(({ at }) => at),
    });
  });
}

function judgeRefused({ what, call, missing, unknownValue, orNotFound }: WrongInput): Finding {
  if (orNotFound && matches(call, "TaskNotFound")) return holds();
  // Refused, although not in the format of REST-027; or the operation is missing, which CAP-004 reports.
  if (isRefusedByStatus(call) || isUnknown({ operation: call.operation!, call })) return holds();
  const found = expectInvalid(call, what);
  if (isBreach(found, "accepted") && (missing || (unknownValue !== undefined && isDropped(call, unknownValue))))
    return breach("incomplete-accepted", found.message, found);
  // ERR-005 judges the error number.
  return isBreach(found, "not-a-validation-error") ? holds() : found;
}

/** The resulting task shows the values the agent read, without the unknown one. */
const isDropped = (call: Call, value: string): boolean =>
  (taskIn(call)?.history.length ?? 0) > 0 && !JSON.stringify(resultOf(call)).includes(value);

const isRefusedByStatus = (call: Call): boolean => {
  const status = call.exchange.http.response?.status ?? 0;
  return call.on.binding === "HTTP+JSON" && call.reply.is === "malformed" && status >= 400 && status < 500;
};

/** Returns the refusals that are about the parameters. */
const refused = (inputs: readonly WrongInput[]): readonly WrongInput[] =>
  inputs.filter(
    ({ call, orNotFound }) => isRefusal(call) && !orNotFound && !isUnknown({ operation: call.operation!, call }),
  );

const nothingRefused = notApplicable("the agent refused no invalid parameter");

const validationNumbers = activeCheck("ERR-005", {
  uses: { invalidInput },
  judge({ invalidInput: inputs }) {
    const findings = refused(inputs).map(({ what, call }) => expectInvalid(call, what));
    return findings.length ? findings : nothingRefused;
  },
});

const validationNamesField = activeCheck("ERR-006", {
  uses: { invalidInput },
  judge({ invalidInput: inputs }) {
    const findings = refused(inputs).map(({ what, field, call }): Finding => {
      const { message, details } = errorOf(call)!;
      // Another rule reports details in a wrong format. They may still name the field.
      const written = hasUnlistedDetails(call) ? bodyOf(call)?.["error"] : details;
      const told = `${message} ${JSON.stringify(written)}`.toLowerCase().replaceAll("_", "");
      if (told.includes(field.toLowerCase())) return holds();
      return broken(`the error for ${what} does not name the field`, {
        saw: brief(message),
        want: `"${field}" in the message or in fieldViolations`,
        at: call,
      });
    });
    return findings.length ? findings : nothingRefused;
  },
});

const badRequest = "type.googleapis.com/google.rpc.BadRequest";

/** Makes the check of one binding: each binding has its own section for the same recommendation. */
const carriesBadRequest = (id: string) =>
  activeCheck(id, {
    uses: { invalidInput },
    judge: ({ invalidInput: inputs }) => judgeBadRequest(inputs),
  });

function judgeBadRequest(inputs: readonly WrongInput[]): Finding | readonly Finding[] {
  const findings = refused(inputs)
    .filter(({ call }) => matches(call, "InvalidParams"))
    .map(({ what, call }): Finding => {
      const { details } = errorOf(call)!;
      const found = details.find((detail) => asObject(detail)?.["@type"] === badRequest);
      if (asList(asObject(found)?.["fieldViolations"]).length > 0) return holds();
      if (hasUnlistedDetails(call)) return notExamined("prerequisite", "the details of an error are not in an array");
      return broken(
        `the error for ${what} has ${found ? "a BadRequest without fieldViolations" : "no google.rpc.BadRequest"}`,
        { saw: details.length ? brief(details) : "no details", want: `an entry of type ${badRequest}`, at: call },
      );
    });
  return findings.length ? findings : nothingRefused;
}

export const validationChecks = [
  inputIsValidated,
  validationNumbers,
  validationNamesField,
  carriesBadRequest("JSONRPC-014"),
  carriesBadRequest("REST-031"),
  carriesBadRequest("GRPC-014"),
];
