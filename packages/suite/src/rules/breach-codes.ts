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

  // ---- shapes, of any rule ----
  "null-member": "null in the place of a member that could be left out",
  "empty-member-left-out": "a required member that may be empty is left out, as printers of protobuf do",
  "empty-text": "a required text without a character in it",
  "unspecified-state": "a state that is left unspecified",
  "other-reason": "refused for another reason than the one the rule is about",
  "unreadable-answer": "not served, and not refused in a way that a client can read",
  "internal-error": "refused with the error for a breakdown where it is no breakdown",

  // ---- cards ----
  "card-advice": "the linter of cards advises against it, though no text forbids it",
  "no-absolute-url": "an address without scheme and host, where the schema asks for a string",
  "older-requirements": "security in the place of securityRequirements",
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
  "shown-without-scheme": "the extended card is shown to strangers by an agent that declares no security scheme",
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
  "other-minor-served": "a minor version that the interface does not declare is served",
  "address-differs": "the address of a file differs from version to version",

  // ---- 0.1 ----
  "number-as-id": "an id is a number",
  "role-left-out": "a message does not say its role",
  "list-for-object": "a list where the schema has an object",
  "text-for-list": "a text where the schema has a list",
  "object-for-text": "an object where the schema has a text",
  "type-left-out": "a part does not say its type",
  "task-ends-with-stream": "a task ends when its client leaves the stream",
} as const satisfies Record<string, string>;

export type BreachCode = keyof typeof breachCodes;
