import { type DialectVersion, errorTable, isA2ACode } from "@assay/protocol";
import { challengeOf, isSameHost, loginHint, otherAnswer, paymentHint } from "@assay/wire";
import { isOfGateway } from "../answers/expect-error.ts";
import { describeReply, errorOf, isLogin } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { observation } from "../define/observation.ts";
import { heldUp, Obstacle, skipped } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { isTurnedAway, loginOf } from "./login.ts";

/** The first request, and the call that shows that the binding is spoken, which may be another. */
export interface FirstContact {
  /** GetTask with an id that the agent never issued */
  readonly asked: Call;
  readonly spoken: Call;
}

/**
 * The first call on an interface: a task that does not exist. Any response in the form of the binding shows that the
 * interface works. Everything else blocks all observations there. If the response could come from a server that does
 * not know the address, two more calls decide. Other rules judge the form of errors and missing operations.
 */
export const firstContact = observation<FirstContact>("a first call", {
  rank: 0,
  async make(target) {
    const call = await target.call("GetTask", { id: target.unknownId() }, { contact: true });
    if (isLogin(call) || asksInJsonRpc(target, call)) throw loginAsked(call);
    if (call.exchange.http.response?.status === 402)
      throw skipped("payment", `this agent asks for payment: ${answered(call)}`, paymentHint);
    if (isSpoken(call) && !isUnknownThere(call)) return { asked: call, spoken: call };
    if (call.reply.is === "failure") throw await unreachable(target, call);
    if (isOfGateway(call))
      throw skipped("unstable", `a gateway answers instead of the agent at ${target.on.url}: ${describeReply(call)}`);
    const asked = [call];
    for (const ask of target.on.dialect === "1.0" ? secondOpinions : olderOpinions) {
      const other = await ask(target);
      if ((isSpoken(other) && !isUnknownThere(other)) || isLogin(other)) return { asked: call, spoken: other };
      asked.push(other);
    }
    if (call.exchange.http.response?.status === 403) throw loginAsked(call);
    throw notSpoken(target, asked);
  },
});

const answered = ({ exchange, on }: Call): string =>
  `${on.url} answered HTTP ${exchange.http.response?.status}${challengeOf(exchange)}`;

const loginAsked = (call: Call): Obstacle =>
  skipped(
    "login",
    call.exchange.http.response?.status === 200 || !call.exchange.http.response
      ? `this agent asks for a login (${describeReply(call)})`
      : `this agent asks for a login: ${answered(call)}`,
    loginHint.replace("Pass credentials: ", ""),
  );

/**
 * JSON-RPC has no code for missing credentials, and some agents answer HTTP 200 (AMB-33). The card shows that they
 * need some.
 */
function asksInJsonRpc({ facts, showsCredentials }: Target, call: Call): boolean {
  const code = errorOf(call)?.code ?? 0;
  const isPredefined = code <= -32100 && code >= -32768;
  return (
    call.on.binding === "JSONRPC" &&
    !showsCredentials &&
    loginOf(facts) !== undefined &&
    isTurnedAway(call) &&
    !isPredefined
  );
}

/** The server speaks JSON-RPC but does not know the operation, or not in this version. */
const isUnknownThere = (call: Call): boolean =>
  call.on.binding === "JSONRPC" && [-32601, -32009].includes(errorOf(call)?.code ?? 0);

/** The method of each version that every agent has. */
const sendMethods: Record<DialectVersion, string> = {
  "1.0": "SendMessage",
  "0.3": "message/send",
  "0.2": "message/send",
  "0.1": "tasks/send",
};

/** Another server answers at the address on the card. */
function notSpoken({ on, otherVersions }: Target, asked: readonly Call[]): Obstacle {
  const [call] = asked as [Call];
  const saw = describeReply(call);
  if (asked.every(isUnknownThere)) {
    const spoken = otherVersions.find((other) => other.on.url === on.url && other.on.binding === on.binding)?.on
      .dialect;
    if (spoken !== undefined)
      return heldUp(
        "CARD-016",
        `${on.url} speaks ${spoken} (${sendMethods[spoken]}), not ${on.dialect} as its card says`,
        asked,
        {
          saw,
          want: `a ${on.dialect} response`,
          remedy: `Declare ${spoken} on the card, or serve the methods of ${on.dialect}.`,
        },
      );
    const names = [...new Set(asked.map(({ operation }) => operation ?? "it"))];
    const unknown = `${names.slice(0, -1).join(", ")} and ${names.at(-1)} are unknown there (-32601)`;
    return heldUp("CARD-016", `${on.url} does not speak A2A: ${unknown}`, asked, {
      saw,
      want: "an operation of A2A",
    });
  }
  const did = on.binding === "GRPC" ? undefined : otherAnswer(call.exchange, on.binding);
  return heldUp("CARD-016", `${on.url} does not speak ${on.binding}${did === undefined ? "" : `: it ${did}`}`, call, {
    saw,
    want: `a ${on.binding} response to GetTask`,
    ...(did?.startsWith("redirects") && { remedy: "Put the address that it redirects to on the card." }),
  });
}

/** Further calls without work. Every agent must know SendMessage, and rejects a message without parts. */
const secondOpinions: readonly ((target: Target) => Promise<Call>)[] = [
  (target) => target.call("ListTasks", { pageSize: 1 }),
  (target) =>
    target.call(
      "SendMessage",
      { message: { messageId: target.unknownId(), role: "ROLE_USER", parts: [] } },
      { refusable: true },
    ),
];

/** Versions before 1.0 have no list, and some of their servers accept a message without parts. */
const olderOpinions: typeof secondOpinions = [
  (target) => target.call("SendMessage", {}, { refusable: true, literal: true, fair: false }),
];

/** Errors of A2A itself, which other servers do not return. */
const reasons = new Set<string>(
  Object.values(errorTable).flatMap(({ code, reason }) => (isA2ACode(code) ? [reason] : [])),
);

/** Returns true for a response that only a server of the binding gives. */
export function isSpoken({ reply, on }: Call): boolean {
  if (reply.is === "result") return true;
  if (reply.is !== "error") return false;
  const { http, grpc, reason } = reply.error;
  if (reason !== undefined && reasons.has(reason)) return true;
  // Responses of a web server to an unknown address, or of a gRPC server to an unknown service.
  if (on.binding === "HTTP+JSON") return ![404, 405, 501].includes(http);
  return grpc?.status !== "UNIMPLEMENTED";
}

/**
 * An agent should listen at all addresses that its card names on the card's host. Other hosts, and failures on the
 * way, may be the network's fault or Assay's. If the agent answers at none of its addresses, it may just be down.
 */
async function unreachable(target: Target, call: Call): Promise<Obstacle> {
  const elsewhere = otherPlace(target.on.url, target.facts.cardUrl);
  const { on, facts } = target;
  if (call.reply.is !== "failure") throw new TypeError("there was an answer");
  const { code, message, hint } = call.reply.failure;
  if (code === "refused-by-guard")
    return skipped("egress", message, hint ?? `--allow-host ${new URL(on.url).hostname}`);
  if (code === "aborted") return skipped("interrupted", "the run was interrupted");
  if (code === "timeout-idle" || code === "timeout-total")
    return skipped(
      "unstable",
      `${elsewhere}no response arrived in time from ${on.url} (${message})`,
      "--timeout <seconds>",
    );
  // A dropped connection says nothing about the server behind it.
  if (code === "reset" || code === "closed-early")
    return skipped("unstable", `${elsewhere}${on.url} dropped every connection (${message})`);
  // `host:port` does not say if TLS is needed (AMB-25), so only a refused connection is certain.
  const isUnsaid =
    on.binding === "GRPC" && code !== "connect-refused" && !facts.declared.some(({ url }) => url === on.url);
  const isTheirs = !isUnsaid && !onTheWay.has(code) && isSameHost(on.url, facts.cardUrl, { port: false });
  if (!isTheirs || !(await isElsewhere(target)))
    return new Obstacle({
      is: "network",
      because: `${elsewhere}cannot reach ${on.url}: ${message}`,
      ...((elsewhere || hint !== undefined) && {
        hint: [hint, elsewhere && placeHint].filter(Boolean).join(" "),
      }),
    });
  return heldUp("CARD-016", `${elsewhere}nothing answers at ${on.url}, where the card declares ${on.binding}`, call, {
    saw: message,
    want: `a ${on.binding} response to GetTask`,
    ...(elsewhere && { remedy: placeHint }),
  });
}

const placeHint = "If the agent listens at another address, write that address on the card.";

/** Names the likely cause first: the address on the card differs from where the card came from. */
export function otherPlace(url: string, cardUrl: string): string {
  const [named, fetched] = [URL.parse(url), URL.parse(cardUrl)];
  if (!named || !fetched) return "";
  const told = (what: string, one: string, other: string): string =>
    `the card names a different ${what} (${one}) than the one it was fetched from (${other}): `;
  if (!isSameHost(named, fetched, { port: false })) return told("host", named.hostname, fetched.hostname);
  return portOf(named) === portOf(fetched) ? "" : told("port", portOf(named), portOf(fetched));
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === "http:" ? "80" : "443");

/** Returns true if the agent answers at another of its addresses. */
async function isElsewhere(target: Target): Promise<boolean> {
  for (const other of [...target.sameVersion, ...target.otherVersions]) {
    if (other.on.url === target.on.url) continue;
    const { reply } = await other.call("GetTask", { id: target.unknownId() }, { unrepeated: true });
    if (reply.is !== "failure") return true;
  }
  return false;
}

const onTheWay = new Set(["dns", "unreachable", "tls", "proxy", "timeout-connect", "unsupported", "unknown"]);
