import { errorTable, isObject, jsonObjectIn } from "@assay/protocol";
import type { ConformanceResult } from "@assay/suite/report";
import { type ClassFinding, failureReasons } from "./card-trouble.ts";
import type { ReasonCode } from "./reasons.ts";
import { headerIn, isPage, type SeenAnswer } from "./seen-answer.ts";

/** The result for one interface of the card: A2A, or the reason why not. */
export type InterfaceFinding = { readonly spoken: true } | ({ readonly spoken: false } & ClassFinding);

/** The rule that an interface works as the card declares it. Its result is the first contact with the interface. */
export const contactRule = "CARD-016";

const methodNotFound = errorTable.MethodNotFound.code;
const versionNotSupported = errorTable.VersionNotSupported.code;
const unimplemented = "12";

/** Classifies a response that is not A2A; the first match wins. */
const otherAnswers: readonly { readonly code: ReasonCode; readonly when: (answer: SeenAnswer) => boolean }[] = [
  { code: "endpoint-404", when: ({ status }) => status === 404 || status === 410 },
  { code: "endpoint-405", when: ({ status }) => status === 405 || status === 501 },
  { code: "endpoint-redirects", when: ({ status = 0 }) => status >= 300 && status < 400 },
  { code: "endpoint-page", when: isPage },
  { code: "endpoint-other-version", when: (answer) => errorCode(answer) === versionNotSupported },
  {
    code: "endpoint-other-protocol",
    when: (answer) => errorCode(answer) === methodNotFound || headerIn(answer.headers, "grpc-status") === unimplemented,
  },
];

/** Responses of a gateway or an overloaded server, which may change in a moment. */
export const passingStatus: Readonly<Record<number, ReasonCode>> = {
  429: "busy",
  502: "gateway",
  503: "gateway",
  504: "gateway",
};

const unexaminedReasons: Partial<Record<NonNullable<ConformanceResult["unexamined"]>, ReasonCode>> = {
  login: "endpoint-login",
  payment: "endpoint-payment",
  egress: "guard-interface",
  interrupted: "deadline",
};

/** Returns the result of the first contact with an interface, from the rule's result and the recorded responses. */
export function interfaceFinding(
  result: ConformanceResult | undefined,
  answers: readonly SeenAnswer[],
  shown: SeenAnswer | undefined,
): InterfaceFinding {
  const answer = shown ?? answers[0];
  const trouble = (code: ReasonCode): InterfaceFinding => ({ spoken: false, code, ...(answer && { answer }) });
  switch (result?.verdict) {
    case "pass":
      return { spoken: true };
    case "fail": {
      if (answer?.failure !== undefined && answer.status === undefined) return trouble(failureReasons[answer.failure]);
      return trouble((answer && otherAnswers.find(({ when }) => when(answer))?.code) ?? "endpoint-no-a2a");
    }
    case "not-examined":
    case "error": {
      const known = result.unexamined && unexaminedReasons[result.unexamined];
      if (known) return trouble(known);
      const failed = answers.findLast(({ failure }) => failure !== undefined);
      if (failed) return { spoken: false, code: endpointFailure(failed), answer: failed };
      return trouble(passingStatus[answer?.status ?? 0] ?? "unstable");
    }
    default:
      return trouble("nothing-examined");
  }
}

const endpointFailure = ({ failure }: SeenAnswer): ReasonCode =>
  failure === "refused-by-guard" ? "guard-interface" : failureReasons[failure!];

/** Returns the code of a JSON-RPC error. */
function errorCode({ start }: SeenAnswer): unknown {
  const error = jsonObjectIn(start)?.["error"];
  return isObject(error) ? error["code"] : undefined;
}

/**
 * Orders the reasons by how much they say, if no interface works. A response is certain, a missing one may be the
 * network's fault, and a request that Assay did not send is its own decision.
 */
const tellingFirst: readonly ReasonCode[] = [
  "endpoint-other-version",
  "endpoint-login",
  "endpoint-payment",
  "endpoint-page",
  "endpoint-other-protocol",
  "endpoint-no-a2a",
  "endpoint-redirects",
  "endpoint-too-large",
  "endpoint-404",
  "endpoint-405",
  "endpoint-timeout",
  "connection-dropped",
  "connection-refused",
  "no-connection",
  "tls",
  "dns",
  "gateway",
  "busy",
  "guard-interface",
];

export function mostTelling(findings: readonly InterfaceFinding[]): ClassFinding | undefined {
  const troubles = findings.filter((finding) => !finding.spoken);
  const named = tellingFirst.flatMap((code) => troubles.find((trouble) => trouble.code === code) ?? []);
  return named[0] ?? troubles[0];
}
