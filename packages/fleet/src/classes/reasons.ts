import type { AgentClass } from "./agent-class.ts";

/** The text for all agents with one reason. */
interface ReasonText {
  /** the observation, in a sentence without details */
  readonly says: string;
  /** the next step */
  readonly remedy: string;
  /** the problem may be temporary */
  readonly mayPass?: true;
}

const login = "Refer to the credentials in the list: login: { bearer: env:TOKEN }.";
const endpoint = "Correct the url and the binding of the interface, or remove the interface from the card.";
const later = "Check that the agent runs and is reachable from here. The next sweep tries again.";
const slower = "If the agent needs more time, raise the limits in the list: timeout: 60, deadline: 300 (seconds).";
const published = "Publish the card as JSON at /.well-known/agent-card.json.";

/** The reasons of each class. A reason belongs to exactly one class. */
const byClass = {
  working: {
    conformant: { says: "It answers in A2A, and breaks no rule that was examined.", remedy: "Nothing to do." },
    unasked: {
      says: "It answers in A2A, and breaks no rule that was examined. Assay sent no message, so it is unknown whether the agent does its work.",
      remedy: "Nothing to do. With --allow-message, Assay sends one message.",
    },
    "partly-seen": {
      says: "It answers in A2A, and breaks no rule that was examined. An interface in its card is unreachable.",
      remedy: "See the report for the interface and the reason.",
    },
  },
  "rules-broken": {
    "rules-broken": {
      says: "It answers in A2A, and breaks rules.",
      remedy: "Fix the first failure in the report. Each failure has its exchange and its fix.",
    },
  },
  "login-required": {
    "card-login": { says: "Its card requires credentials.", remedy: login },
    "endpoint-login": { says: "It requires credentials.", remedy: login },
    "endpoint-certificate": {
      says: "It requires a client certificate, as its card says.",
      remedy: "Nothing to fix: a fleet has no client certificates. Test it by hand: assay test --cert --key.",
    },
    "message-login": { says: "It requires credentials for messages.", remedy: login },
    "login-not-accepted": {
      says: "It rejected the credentials from the list.",
      remedy: "Check that the credentials in the list are valid and belong to this agent.",
    },
  },
  "payment-required": {
    "card-payment": {
      says: "Its card requires a payment.",
      remedy: "Pay for access, and refer to the credentials in the list.",
    },
    "endpoint-payment": {
      says: "It requires a payment.",
      remedy: "Pay for access, and refer to the credentials in the list.",
    },
    "payment-extension": {
      says: "Its card requires an extension with a payment for each message.",
      remedy: "Nothing to fix: clients have to pay. Assay never pays.",
    },
  },
  "card-invalid": {
    "card-not-json": { says: "Its card is not valid JSON.", remedy: published },
    "card-no-card": { says: "Its card is not an agent card.", remedy: published },
    "card-too-large": {
      says: "Its card is larger than clients can be expected to read.",
      remedy: "Publish a smaller card.",
    },
    "card-breaks-rules": {
      says: "Its card breaks rules. Assay did not call the agent itself.",
      remedy: "Fix the first failure in the report.",
    },
  },
  "no-usable-interface": {
    "no-interface": {
      says: "Its card has no interface.",
      remedy: "List every interface in the card with its url, binding and version.",
    },
    "interface-address": {
      says: "No interface in its card has a valid address.",
      remedy: "Write the url of every interface with scheme and host.",
    },
    "interface-unknown": {
      says: "Its card has only bindings or versions that Assay does not support.",
      remedy:
        "Nothing to fix: Assay supports 1.0 and 0.3 over JSON-RPC, HTTP+JSON and gRPC, and 0.2 and 0.1 over JSON-RPC.",
    },
  },
  "endpoint-missing": {
    "card-missing": { says: "It serves no card at the well-known path.", remedy: published },
    "card-of-another": {
      says: "The card on its host belongs to another agent.",
      remedy: "List the agent by the address of its own card.",
    },
    "endpoint-404": { says: "The address in its card returns 404.", remedy: endpoint },
    "endpoint-405": { says: "The address in its card does not accept the call (405).", remedy: endpoint },
  },
  "something-else": {
    "card-page": { says: "It serves a web page instead of its card.", remedy: published },
    "card-error": {
      says: "Its server returns an error for the card.",
      remedy: "See the log of the server for the reason.",
      mayPass: true,
    },
    "endpoint-page": { says: "The address in its card serves a web page.", remedy: endpoint },
    "endpoint-redirects": {
      says: "The address in its card redirects callers.",
      remedy: "Put the final address into the card.",
    },
    "endpoint-other-protocol": { says: "The address in its card speaks another protocol than A2A.", remedy: endpoint },
    "endpoint-other-version": {
      says: "It speaks another version of A2A than its card declares.",
      remedy: "Declare the version that the agent speaks, or serve the methods of the declared version.",
    },
    "endpoint-no-a2a": { says: "The address in its card does not answer in A2A.", remedy: endpoint },
    "endpoint-too-large": {
      says: "Its response to a simple request is larger than clients can be expected to read.",
      remedy: endpoint,
    },
  },
  "timed-out": {
    "card-timeout": { says: "It did not serve its card in time.", remedy: slower, mayPass: true },
    "endpoint-timeout": {
      says: "It served its card, but did not answer a call in time.",
      remedy: slower,
      mayPass: true,
    },
    "message-timeout": { says: "It answers in A2A, but did not finish a plain message in time.", remedy: slower },
  },
  unreachable: {
    dns: {
      says: "Its host name does not resolve.",
      remedy: "Check the spelling of the host name and its DNS entry.",
      mayPass: true,
    },
    "connection-refused": { says: "The connection was refused.", remedy: later, mayPass: true },
    "no-connection": { says: "The connection failed.", remedy: later, mayPass: true },
    "connection-dropped": { says: "It accepts connections and drops them.", remedy: later, mayPass: true },
    tls: {
      says: "The TLS connection is not trusted.",
      remedy: "Check that the certificate is valid, for this host, and from an authority that clients trust.",
      mayPass: true,
    },
    gateway: { says: "A gateway answers instead of the agent.", remedy: later, mayPass: true },
    gone: { says: "It answered at first, and then stopped.", remedy: later, mayPass: true },
  },
  "refused-by-guard": {
    "guard-agent": {
      says: "Assay does not contact its address without permission.",
      remedy: "Allow private and local addresses: --allow-private. To allow only its host: --allow-host <host>.",
    },
    "guard-interface": {
      says: "Its card points to an address that Assay does not contact without permission.",
      remedy:
        "Publish an address that clients can reach, or allow private and local addresses: --allow-private, or --allow-host <host>.",
    },
    "credential-withheld": {
      says: "Its card points to another host than the list, so Assay does not send the credentials.",
      remedy: "If that host may receive the credentials, allow it: --trust-host <host>.",
    },
  },
  "opted-out": {
    "opt-out-listed": { says: "The list excludes it.", remedy: "Nothing to do." },
    "opt-out-robots": {
      says: "Its robots.txt disallows the user agent assay.",
      remedy: "Nothing to do. Assay examines it again when the rule is removed.",
    },
  },
  "not-examined": {
    "card-only": {
      says: "Its card breaks no rule that was examined. Assay does not call the agent at this depth.",
      remedy: "Depth free calls the agent without causing work.",
    },
    /** repeats the last verdict; appears alone if that verdict is gone */
    unchanged: {
      says: "Its card did not change since the last examination, which is recent.",
      remedy: "Assay examines it again when it is due.",
    },
    "message-refused": {
      says: "It answers in A2A, but rejects Assay's message. It is unknown whether it works for its own callers.",
      remedy: "Examine it at depth free, or test it by hand with its own prompts: assay test --config.",
    },
    "message-failed": {
      says: "It answers in A2A, but the task of a plain message failed. It is unknown whether it works for its own callers.",
      remedy: "Check that its model and its tools are available. Test it by hand with its own prompts.",
    },
    unstable: { says: "It answered differently each time, so there is no verdict.", remedy: later, mayPass: true },
    busy: {
      says: "It rejected requests as too many (429).",
      remedy: "Sweep more slowly: --host-rate, --host-concurrency.",
      mayPass: true,
    },
    "nothing-examined": { says: "No rule could be examined.", remedy: "See the report for the reason of each rule." },
    deadline: {
      says: "The examination did not finish before the deadline.",
      remedy: "Raise the deadline in the list (deadline: 300), or lower the depth (depth: free).",
    },
    "credential-missing": {
      says: "The credentials in the list are not available here.",
      remedy:
        "Set the variable or provide the file on the machine that examines agents, and allow workers to use it: --allow-secret or --secrets.",
    },
    "network-trouble": {
      says: "The network failed on the side of Assay.",
      remedy: "Check the network and its proxy.",
      mayPass: true,
    },
    "process-memory": {
      says: "The process that examined it reached its memory limit.",
      remedy: "Raise the limit: --max-memory.",
    },
    "process-died": {
      says: "The process that examined it ended without a result (internal error).",
      remedy: "Report it to the Assay project, with the address of the agent.",
    },
    "own-error": {
      says: "Internal error of Assay.",
      remedy: "Report it to the Assay project, with the address of the agent.",
    },
    "not-selected": { says: "--only excluded it from this sweep.", remedy: "Sweep without --only to examine it." },
    "sweep-over": {
      says: "The sweep ended before its turn.",
      remedy: "Raise --max-time or --concurrency.",
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
