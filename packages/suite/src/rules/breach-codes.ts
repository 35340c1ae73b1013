/**
 * What a check can see of a rule that is not kept. `broken` is the plain case, in which level and basis of the rule decide;
 * every other code has rows in `severity.yaml` that say what it comes to, for which rules, bindings and versions.
 */
export const breachCodes = {
  broken: "not kept, in the plain sense of the rule's text",
  crashed: "a crash, a hang or a broken frame in answer to a request that is well understood",
  "error-table-1.0.0": "the right error, with the numbers that the table of 1.0.0 gives it",

  // ---- shapes, of any rule ----
  "null-member": "null in the place of a member that could be left out",
  "empty-member-left-out": "a required member that may be empty is left out, as printers of protobuf do",
  "empty-text": "a required text without a character in it",
  "unspecified-state": "a state that is left unspecified",
  "other-reason": "refused for another reason than the one the rule is about",
  "unreadable-answer": "not served, and not refused in a way that a client can read",
  "internal-error": "refused with the error for a breakdown where it is no breakdown",

  // ---- cards ----
  "empty-list": "a required list without an element",
  "no-media-type": "a mode that is no media type",
  "misspelt-binding": "a binding of the protocol in another spelling",
  "custom-binding-no-uri": "a binding of one's own that is not named by a URI",
  "custom-address": "the address of a binding of one's own that is no URL",
  "repeated-interface": "the same interface twice on the card",
  "unspecified-address": "an address that stands for every address of the machine",
  "grpc-address": "the address of a gRPC interface in a form that not every client reads",
  "no-absolute-url": "an address without scheme and host, where the schema asks for a string",
  "unregistered-scheme": "an HTTP authentication scheme that is not registered",
  "deprecated-flow": "an OAuth flow that 1.0 deprecates",
  "flows-not-one": "an OAuth scheme with no flow, or with several",
  "scopes-left-out": "an OAuth flow without scopes",
  "metadata-no-https": "the metadata of OAuth at a plain http address of this machine",
  "no-requirement": "schemes are declared, and no requirement names one",
  "undeclared-scheme": "a requirement of a skill names a scheme that the card does not declare",
  "older-requirements": "security in the place of securityRequirements",
  "extended-without-scheme": "an extended card is announced, and no scheme to authenticate by",
  "extension-unversioned": "the URI of an extension names no version",
  "scheme-of-0.3": "a type of security scheme that came with 0.3 on a card of an earlier release",
  "scheme-of-1.0": "a security scheme in the form of 1.0 on a card for both ages",
  "older-location": "the card stands only where versions before 0.3 had it",
  "other-location": "found, but elsewhere than the text of that version has it",
  "unlisted-binding": "a binding is served that the card does not list",
  "extensions-at-the-top": "extensions stand at the top of the card instead of among its capabilities",
  "misspelt-flag": "a capability under a name that no version knows",
  "internal-address": "the card of a production deployment names an internal address",
  "other-version-named": "the card names another version than the one that is spoken",
  "version-unknown": "the card names no version, and nothing tells which one is spoken",
  "transport-left-out": "the card does not say what is spoken at its main address",
  "other-transport": "the main address is listed with another transport than the preferred one",
  padded: "base64url with padding, which RFC 7515 leaves out",
  "alg-symmetric": "signed with a shared secret",
  "escaped-characters": "signed over a card whose non-ASCII characters are escaped",
  "flags-not-signed": "signed over a card without the members that are false on purpose",
  "empty-members-not-signed": "signed over a card without the required members that are empty",
  "defaults-signed": "signed over members that hold nothing but their default",
  "shown-without-scheme":
    "the extended card is shown to unauthenticated callers by an agent that declares no security scheme",
  "public-card-again": "the public card is given where there is no extended one",
  "no-challenge": "turned away without being told how to authenticate",
  secret: "text that looks like a credential",

  // ---- data ----
  "older-member": "a member of 0.3 where 1.0 has another or none",
  "older-member-beside": "a member of 0.3 beside the one of 1.0",
  "user-role-in-status": "the message of a status has the role of the user",
  "other-normal-form": "text comes back in another normal form of Unicode",
  "null-data-refused": "a data part that holds null is refused",
  "file-under-data": "the content of a file stands under data instead of bytes",

  // ---- push notifications ----
  "task-not-named": "a stored push configuration does not name its task",
  "other-of-several": "of several push configurations another one is returned than was asked for",
  "authentication-left-out": "a push configuration is shown without its authentication",
  "not-found-of-its-own": "not found, in other numbers than those of TaskNotFoundError",
  "id-reused": "a second push configuration gets the id of the first, and takes its place",
  "nothing-to-delete": "a second deletion is answered with not found",
  "missing-id-read-as-empty": "a request without an id is answered as one with an empty id: nothing is found",
  "empty-configuration": "a push configuration that does not exist is answered with an empty one",
  "other-confirmation": "confirmed, in another form than the one that is asked for",
  "empty-deletion-response": "a deletion is confirmed with neither result nor error",
  "configuration-ignored": "a message is processed as if it came without its push configuration",
  "in-effect-but-not-listed": "a push configuration works and is not listed",
  "plain-json-label": "labelled application/json where another media type of JSON is asked for",
  "other-json-label": "another label of JSON where application/json is asked for",
  "end-not-notified": "no notification tells that the task has ended",
  "not-sent-again": "a notification that failed is not sent again",
  "private-address-called": "the agent calls a private address that a client named",
  "wrapped-in-json-rpc": "a notification is wrapped in a JSON-RPC response",
  "status-missing": "a notified task has no status",
  "kind-missing": "a notification does not say what it is",
  "form-of-1.0": "written as in 1.0 for a client of an older version",

  // ---- security ----
  "forbidden-for-unauthenticated": "turned away for want of credentials with HTTP 403 or PERMISSION_DENIED",
  "error-object-alone": "a JSON-RPC error for want of credentials, under HTTP 200",
  "other-challenge": "the challenge names none of the schemes of the card",
  "plain-http-answered": "an interface that is served over https answers to plain http as well",
  "tls-1.3-not-offered": "the newest version of TLS that is offered is 1.2",
  "guessing-not-slowed": "many wrong credentials in a row are answered without limit or delay",
  "unlisted-type-taken": "a file of a media type that the card does not list is taken",
  "tenant-beside-path": "the tenant is read from body or query, and not from the path",

  // ---- versions and extensions ----
  "served-as-1.0": "a request that names no version is served as one for 1.0",
  "patch-number-refused": "a version with a patch number is refused",
  "explicit-default-dropped": "a verifier loses a default that a signed card states explicitly",
  "other-declared-interface": "a client uses another interface of the card than the first that it speaks",
  "patch-number": "a client names the version with a patch number",
  "other-minor-served": "a minor version that the interface does not declare is served",
  "address-differs": "the address of a file differs from version to version, or from binding to binding",

  // ---- how parts say what they are ----
  "type-for-kind": "a part with type where kind is due, as only 0.1 has it",
  "kind-for-type": "a part with kind where type is due, as later versions have it",

  // ---- 0.1 ----
  "number-as-id": "an id is a number",
  "role-left-out": "a message does not say its role",
  "list-for-object": "a list where the schema has an object",
  "text-for-list": "a text where the schema has a list",
  "object-for-text": "an object where the schema has a text",
  "type-left-out": "a part does not say its type",
  "task-ends-with-stream": "a task ends when its client leaves the stream",

  // ---- refusals: of every rule that expects one ----
  accepted: "taken, where a refusal is expected",
  "incomplete-accepted": "taken, although a required member is missing",
  "out-of-range-accepted": "taken, with a number that is out of its range",
  "other-error": "refused with another error than the one that is named for it",
  "related-error": "refused with an error that a fair reading of the text allows as well",
  "not-a-validation-error": "refused as invalid should be, with an error that is none of validation",
  "internal-error-number": "refused with the code of internal errors, under an HTTP status that tells of none",
  "refused-as-internal": "what the agent does not offer is refused with the internal error",
  "reason-contradicts-code": "the right code of JSON-RPC, and the reason of another error beside it",
  "unspecific-error": "refused with an error of the binding, where A2A has one of its own",

  // ---- causes that several rules see: causes.yaml says which rule owns them ----
  "operation-not-served": "an operation is unknown to the agent, or refused as a capability that it lacks",
  "operation-unsupported": "refused as an unsupported operation, where another error is expected",
  "error-not-in-binding-form": "an error with the right HTTP status, in a form that is not the binding's",
  "unnamed-old-status": "the status that 1.0.0 names for the error, without the ErrorInfo that says which error it is",

  // ---- sending, getting, listing and cancelling ----
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

  // ---- streams ----
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

  // ---- the life of a task ----
  "ended-task-canceled": "a task that had ended is canceled when it is asked for",
  "artifacts-changed": "the artifacts of a task change after its end",
  "clock-skew": "a timestamp that is more than five minutes off our clock",
  "task-left-behind": "a task that the client is not told of, behind a direct message",
  "cancel-without-effect": "a cancel is answered with the task, which then runs to its end",
  "no-context-id": "a direct message that names no context",
  "stray-history-message": "a message in the history of a task that names another task or context",
  "status-without-message": "a status that should explain itself has no message",
  "address-without-tls": "an address for an authorisation that is not one of https",
  "secret-asked-for": "a task asks for a secret in a message",

  // ---- errors in the form of a binding ----
  "untyped-details": "details of an error that are no list of objects with @type",
  "no-error-info": "the right error, without the ErrorInfo that names it",
  "bare-status": "an error that is a google.rpc.Status without error around it",
  "grpc-number": "error.code is the number of gRPC in the place of the HTTP status",
  "error-in-stream": "a stream that fails at once is an event stream with the error in it",
  "internal-error-at-open": "a stream that fails at once is answered with an internal error",

  // ---- JSON-RPC ----
  "http-400-alone": "refused with HTTP 400, and without a JSON-RPC error",
  "invalid-request-code": "refused with -32600, where another code of JSON-RPC is named",
  "invalid-request-for-array": "params that are an array are refused with -32600 in the place of -32602",
  "invalid-request-for-no-params": "a request without params is refused with -32600 in the place of -32602",
  "fractional-id-altered": "an id that is a fractional number is not repeated",
  "invalid-params-code": "refused with -32602, where another code of JSON-RPC is named",
  "parse-error-code": "refused with -32700, where another code of JSON-RPC is named",
  "older-jsonrpc-served": "a request of an older version of JSON-RPC is served",
  "error-without-id": "an error does not repeat the id of the request that it answers",

  // ---- HTTP+JSON ----
  "other-success-status": "a success that is not HTTP 200",
  "other-client-error": "a client error that is not HTTP 400",
  "json-schema-spelling": "an answer in the words of the JSON schema in the place of ProtoJSON",
  "lower-case-states": "states in a query are known in lower case alone",

  // ---- the same agent behind each of its bindings ----
  "artifact-before-opening": "a stream leaves out an artifact that was made before it was opened",
} as const satisfies Record<string, string>;

export type BreachCode = keyof typeof breachCodes;
