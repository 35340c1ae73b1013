/**
 * The ACTS corpus is not written quite as its own grammar says. Each way in which we read it nevertheless has a name
 * here, says what it does and why that changes no meaning, and is named in the report of every test it was applied to.
 * What no rule covers is a mistake in the file. docs/acts.md shows this table.
 */
export const quirkRules = {
  "error-type-as-code": {
    written: "`expect_error.code` holds the name of an error, or `one_of` such names",
    read: "`error_type`, as the grammar calls it; with `one_of`, any of the names will do",
  },
  "error-of-any-type": {
    written: "`expect_error` without `error_type`, which the grammar requires",
    read: "any error of the protocol or of the binding will do",
  },
  "error-data": {
    written: "`expect_error.data`, a key that the grammar does not have",
    read: "an expectation of the error's details as a whole: `error.data` on JSON-RPC, `error.details` on the others",
  },
  "protocol-error-name": {
    written: "an error that the protocol names and the grammar's list leaves out, such as `InvalidRequestError`",
    read: "that error of the protocol",
  },
  "push-operation-names": {
    written: "`set_push_notification_config`, `get_push_notification_config` and the like",
    read: "`create_push_config`, `get_push_config`, `list_push_configs`, `delete_push_config`",
  },
  "body-beside-status": {
    written: "members of the answer directly under `expect`",
    read: "as if they stood under `expect.body`",
  },
  "error-in-expect": {
    written: "an expected failure as `expect.error: {exists: true}`, with or without `status: error`",
    read: "`expect_error` of any type",
  },
  "items-of-an-array": {
    written: "`items` among the operators of an array",
    read: "a map is expected of every element, a list of the elements at its positions",
  },
  "one-of-patterns": {
    written: "`one_of` with maps in it, as the specification's own example of §7 has",
    read: "each map is a pattern, as in `any_of`",
  },
  "payload-of-an-event": {
    written: "members of an event's payload, such as `status`, without the name of the payload around them",
    read: "looked for in the payload of whichever kind the event has",
  },
  "stream-of-a-raw-step": {
    written: "`expect_stream` on a raw step",
    read: "the events of the answer as they are on the wire",
  },
  "no-behaviours": {
    written: "an empty `requires_behaviors`, where the grammar wants at least one entry",
    read: "no behaviour is required",
  },
  "extended-card-by-parameter": {
    written: "`get_agent_card` with `extended: true`",
    read: "`get_extended_agent_card`",
  },
  "ids-beside-the-message": {
    written: "`taskId` and `contextId` of a send beside its message",
    read: "put into the message, the only place where the protocol has them",
  },
  "content-type-in-metadata": {
    written: "the media type of a part as `metadata.contentType`",
    read: "said as the part's `mediaType` too, so that an agent which knows only the protocol hears it",
  },
  "authentication-capability": {
    written: "`preconditions.capabilities.authentication`, which no Agent Card has",
    read: "whether the card declares security requirements",
  },
  "implied-capability": {
    written: "a streaming or push operation without the precondition that the card offers it",
    read: "skipped where the card does not offer it: an agent is not accused of not doing what it never claimed",
  },
  "http-status-over-grpc": {
    written: "`expect.status: 200` on a test that runs over gRPC",
    read: "the call ended with the status OK; over HTTP/2 that is an answer with status 200 too",
  },
  "any-success-status": {
    written: "`expect.status: 200` of an operation that is answered with another status of success, such as 201",
    read: "that it succeeded: which of those an operation has, the protocol does not say (§11)",
  },
  "rest-is-http-json": {
    written: "`REST` as a value of `protocolBinding`",
    read: "`HTTP+JSON`, as the protocol spells that binding",
  },
  "file-parts": {
    written: "`file: {name, mediaType}` and `fileUrl: {url, name}` on a part",
    read: "looked for in the part's own members: `raw` or `url`, `filename`, `mediaType`",
  },
  "required-extensions": {
    written: "raw requests that know nothing of the extensions an agent requires",
    read: "`A2A-Extensions` names those that the card requires, as on every other request",
  },
  "suite-variable": {
    written: "`{{SUT_BASE_URL}}`, which no file defines",
    read: "the address given with --url",
  },
  "webhook-of-the-runner": {
    written: "`webhookUrl` as a default where nothing listens, or not defined at all",
    read: "an address of this runner, where the agent can reach it",
  },
} as const satisfies Record<string, { readonly written: string; readonly read: string }>;

export type QuirkRule = keyof typeof quirkRules;
