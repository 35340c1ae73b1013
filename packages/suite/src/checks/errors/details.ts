import { errorInfoType, isObject, type JsonObject, type JsonValue, jsonObjectIn, writtenText } from "@assay/protocol";
import { disguisedError } from "../../answers/disguised-error.ts";
import { isA2A } from "../../answers/error-names.ts";
import { matches } from "../../answers/expect-error.ts";
import { asObject, brief } from "../../answers/loose-json.ts";
import { answerOf, errorOf } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck, passiveCheck } from "../../define/check.ts";
import { breach, broken, type Finding, holds, notApplicable } from "../../define/finding.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { otherVersion } from "../../observations/other-version.ts";
import { rpcEnvelopes } from "../../observations/rpc-envelopes.ts";
import { unknownTask } from "../../observations/unknown-task.ts";
import { bodyOf, isBeforeTheBinding, isEventStream, responseOf, textOf } from "../bindings/bodies.ts";
import { callOf, errorsIn } from "../bindings/jsonrpc/request.ts";
import { isForbidden } from "./expect.ts";

/** Returns the details of each error in a response, as written; undefined for an error without details. */
function detailsIn(call: Call): { readonly code: JsonValue | undefined; readonly details: JsonValue | undefined }[] {
  switch (call.on.binding) {
    case "JSONRPC":
      return isForOlderVersion(call) ? [] : errorsIn(call).map(({ code, data }) => ({ code, details: data }));
    case "HTTP+JSON": {
      const status = responseOf(call)?.status ?? 200;
      const error = status >= 400 ? bodyOf(call)?.["error"] : undefined;
      return isObject(error) ? [{ code: status, details: (error as JsonObject)["details"] }] : [];
    }
    case "GRPC":
      return [];
  }
}

/**
 * Recognises a method of an older version, whatever A2A-Version says. A server that goes by the method name responds in
 * that version, where details have no fixed form.
 */
const isForOlderVersion = (call: Call): boolean => callOf(call)?.method.includes("/") ?? false;

const member = ({ on }: Call): string => (on.binding === "JSONRPC" ? "error.data" : "error.details");

/** ProtoJSON readers treat null as absent. */
const isAbsent = (value: JsonValue | undefined): value is undefined | null => value === undefined || value === null;

function judgeShape(call: Call): Finding[] {
  return detailsIn(call).flatMap(({ code, details }): Finding[] => {
    if (isAbsent(details)) return [];
    const where = member(call);
    const fault = !Array.isArray(details)
      ? `${where} is ${isObject(details) ? "an object" : `a ${typeof details}`} instead of an array`
      : details.every((entry) => typeof asObject(entry)?.["@type"] === "string")
        ? undefined
        : `an entry of ${where} has no @type`;
    if (fault === undefined) return [holds()];
    const more = { saw: `${where}: ${brief(details)}`, want: "an array of objects with @type", at: call };
    return [Number.isInteger(code) ? breach("untyped-details", fault, more) : broken(fault, more)];
  });
}

const detailsAreTyped = passiveCheck("ERR-002", {
  otherwise: "the agent's errors have no details",
  judge: judgeShape,
});

const rpcDataIsTyped = passiveCheck("JSONRPC-012", {
  shownBy: [rpcEnvelopes],
  otherwise: "the agent's errors have no details",
  judge: judgeShape,
});

const restDetailsAreTyped = passiveCheck("REST-029", {
  otherwise: "the agent's errors have no details",
  judge: judgeShape,
});

/** Accepts any google.rpc type, with any prefix. */
const isGoogleType = (detail: JsonValue): boolean =>
  /(^|\/)google\.rpc\.[A-Z]\w+$/.test(writtenText(asObject(detail)?.["@type"]));

/** The rule of the format reports details that are not an array. Nothing in them can be judged then. */
export const hasUnlistedDetails = (call: Call): boolean =>
  detailsIn(call).some(({ details }) => !isAbsent(details) && !Array.isArray(details));

/** No field can be named for a body that is not JSON. JSON-RPC has its own number for that. */
const isUnparsed = ({ exchange: { http } }: Call): boolean =>
  http.request.method === "POST" && jsonObjectIn(http.request.body) === undefined;

const detailsAreGoogles = passiveCheck("ERR-003", {
  otherwise: "the agent's errors have no details",
  judge(call) {
    if (hasUnlistedDetails(call)) return undefined;
    const details = errorOf(call)?.details ?? [];
    // The rules of the binding judge the format of details.
    if (!details.every((detail) => typeof asObject(detail)?.["@type"] === "string")) return undefined;
    if (details.some(isGoogleType)) return holds();
    const isDescribed = isA2A(call) || matches(call, "InvalidParams");
    if (!details.length) {
      if (!isDescribed || isUnparsed(call)) return undefined;
      return broken(
        "an error has no details",
        answerOf(call, `an entry of type ${errorInfoType}, or google.rpc.BadRequest for invalid parameters`),
      );
    }
    return broken("the details of an error have private types only", {
      saw: brief(details),
      want: `an entry of type ${errorInfoType}`,
    });
  },
});

const domain = "a2a-protocol.org";

/** Returns what is wrong with the ErrorInfo of an A2A error. */
function faultOfInfo(details: readonly JsonValue[]): string | undefined {
  const objects = details.map(asObject).filter((detail) => detail !== undefined);
  const info =
    objects.find((detail) => detail["@type"] === errorInfoType) ?? objects.find((detail) => "reason" in detail);
  if (!info) return "has no google.rpc.ErrorInfo";
  const { "@type": type, reason, domain: of } = info;
  if (type !== errorInfoType) return `has @type ${brief(type, 60)} in its ErrorInfo`;
  if (typeof reason !== "string" || !/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(reason) || /_ERROR$/.test(reason))
    return `has the reason ${brief(reason, 60)} in its ErrorInfo`;
  if (of !== domain) return `has the domain ${brief(of, 60)} in its ErrorInfo`;
  return undefined;
}

const wantInfo = `@type ${errorInfoType}, a reason like TASK_NOT_FOUND, domain ${domain}`;

const rpcErrorsCarryInfo = passiveCheck("JSONRPC-013", {
  judge(call) {
    const error = errorOf(call);
    if (call.on.binding !== "JSONRPC" || !error || !isA2A(call) || hasUnlistedDetails(call)) return undefined;
    const fault = faultOfInfo(error.details);
    if (fault === undefined) return holds();
    return broken(`an A2A error ${fault}`, {
      saw: error.details.length ? brief(error.details) : "no details",
      want: wantInfo,
    });
  },
});

/** Over HTTP+JSON and gRPC, only ErrorInfo identifies A2A errors, so it is required there. */
const errorsCarryInfo = (id: string) =>
  activeCheck(id, {
    uses: { unknownTask, otherVersion },
    judge({ unknownTask: asked, otherVersion: inVersion }, target) {
      const notFound = asked.map(({ call }) => call).filter(isNotFound);
      const versions = inVersion.map(({ call }) => call).filter((call) => errorOf(call) && isDefinite(call));
      const findings = [...notFound, ...versions]
        .filter((call) => !isForbidden(call, target))
        .map((call): Finding => {
          const { details } = errorOf(call)!;
          const fault = faultOfInfo(details);
          if (fault === undefined) return holds();
          const saw = details.length ? brief(details) : "no details";
          return broken(`an A2A error ${fault}`, { saw, want: wantInfo, at: call });
        });
      return findings.length ? findings : notApplicable("the agent returned no A2A error");
    },
  });

const isNotFound = (call: Call): boolean => {
  const error = errorOf(call);
  return error?.grpc ? error.grpc.status === "NOT_FOUND" : error?.http === 404;
};

/** Recognises a refusal of the version, as opposed to an internal error. */
const isDefinite = (call: Call): boolean => {
  const { grpc, http, reason } = errorOf(call)!;
  // UNIMPLEMENTED is the status of 1.0.0, and also that of unknown operations.
  if (grpc?.status === "UNIMPLEMENTED") return reason !== undefined;
  return grpc ? grpc.status === "FAILED_PRECONDITION" : http === 400;
};

const failuresAreErrors = passiveCheck("ERR-001", {
  shownBy: [firstContact],
  judge(call) {
    const error = errorOf(call);
    if (error) {
      if (error.message.trim() !== "") return holds();
      return broken("an error has no message", {
        saw: `message ${JSON.stringify(error.message)}`,
        want: "a human-readable message",
      });
    }
    const { reply } = call;
    const disguised = disguisedError(call);
    if (disguised) {
      return breach("error-as-success", "the agent reports a failure as a success that contains an error", {
        saw: brief(disguised),
        want: "an error of the binding",
      });
    }
    const response = responseOf(call);
    if (!call.fair || !response || call.on.binding === "GRPC" || isEventStream(call)) return undefined;
    // Other rules judge a missing path and the shape of a JSON body.
    if (
      reply.is !== "malformed" ||
      response.status < 400 ||
      isBeforeTheBinding(response.status) ||
      bodyOf(call) ||
      [404, 405].includes(response.status)
    )
      return undefined;
    return breach("error-not-in-binding-form", "the agent reports a failure without an error of the binding", {
      saw: `HTTP ${response.status} ${brief(textOf(response.body), 100)}`,
      want: "an error with code and message",
    });
  },
});

export const detailChecks = [
  failuresAreErrors,
  detailsAreTyped,
  detailsAreGoogles,
  rpcDataIsTyped,
  restDetailsAreTyped,
  rpcErrorsCarryInfo,
  errorsCarryInfo("REST-030"),
  errorsCarryInfo("GRPC-012"),
];
