/**
 * What a check can see of a rule that is not kept. `broken` is the plain case, in which level and basis of the rule decide;
 * every other code has rows in `severity.yaml` that say what it comes to, for which rules, bindings and versions.
 */
export const breachCodes = {
  broken: "not kept, in the plain sense of the rule's text",
  crashed: "a crash, a hang or a broken frame in answer to a request that is well understood",
  "blocks-others": "what stands in the way of other rules is itself not kept",
  odd: "to be dissolved into codes of their own",
  tolerated: "to be dissolved into codes of their own",
  "error-table-1.0.0": "the right error, with the numbers that the table of 1.0.0 gives it",

  // refusals: of every rule that expects one
  accepted: "taken, where a refusal is expected",
  "incomplete-accepted": "taken, although a required member is missing",
  "out-of-range-accepted": "taken, with a number that is out of its range",
  "other-error": "refused with another error than the one that is named for it",
  "related-error": "refused with an error that a fair reading of the text allows as well",
  "other-reason": "refused for another reason than the one the rule is about",
  "not-a-validation-error": "refused as invalid should be, with an error that is none of validation",
  "internal-error-number": "refused with the code of internal errors, under an HTTP status that tells of none",
  "refused-as-internal": "what the agent does not offer is refused with the internal error",
  "reason-contradicts-code": "the right code of JSON-RPC, and the reason of another error beside it",
  "unspecific-error": "refused with an error of the binding, where A2A has one of its own",

  // sending, getting, listing and cancelling
  "no-parts": "a message of the agent without parts",
  "missing-id-not-found": "a request that lacks the id of a task is answered as if the task were unknown",
  "history-despite-zero": "messages of the history, where none were asked for",
  "task-operation-unknown": "an agent that makes no tasks does not know an operation on tasks",
  "task-operation-unsupported": "an agent that makes no tasks says that it does not support an operation on tasks",
  "empty-member-omitted": "a required member is left out where it would be empty",
  "empty-list-member": "an empty list is written where the member is to be left out",
  "page-size-range": "a pageSize in an answer that is not between 1 and 100",
  "page-size-echo": "a pageSize in an answer that is not the one that was asked for",
  "total-size-too-large": "a totalSize that counts more than the tasks that match",
  "untimed-tasks": "tasks of a list that do not say when their status changed",
  "boundary-left-out": "a task whose status is of just the time that was asked for is not listed",
  "strange-token-overlooked": "a pageToken that was never issued is treated as if none were given",

  // streams
  "late-snapshot": "a Task comes again in the middle of a stream",
  "artifact-after-end": "an artifact update behind the status that ended the task",
  "snapshot-after-final": "the task as it ended behind the event that is marked as final",
  "stale-snapshot": "a closing Task that is not the task as it ended",
  "open-while-waiting": "a stream stays open while the agent waits for the user",
  "single-event": "the only event of a stream is the task when it has ended",
  "proxied-burst": "all events of a stream come at once at the end, from behind a proxy",
  "falling-times": "the times of the statuses in a stream fall",
  "failed-after-hang-up": "a slow task ends without success after the client of its stream has hung up",
  "subscribe-by-get": "a task is subscribed to by GET, and not by POST",
  "answer-without-stream": "a subscription to an ended task is answered without a stream",
  "subscription-refused": "a subscription to a task at work is refused",

  // the life of a task
  "ended-task-canceled": "a task that had ended is canceled when it is asked for",
  "artifacts-changed": "the artifacts of a task change after its end",
  "clock-skew": "a timestamp that is more than five minutes off our clock",
  "no-context-id": "a direct message that names no context",
  "stray-history-message": "a message in the history of a task that names another task or context",
  "status-without-message": "a status that should explain itself has no message",
  "address-without-tls": "an address for an authorisation that is not one of https",
  "secret-asked-for": "a task asks for a secret in a message",

  // errors in the form of a binding
  "untyped-details": "details of an error that are no list of objects with @type",
  "deletion-accepted": "deleting what is not there is answered as done",
  "no-error-info": "the right error, without the ErrorInfo that names it",
  "bare-status": "an error that is a google.rpc.Status without error around it",
  "grpc-number": "error.code is the number of gRPC in the place of the HTTP status",
  "error-in-stream": "a stream that fails at once is an event stream with the error in it",
  "internal-error-at-open": "a stream that fails at once is answered with an internal error",

  // JSON-RPC
  "http-400-alone": "refused with HTTP 400, and without a JSON-RPC error",
  "invalid-request-code": "refused with -32600, where another code of JSON-RPC is named",
  "invalid-request-for-array": "params that are an array are refused with -32600 in the place of -32602",
  "invalid-params-code": "refused with -32602, where another code of JSON-RPC is named",
  "parse-error-code": "refused with -32700, where another code of JSON-RPC is named",
  "older-jsonrpc-served": "a request of an older version of JSON-RPC is served",
  "empty-deletion-response": "a deletion is confirmed with neither result nor error",
  "error-without-id": "an error does not repeat the id of the request that it answers",

  // HTTP+JSON
  "other-success-status": "a success that is not HTTP 200",
  "other-client-error": "a client error that is not HTTP 400",
  "plain-json-label": "an answer that is labelled application/json",
  "other-json-label": "an answer with another label of JSON than application/json",
  "json-schema-spelling": "an answer in the words of the JSON schema in the place of ProtoJSON",
  "lower-case-states": "states in a query are known in lower case alone",

  // the same agent behind each of its bindings
  "address-differs": "the address of a file differs from binding to binding",
  "artifact-before-opening": "a stream leaves out an artifact that was made before it was opened",
} as const satisfies Record<string, string>;

export type BreachCode = keyof typeof breachCodes;
