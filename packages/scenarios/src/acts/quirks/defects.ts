import { type Binding, type ErrorName, isObject, type JsonValue } from "@assay/protocol";
import type { PeerError } from "@assay/wire";
import { isErrorNamed } from "../error-types.ts";
import type { Test } from "../model.ts";
import type { StepAnswer } from "../running/answer.ts";

/** A test of the corpus that expects behaviour which the protocol forbids or leaves open. */
export interface Defect {
  readonly step: string;
  readonly reason: string;
  /**
   * Returns true if the agent does what the protocol requires instead. Then the corpus is at fault; otherwise
   * the agent fails. Absent if the step proves nothing either way.
   */
  readonly conforms?: (answer: StepAnswer, binding: Binding) => boolean;
  /** returns true if the test is unchanged since this was written (default: it is) */
  readonly stillThere?: (test: Test) => boolean;
}

const withoutMessageId =
  "the raw message has no `messageId`, which the protocol requires (§4.1.4): an agent may reject it as invalid, and this one does";

/** The only event of a stream may be the rejection, too. */
const refusedAsInvalid = ({ root, events }: StepAnswer): boolean => rpcCode(events ? events[0] : root) === -32602;

const lenient = (step: string): Defect => ({ step, reason: withoutMessageId, conforms: refusedAsInvalid });

const pushNotSupported =
  "if push notifications are not supported, the protocol requires PushNotificationNotSupportedError (§3.3.2); the test expects UnsupportedOperationError";

const saysPushNotSupported: Defect["conforms"] = ({ error }, binding) =>
  error !== undefined && isNamed(error, binding, "PushNotificationNotSupported");

const bareRefusal =
  "the test expects an error in the body of a 401 or 403; authentication belongs to HTTP (§7.4), where a gateway may reject without a body";

const isBareRefusal: NonNullable<Defect["conforms"]> = ({ status, root }) =>
  (status === 401 || status === 403) && (root === undefined || root === "");

const canceledLater =
  "the test expects the task to be canceled when CancelTask returns; §3.1.5 promises only an attempt, and this agent is still canceling";

const isStillOpen: Defect["conforms"] = ({ root }) =>
  ["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"].some((state) => state === memberOf(memberOf(root, "status"), "state"));

const isCore = (binding: string): boolean => ["JSONRPC", "GRPC", "HTTP+JSON"].includes(binding);

/** Returns the text parts of the user's messages. */
function userTexts(task: JsonValue | undefined): string[] {
  const history = memberOf(task, "history");
  const messages = Array.isArray(history) ? history.filter((each) => memberOf(each, "role") === "ROLE_USER") : [];
  return messages.map((each) => JSON.stringify(memberOf(each, "parts") ?? []));
}

/** The provably defective tests of the corpus, by id. docs/acts.md lists them. */
export const defects: Readonly<Record<string, Defect>> = {
  "CORE-CAP-001": { step: "set-config", reason: pushNotSupported, conforms: saysPushNotSupported },
  "PUSH-CFG-004": { step: "set-config", reason: pushNotSupported, conforms: saysPushNotSupported },
  "CORE-ERR-007": {
    step: "get-missing-structured",
    reason:
      "the details of an error are a list of typed objects (§9.5, §10.6, §11.6; CORE-ERR-008 and JSONRPC-ERR-003 require it too); the test expects one object",
    conforms: ({ error, root }, binding) =>
      error !== undefined &&
      isNamed(error, binding, "TaskNotFound") &&
      (binding !== "JSONRPC" || [undefined, true].includes(isList(memberOf(memberOf(root, "error"), "data")))),
  },
  "REST-PD-001": {
    step: "get-missing-problem",
    reason: "HTTP+JSON errors have the body of google.rpc.Status (§11.6); the test expects RFC 7807",
    conforms: ({ root, status }) => {
      const error = memberOf(root, "error");
      return status === 404 && typeof memberOf(error, "message") === "string" && memberOf(error, "code") === 404;
    },
  },
  "CLIENT-PARSE-006": {
    step: "parse",
    reason:
      "the payload is not valid in 1.0: a part has no `file` with `bytes` and no `fileUrl` (§4.1.6 has `raw`, `url`, `filename`, `mediaType`), so reading it proves nothing",
    stillThere: ({ steps }) =>
      steps.some((step) => step.is === "client" && /"bytes"/.test(JSON.stringify(step.payload))),
  },
  "SEC-AUTH-006": {
    step: "get-agent-card-without-auth",
    reason:
      "the test allows a public card (status 200) and then expects an error in its body; §8.2 has public cards, which a client needs to check the precondition",
    conforms: ({ status, root }) => status === 200 && memberOf(root, "capabilities") !== undefined,
  },
  "SEC-AUTH-001": { step: "send-without-auth", reason: bareRefusal, conforms: isBareRefusal },
  "SEC-AUTH-002": {
    step: "send-insufficient-auth",
    reason: bareRefusal,
    // 401 means that the token is unknown, which shows nothing about permissions.
    conforms: (answer, binding) => answer.status === 403 && isBareRefusal(answer, binding),
  },
  "SEC-AUTH-004": { step: "get-task-without-auth", reason: bareRefusal, conforms: isBareRefusal },
  "SEC-EXTCARD-001": { step: "get-extended-card-without-auth", reason: bareRefusal, conforms: isBareRefusal },
  "SEC-EXTCARD-002": { step: "get-extended-card-insufficient-auth", reason: bareRefusal, conforms: isBareRefusal },
  "SEC-EXTCARD-004": { step: "get-extended-card-without-auth", reason: bareRefusal, conforms: isBareRefusal },
  "VER-NEG-002": {
    step: "send-without-version",
    reason:
      "a request without A2A-Version means 0.3 (§3.6.2), and 0.3 has no method SendMessage: an agent may reject it, and this one does",
    conforms: ({ root }) => [-32009, -32601, -32602].includes(rpcCode(root) ?? 0),
  },
  "JSONRPC-ERR-003": {
    step: "get-missing-error-info",
    reason: "the test requires google.rpc.ErrorInfo in the data of an error, which §9.5 only recommends",
    conforms: ({ root }) => rpcCode(root) === -32001 && memberOf(memberOf(root, "error"), "data") === undefined,
  },
  "CORE-ERR-005": {
    step: "get-missing-actionable",
    reason: "the test expects certain English words in an error message; the protocol prescribes none",
    conforms: ({ error }, binding) =>
      error !== undefined && isNamed(error, binding, "TaskNotFound") && error.message.length >= 12,
  },
  "CORE-SEND-004": {
    step: "send",
    reason:
      "the test expects the agent to reject a media type that an agent may accept (§3.3.2 names the error for agents that do not), and this one accepts it",
    conforms: ({ error, root }) =>
      error === undefined && (memberOf(root, "task") !== undefined || memberOf(root, "message") !== undefined),
  },
  "CORE-CANCEL-001": { step: "cancel", reason: canceledLater, conforms: isStillOpen },
  "GRPC-STREAM-002": { step: "cancel", reason: canceledLater, conforms: isStillOpen },
  "CARD-DISC-002": {
    step: "step-1",
    reason: "the test allows only the three bindings of the protocol; §12 lets agents declare custom ones by URI",
    conforms: ({ root }) => {
      const interfaces = memberOf(root, "supportedInterfaces");
      return (
        Array.isArray(interfaces) &&
        interfaces.every((each) => {
          const binding = memberOf(each, "protocolBinding");
          const isKnown = typeof binding === "string" && (isCore(binding) || URL.canParse(binding));
          return isKnown && ["url", "protocolVersion"].every((name) => typeof memberOf(each, name) === "string");
        })
      );
    },
  },
  "CORE-HIST-005": {
    step: "get",
    reason:
      "the test expects the user's third message at the third place of the history; §3.2.4 defines neither its length nor its order, nor whether it has agent messages",
    conforms: ({ root }) => {
      if (memberOf(root, "history") === undefined) return true;
      const said = userTexts(root);
      const isInOrder = (texts: readonly string[]): boolean =>
        /chronological first/.test(texts[0] ?? "") && /"done"/.test(texts[2] ?? "");
      return isInOrder(said) || isInOrder(said.toReversed());
    },
  },
  "CORE-HIST-006": {
    step: "get",
    reason:
      "the test expects the messages in the history, which an agent need not keep (§3.2.4), and this one does not",
    conforms: ({ root }) =>
      memberOf(root, "history") === undefined && memberOf(memberOf(root, "status"), "state") === "TASK_STATE_COMPLETED",
  },
  "DM-FMT-003": {
    step: "send",
    reason:
      "the test expects a direct message without contextId, which an agent may include (§3.4.1); its own description only asks that it is not empty",
    conforms: ({ root }) => {
      const message = memberOf(root, "message");
      return (
        memberOf(message, "role") === "ROLE_AGENT" &&
        [memberOf(message, "taskId"), memberOf(message, "contextId")].every((each) => each === undefined || each !== "")
      );
    },
  },
  "DM-SERIAL-001": {
    step: "send",
    reason: "the test expects a timestamp that is optional in the protocol (§4.1.2), and this agent sends none",
    conforms: ({ root }) => {
      const status = memberOf(memberOf(root, "task"), "status");
      return memberOf(status, "state") === "TASK_STATE_COMPLETED" && memberOf(status, "timestamp") === undefined;
    },
  },
  "CARD-EXT-001": {
    step: "step-1",
    reason:
      "the test expects the extended card from every agent that declares one; §3.3.4 has an error for agents that have not configured it yet, and this one returns it",
    conforms: ({ error }, binding) => error !== undefined && isNamed(error, binding, "ExtendedAgentCardNotConfigured"),
  },
  "PUSH-IDEM-001": {
    step: "delete-config-again",
    reason:
      "the test expects a success for deleting a missing configuration; idempotence refers to the effect (§3.1.10), and this agent reports that it no longer exists",
    conforms: ({ error }, binding) => error !== undefined && isNotFound(error, binding),
  },
  "PUSH-ERR-001": {
    step: "get-config",
    reason:
      "the test expects TaskNotFoundError for a missing configuration of an existing task; the protocol has no error for that, and this agent reports it as missing in its own words",
    conforms: ({ error }, binding) => error !== undefined && isNotFound(error, binding),
  },
  "VER-NEG-001": lenient("send-unsupported-version"),
  "DM-EXTRA-001": lenient("send-extra-field"),
  "DM-FMT-001": lenient("send-raw"),
  "JSONRPC-ENV-001": lenient("send-raw"),
  "JSONRPC-CT-001": lenient("send-raw"),
  "JSONRPC-SSE-001": lenient("stream-raw"),
  "CORE-ERR-008": lenient("send-missing-task"),
};

/** The corpus is for 1.0. */
const isNamed = (error: PeerError, binding: Binding, name: ErrorName): boolean =>
  isErrorNamed(error, { binding, dialect: "1.0" }, name);

/** Returns true for a not-found code, with any reason. */
const isNotFound = ({ reason: _, ...error }: PeerError, binding: Binding): boolean =>
  isNamed(error, binding, "TaskNotFound");

/** Returns true for a list; undefined if it is absent, as the protocol allows (§9.5 only recommends it). */
const isList = (value: JsonValue | undefined): boolean | undefined =>
  value === undefined ? undefined : Array.isArray(value);

const memberOf = (value: unknown, name: string): JsonValue | undefined =>
  isObject(value) ? (value[name] as JsonValue | undefined) : undefined;

/** Returns the defect of a test, if any. */
export function defectOf(test: Test): Defect | undefined {
  const defect = Object.hasOwn(defects, test.id) ? defects[test.id] : undefined;
  return defect && (defect.stillThere?.(test) ?? true) ? defect : undefined;
}

/**
 * The reason when a raw JSON-RPC step fails only on the HTTP status, which the protocol does not define for
 * errors.
 */
export const openStatus =
  "the test expects HTTP 200 with a JSON-RPC error; the protocol does not define that status, and the error itself is as expected";

export const isRpcError = (root: JsonValue | undefined): boolean => rpcCode(root) !== undefined;

function rpcCode(root: JsonValue | undefined): number | undefined {
  const code = memberOf(memberOf(root, "error"), "code");
  return typeof code === "number" ? code : undefined;
}
