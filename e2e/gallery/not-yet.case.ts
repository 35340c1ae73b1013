import type { Command } from "@assay/agents/gallery";

/** What a command says of an exhibit today, where it is not yet what it should say. */
export interface Today {
  readonly exit: number;
  readonly says: string;
}

type Row = Partial<Record<Command, Today>>;

const row = (exit: number, says: string, ...commands: readonly Command[]): Row =>
  Object.fromEntries(commands.map((command) => [command, { exit, says }]));

/** The same facts, in two sentences. */
const toldApart = (saw: string): Row =>
  row(2, `No agent card was found for {typed}. Tried: {typed} ${saw}`, "card", "send");
const noCard = (saw: string): Row => ({
  ...row(2, `No agent card was found for {typed}. Tried {typed}: ${saw}.`, "test"),
  ...toldApart(saw),
});
/** The card of the host was taken, though it is of another agent. */
const hostsCard: Row = {
  ...row(0, "NOTE The card was found at {origin}/.well-known/agent-card.json", "test"),
  ...row(0, "Spec Agent test {origin}/.well-known/agent-card.json", "card"),
  ...row(0, "card found at {origin}/.well-known/agent-card.json (nothing below", "send"),
};
const notSpoken = (saw: string): Row => ({
  ...row(1, "JSONRPC is not spoken at {typed}/rpc,", "test"),
  ...row(1, `no A2A: ${saw}`, "send"),
});
const noEnvelope = "the answer is no JSON-RPC response with either a result or an error";
/** It says nothing more than that no rule is broken. */
const green = row(0, "partial: 0 failed", "test");
const greenOverNothing = row(0, "no level: 0 failed", "test");
const notContacted = "an address of this machine. It was not named by you, so it was not contacted";

/** A row that is not needed any more fails its test: delete it. */
export const notYet: Readonly<Record<string, Row>> = {
  "card-404": toldApart("HTTP 404"),
  "card-405": toldApart("HTTP 405"),
  "card-500": noCard("HTTP 500"),
  website: noCard("200, but no agent card"),
  "html-labelled-json": noCard("200, but no agent card"),
  "login-page": noCard("200, but no agent card"),
  "card-401": row(2, "This agent asks for a login: {typed} answered HTTP 401 Give one", "card", "send"),
  "card-403": row(2, "This agent asks for a login: {typed} answered HTTP 403 Give one", "card", "send"),
  "card-402": noCard("HTTP 402"),
  "card-behind-token": green,
  "stalled-card": noCard("no byte arrived for 1000 ms"),
  "endless-card": noCard("the answer exceeds 33554432 bytes on the wire"),
  "cut-card": noCard("200, but no agent card"),
  "trailing-comma": noCard("200, but no agent card"),
  "byte-order-mark": hostsCard,
  "empty-card": toldApart("200, but no agent card"),
  "list-of-cards": toldApart("200, but no agent card"),
  "openai-api": toldApart("HTTP 404"),
  "moved-card": green,
  "plain-text-card": { ...green, ...row(0, "✓ Nothing wrong with this card", "card") },

  "no-interfaces": {
    ...row(1, "FAIL CARD-006 card supportedInterfaces is required and missing", "test"),
    ...row(1, "✗ $.supportedInterfaces is required and missing", "card"),
    ...row(2, "The card offers no interface that fits. It offers: none", "send"),
  },
  "empty-interfaces": {
    ...row(1, "FAIL CARD-006 card supportedInterfaces needs at least one element", "test"),
    ...row(1, "✗ $.supportedInterfaces needs at least one element", "card"),
    ...row(2, "The card offers no interface that fits. It offers: none", "send"),
  },
  "custom-bindings": {
    ...greenOverNothing,
    ...row(2, "The card offers no interface that fits. It offers: https://example.com/bindings/mail/v1 1.0", "send"),
  },
  "future-version": {
    ...greenOverNothing,
    ...row(2, "The card offers no interface that fits. It offers: JSONRPC of an unknown version", "send"),
  },
  "relative-url": {
    ...row(1, '✗ $.supportedInterfaces[0].url is "/echo"; JSONRPC needs an absolute http(s) URL', "card"),
    ...row(2, "The card offers no interface that fits. It offers: JSONRPC 1.0", "send"),
  },
  localhost: { ...greenOverNothing, ...row(2, notContacted, "send") },
  "loopback-address": { ...greenOverNothing, ...row(2, notContacted, "send") },
  "any-address": { ...greenOverNothing, ...row(2, notContacted, "send") },
  "private-host": greenOverNothing,
  "unknown-host": row(0, "ERROR CARD-016 JSONRPC http://agent.invalid/rpc cannot be reached", "test"),
  "grpc-without-server": row(1, "nobody speaks GRPC at http://127.0.0.1:9/", "test"),

  "endpoint-404": notSpoken("HTTP 404 with a body that is no JSON"),
  "endpoint-405": notSpoken("HTTP 405 with a body that is no JSON"),
  "endpoint-html": notSpoken("HTTP 200 with a body that is no JSON"),
  "endpoint-redirects": notSpoken("HTTP 308 with a body that is no JSON"),
  "endpoint-401": {
    ...row(2, "This agent asks for a login: its card does not say how.", "test"),
    ...row(1, `no A2A: ${noEnvelope}`, "send"),
  },
  "endpoint-403": notSpoken("HTTP 403 with a body that is no JSON"),
  "endpoint-402": notSpoken(noEnvelope),
  "openai-endpoint": notSpoken(noEnvelope),
  "mcp-server": {
    ...row(1, "SendMessage is answered with neither a task nor a message: error -32601", "test"),
    ...row(1, "-32601: Method not found: SendMessage", "send"),
  },

  "older-methods": {
    ...row(1, "SendMessage is answered with neither a task nor a message: error -32601", "test"),
    ...row(1, "-32601: Method not found: SendMessage", "send"),
  },
  "newer-methods": {
    ...row(1, "SendMessage is answered with neither a task nor a message: error -32009", "test"),
    ...row(1, "-32009 VERSION_NOT_SUPPORTED: The request names no A2A-Version", "send"),
  },
  "older-card-at-new-path": green,
  "new-card-at-older-path": row(0, "✓ Nothing wrong with this card", "card"),
  "card-above": hostsCard,
  "another-card": hostsCard,
  "to-https": row(2, "Nobody answers at {typed}", "test", "card", "send"),
};
