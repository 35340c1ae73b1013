import type { AgentClass } from "./agent-class.ts";

/** The sentence and remedy that all agents with one reason share. */
interface ReasonText {
  /** what was seen, in a sentence without its details */
  readonly says: string;
  /** what to do about it */
  readonly remedy: string;
  /** it may be otherwise in a moment */
  readonly mayPass?: true;
}

const login = "Give the credentials by reference in the list: login: { bearer: env:TOKEN }.";
const endpoint = "Correct the url and the binding of the interface, or remove the interface from the card.";
const later = "It is tried again in the next sweep; is the agent running, and can it be reached from here?";
const slower = "If the agent needs longer, give it more time in the list: timeout: 60, deadline: 300 (seconds).";
const published = "Publish the card as JSON at /.well-known/agent-card.json.";

/** The reasons of each class. A reason belongs to exactly one class. */
const byClass = {
  working: {
    conformant: { says: "It answers in A2A, and no rule that was examined is broken.", remedy: "Nothing to do." },
    unasked: {
      says: "It answers in A2A, and no rule that was examined is broken; it was asked to do no work, so whether it does any is not known.",
      remedy: "Nothing to do. With --allow-message it is asked once.",
    },
    "partly-seen": {
      says: "It answers in A2A, and no rule that was examined is broken; an interface on its card could not be reached.",
      remedy: "The report says which interface, and why.",
    },
  },
  "rules-broken": {
    "rules-broken": {
      says: "It answers in A2A, and breaks rules.",
      remedy: "Repair what the report names first; each failure has its exchange and its remedy.",
    },
  },
  "login-required": {
    "card-login": { says: "Its card is for callers that log in.", remedy: login },
    "endpoint-login": { says: "It answers callers that log in.", remedy: login },
    "endpoint-certificate": {
      says: "It answers callers with a client certificate, as its card says.",
      remedy: "Nothing to repair: a fleet has no client certificates. assay test --cert --key examines it by hand.",
    },
    "message-login": { says: "It takes messages from callers that log in.", remedy: login },
    "login-not-accepted": {
      says: "The login that the list names was not accepted.",
      remedy: "Is the credential that the list refers to still good, and meant for this agent?",
    },
  },
  "payment-required": {
    "card-payment": {
      says: "Its card is for callers that pay.",
      remedy: "Pay for access, and give the credentials by reference in the list.",
    },
    "endpoint-payment": {
      says: "It answers callers that pay.",
      remedy: "Pay for access, and give the credentials by reference in the list.",
    },
    "payment-extension": {
      says: "Its card requires an extension by which each message is paid for.",
      remedy: "Nothing to repair: clients have to pay. Assay pays for nothing.",
    },
  },
  "card-invalid": {
    "card-not-json": { says: "The file at its card address is not JSON.", remedy: published },
    "card-no-card": { says: "The file at its card address is not an agent card.", remedy: published },
    "card-too-large": {
      says: "Its card is larger than a client can be expected to read.",
      remedy: "Publish a smaller card.",
    },
    "card-breaks-rules": {
      says: "Its card breaks rules; the agent itself was not asked.",
      remedy: "Repair what the report names first.",
    },
  },
  "no-usable-interface": {
    "no-interface": {
      says: "Its card does not say where the agent is.",
      remedy: "List every interface on the card with its url, binding and version.",
    },
    "interface-address": {
      says: "No interface on its card has an address that can be called.",
      remedy: "Write the url of every interface with scheme and host.",
    },
    "interface-unknown": {
      says: "Its card offers only bindings or versions that Assay does not speak.",
      remedy:
        "Nothing to repair: Assay speaks 1.0 and 0.3 over JSON-RPC, HTTP+JSON and gRPC, 0.2 and 0.1 over JSON-RPC.",
    },
  },
  "endpoint-missing": {
    "card-missing": { says: "No card is served where it belongs.", remedy: published },
    "card-of-another": {
      says: "The card that is served on its host is of another agent.",
      remedy: "List the agent by the address of its own card.",
    },
    "endpoint-404": { says: "Nothing is served where its card leads (404).", remedy: endpoint },
    "endpoint-405": { says: "The address to which its card leads does not take the call (405).", remedy: endpoint },
  },
  "something-else": {
    "card-page": { says: "A web page is served where its card belongs.", remedy: published },
    "card-error": {
      says: "Its server answers with an error when it is asked for the card.",
      remedy: "The log of the server says why.",
      mayPass: true,
    },
    "endpoint-page": { says: "A web page is served where its card leads.", remedy: endpoint },
    "endpoint-redirects": {
      says: "The address on its card sends callers elsewhere.",
      remedy: "Put the address that it redirects to on the card.",
    },
    "endpoint-other-protocol": { says: "Another protocol than A2A is spoken where its card leads.", remedy: endpoint },
    "endpoint-other-version": {
      says: "It speaks another version of A2A than its card says.",
      remedy: "Say on the card the version that is spoken, or serve the methods of the one it says.",
    },
    "endpoint-no-a2a": { says: "The server at the address in its card does not speak A2A.", remedy: endpoint },
    "endpoint-too-large": {
      says: "A plain question is answered with more than a client can be expected to read.",
      remedy: endpoint,
    },
  },
  "timed-out": {
    "card-timeout": { says: "Its card was not served in time.", remedy: slower, mayPass: true },
    "endpoint-timeout": {
      says: "Its card was served; a call was not answered in time.",
      remedy: slower,
      mayPass: true,
    },
    "message-timeout": { says: "It answers in A2A; a plain message was not finished in time.", remedy: slower },
  },
  unreachable: {
    dns: {
      says: "Its host name does not resolve.",
      remedy: "Is the host spelled right, and registered?",
      mayPass: true,
    },
    "connection-refused": { says: "Nothing listens there.", remedy: later, mayPass: true },
    "no-connection": { says: "No connection could be made.", remedy: later, mayPass: true },
    "connection-dropped": { says: "Connections are taken and dropped.", remedy: later, mayPass: true },
    tls: {
      says: "No trusted TLS connection could be made.",
      remedy: "Is the certificate valid, of this host, and of an authority that clients know?",
      mayPass: true,
    },
    gateway: { says: "A gateway answers in the place of the agent.", remedy: later, mayPass: true },
    gone: { says: "It answered, and then no longer.", remedy: later, mayPass: true },
  },
  "refused-by-guard": {
    "guard-agent": {
      says: "Its address is none that Assay contacts unasked.",
      remedy: "If it should be examined, name its host with --allow-host.",
    },
    "guard-interface": {
      says: "Its card leads to an address that Assay does not contact unasked.",
      remedy:
        "Publish an address that clients can reach; if this one should be asked, name its host with --allow-host.",
    },
    "credential-withheld": {
      says: "Its card leads to another host than the one listed, where the login is not shown.",
      remedy: "If that host may see the login, name it with --trust-host.",
    },
  },
  "opted-out": {
    "opt-out-listed": { says: "The list says that it is not to be examined.", remedy: "Nothing to do." },
    "opt-out-robots": {
      says: "Its robots.txt asks assay to keep out.",
      remedy: "Nothing to do; without the rule for the user agent assay it is examined again.",
    },
  },
  "not-examined": {
    "card-only": {
      says: "Its card keeps the rules that were examined; the agent itself was not asked at this depth.",
      remedy: "Depth free asks it without making it work.",
    },
    /** repeats the previous verdict; on its own if that verdict is no longer available */
    unchanged: {
      says: "Its card is the same as last time, and that is not long ago.",
      remedy: "It is examined again when its time has come.",
    },
    "message-refused": {
      says: "It answers in A2A and refuses our message. We cannot tell whether it works for its own callers.",
      remedy: "Examine it at depth free, or test it by hand with a prompt of its own: assay test --config.",
    },
    "message-failed": {
      says: "It answers in A2A, but the task of a plain message failed. We cannot tell whether it works for its own callers.",
      remedy: "Is what it works with (a model, a tool) there? Test it by hand with a prompt of its own.",
    },
    unstable: { says: "It answered differently each time, so that nothing is certain.", remedy: later, mayPass: true },
    busy: {
      says: "It asked us to come back later (429).",
      remedy: "Sweep more slowly: --host-rate, --host-concurrency.",
      mayPass: true,
    },
    "nothing-examined": { says: "No rule could be examined.", remedy: "The report says why, rule by rule." },
    deadline: {
      says: "The time for one agent was over before the examination was.",
      remedy: "Give it more time in the list (deadline: 300), or ask less of it (depth: free).",
    },
    "credential-missing": {
      says: "The credentials that the list refers to are not available here.",
      remedy:
        "Set the variable or provide the file where agents are examined, and let a worker use it: --allow-secret or --secrets.",
    },
    "network-trouble": {
      says: "The way there failed on our side.",
      remedy: "Is there a network, and does its proxy let us out?",
      mayPass: true,
    },
    "process-memory": {
      says: "Our own process reached its limit of memory over this agent, and was ended.",
      remedy: "Give one examination more: --max-memory.",
    },
    "process-died": {
      says: "Our own process ended before it had a result.",
      remedy: "Please report it, with the address of the agent.",
    },
    "own-error": { says: "Internal error of Assay.", remedy: "Please report it, with the address of the agent." },
    "sweep-over": {
      says: "The time for the sweep was over before its turn came.",
      remedy: "Give the sweep more time (--max-time), or more at once (--concurrency).",
    },
    interrupted: { says: "The examination was interrupted.", remedy: later },
  },
} as const satisfies Record<AgentClass, Record<string, ReasonText>>;

type ByClass = typeof byClass;
export type ReasonCode = { [Named in AgentClass]: keyof ByClass[Named] }[AgentClass];

export const reasons = Object.fromEntries(
  Object.entries(byClass).flatMap(([named, rows]) =>
    Object.entries(rows).map(([code, row]) => [code, { class: named, ...row }]),
  ),
) as Record<ReasonCode, ReasonText & { readonly class: AgentClass }>;
