import { probe } from "../../../check.ts";
import { expectInvalid, isRefusal, matches } from "../../../expect-error.ts";
import { broken, type Finding, holds, notApplicable, tolerated } from "../../../finding.ts";
import type { Lab } from "../../../lab.ts";
import { invalidInput, type WrongInput } from "../../../observations/invalid-input.ts";
import { asList, asObject, brief, describeReply, errorOf } from "../../../reading.ts";
import type { Talk } from "../../../talk.ts";
import { worstOf } from "../../../worst-of.ts";
import { isUnknown } from "../operations-known.ts";

const inputIsValidated = probe({
  id: "ERR-004",
  title: "parameters are validated before anything is done",
  remedy: "Check every request against the schema first, and answer -32602, HTTP 400 or INVALID_ARGUMENT.",
  uses: { invalidInput },
  probe: ({ invalidInput: inputs }, lab) => worstOf("ERR-004", inputs.map(judgeRefused), lab),
});

function judgeRefused({ what, talk, missing, orNotFound }: WrongInput): Finding {
  if (orNotFound && matches(talk, "TaskNotFound")) return holds();
  // Refused, if not in the form of REST-027; or there is no such operation, which CAP-004 tells.
  if (isRefusedByStatus(talk) || isUnknown({ operation: talk.operation!, talk })) return holds();
  const found = expectInvalid(talk, what);
  // With which number it is refused is for ERR-005.
  if (found.is === "odd") return holds();
  // What is merely missing should be refused by §5.7, and must be by §3.3.2 (AMB-46).
  const isServed = found.is === "broken" && !errorOf(talk) && talk.reply.is !== "malformed";
  return missing && isServed
    ? tolerated("AMB-46", `${what} is accepted`, { saw: describeReply(talk), at: talk })
    : found;
}

const isRefusedByStatus = (talk: Talk): boolean => {
  const status = talk.exchange.http.response?.status ?? 0;
  return talk.on.binding === "HTTP+JSON" && talk.reply.is === "malformed" && status >= 400 && status < 500;
};

/** The refusals among them that are about the parameters. */
const refused = (inputs: readonly WrongInput[]): readonly WrongInput[] =>
  inputs.filter(
    ({ talk, orNotFound }) => isRefusal(talk) && !orNotFound && !isUnknown({ operation: talk.operation!, talk }),
  );

const nothingRefused = notApplicable("no wrong parameter was refused");

const validationNumbers = probe({
  id: "ERR-005",
  title: "validation errors are -32602, HTTP 400, INVALID_ARGUMENT",
  remedy: "Refuse wrong parameters with -32602 over JSON-RPC, HTTP 400 over HTTP+JSON, INVALID_ARGUMENT over gRPC.",
  uses: { invalidInput },
  probe({ invalidInput: inputs }, lab) {
    const findings = refused(inputs).map(({ what, talk }) => expectInvalid(talk, what));
    return findings.length ? worstOf("ERR-005", findings, lab) : nothingRefused;
  },
});

const validationNamesField = probe({
  id: "ERR-006",
  title: "a validation error says which parameter is wrong",
  remedy: "Name the field in the message of the error, or in the fieldViolations of a google.rpc.BadRequest.",
  uses: { invalidInput },
  probe({ invalidInput: inputs }, lab) {
    const findings = refused(inputs).map(({ what, field, talk }): Finding => {
      const { message, details } = errorOf(talk)!;
      const told = `${message} ${JSON.stringify(details)}`.toLowerCase().replaceAll("_", "");
      if (told.includes(field.toLowerCase())) return holds();
      return broken(`the refusal of ${what} does not name the field`, {
        saw: brief(message),
        want: `"${field}" in the message or in fieldViolations`,
        at: talk,
      });
    });
    return findings.length ? worstOf("ERR-006", findings, lab) : nothingRefused;
  },
});

const badRequest = "type.googleapis.com/google.rpc.BadRequest";

/** The same wish on each binding, in its own section. */
const carriesBadRequest = (id: string) =>
  probe({
    id,
    title: "validation errors carry a google.rpc.BadRequest with fieldViolations",
    remedy: `Add {"@type": "${badRequest}", "fieldViolations": [{"field": …, "description": …}]} to the details of validation errors.`,
    uses: { invalidInput },
    probe: ({ invalidInput: inputs }, lab) => judgeBadRequest(id, inputs, lab),
  });

function judgeBadRequest(id: string, inputs: readonly WrongInput[], lab: Lab): Finding {
  const findings = refused(inputs)
    .filter(({ talk }) => matches(talk, "InvalidParams"))
    .map(({ what, talk }): Finding => {
      const { details } = errorOf(talk)!;
      const found = details.find((detail) => asObject(detail)?.["@type"] === badRequest);
      if (asList(asObject(found)?.["fieldViolations"]).length > 0) return holds();
      return broken(
        `the refusal of ${what} has ${found ? "a BadRequest without fieldViolations" : "no google.rpc.BadRequest"}`,
        { saw: details.length ? brief(details) : "no details", want: `an entry of type ${badRequest}`, at: talk },
      );
    });
  return findings.length ? worstOf(id, findings, lab) : nothingRefused;
}

export const validationChecks = [
  inputIsValidated,
  validationNumbers,
  validationNamesField,
  carriesBadRequest("JSONRPC-014"),
  carriesBadRequest("REST-031"),
  carriesBadRequest("GRPC-014"),
];
