/**
 * The ACTS corpus deviates from its own grammar. Each interpretation has a name here, with its effect and why
 * it changes no meaning. The report of every test names the ones applied. A deviation without a rule is a
 * mistake in the file. docs/acts.md shows this table.
 */
export const quirkRules = {
  "error-type-as-code": {
    written: "`expect_error.code` holds the name of an error, or `one_of` such names",
    read: "`error_type`, as the grammar calls it; with `one_of`, any of the names matches",
  },
  "error-of-any-type": {
    written: "`expect_error` without `error_type`, which the grammar requires",
    read: "any error of the protocol or of the binding matches",
  },
  "error-data": {
    written: "`expect_error.data`, a key that the grammar does not have",
    read: "an expectation of the error's details as a whole: `error.data` on JSON-RPC, `error.details` on the other bindings",
  },
  "protocol-error-name": {
    written: "an error that the protocol defines and the grammar's list omits, such as `InvalidRequestError`",
    read: "that error of the protocol",
  },
  "push-operation-names": {
    written:
      "other names of the push operations, such as `set_push_notification_config` and `get_push_notification_config`",
    read: "`create_push_config`, `get_push_config`, `list_push_configs`, `delete_push_config`",
  },
  "body-beside-status": {
    written: "members of the response directly under `expect`",
    read: "read as if they were under `expect.body`",
  },
  "error-in-expect": {
    written: "an expected failure as `expect.error: {exists: true}`, with or without `status: error`",
    read: "`expect_error` of any type",
  },
  "items-of-an-array": {
    written: "`items` among the operators of an array",
    read: "a map applies to every element, a list to the elements at its positions",
  },
  "one-of-patterns": {
    written: "`one_of` with maps in it, as the specification's own example of §7 has",
    read: "each map is a pattern, as in `any_of`",
  },
  "payload-of-an-event": {
    written: "members of an event's payload, such as `status`, without the name of the payload around them",
    read: "matched in the payload of whichever kind the event has",
  },
  "stream-of-a-raw-step": {
    written: "`expect_stream` on a raw step",
    read: "the events of the response as they are on the wire",
  },
  "no-behaviours": {
    written: "an empty `requires_behaviors`, where the grammar requires at least one entry",
    read: "no behaviour is required",
  },
  "extended-card-by-parameter": {
    written: "`get_agent_card` with `extended: true`",
    read: "`get_extended_agent_card`",
  },
  "ids-beside-the-message": {
    written: "`taskId` and `contextId` of a send beside its message",
    read: "moved into the message, the only place where the protocol has them",
  },
  "content-type-in-metadata": {
    written: "the media type of a part as `metadata.contentType`",
    read: "also sent as the part's `mediaType`, so that an agent which implements only the protocol sees it",
  },
  "authentication-capability": {
    written: "`preconditions.capabilities.authentication`, which no Agent Card has",
    read: "the card declares security requirements",
  },
  "implied-capability": {
    written: "a streaming or push operation without the precondition that the card declares it",
    read: "skipped if the card does not declare it: an agent never fails for a capability it does not claim",
  },
  "http-status-over-grpc": {
    written: "`expect.status: 200` on a test that runs over gRPC",
    read: "the call ended with the status OK; over HTTP/2 that is a response with status 200 too",
  },
  "any-success-status": {
    written: "`expect.status: 200` for an operation that returns another success status, such as 201",
    read: "the operation succeeded; its exact status was not checked, because the protocol defines none (§11)",
  },
  "rest-is-http-json": {
    written: "`REST` as a value of `protocolBinding`",
    read: "`HTTP+JSON`, as the protocol spells that binding",
  },
  "file-parts": {
    written: "`file: {name, mediaType}` and `fileUrl: {url, name}` on a part",
    read: "matched against the part's own members: `raw` or `url`, `filename`, `mediaType`",
  },
  "required-extensions": {
    written: "raw requests that ignore the extensions an agent requires",
    read: "`A2A-Extensions` names the extensions that the card requires, as on every other request",
  },
  "suite-variable": {
    written: "`{{SUT_BASE_URL}}`, which no file defines",
    read: "the address given with --url",
  },
  "webhook-of-the-runner": {
    written: "`webhookUrl` with a default where no server listens, or undefined",
    read: "an address of this runner that the agent can reach",
  },
} as const satisfies Record<string, { readonly written: string; readonly read: string }>;

export type QuirkRule = keyof typeof quirkRules;
