import { errorTable } from "@assay/protocol";
import type { Call } from "../call.ts";
import { observation } from "../observation.ts";
import { heldUp, Obstacle, skipped } from "../obstacle.ts";
import { describeReply, isLogin } from "../reading.ts";
import type { Target } from "../target.ts";

/**
 * The first call on an interface: a task that does not exist. Whatever is answered in the words of the binding shows
 * that it is spoken there; everything else holds up all that is to be asked on this interface. Where the answer could
 * as well be that of a server which does not know the address, two more calls are made: how an error is
 * dressed, or that one operation is missing, is for other rules.
 */
export const firstContact = observation<Call>({
  name: "a first call",
  messages: 0,
  rank: 0,
  async make(target) {
    const call = await target.call("GetTask", { id: target.unknownId() });
    if (isLogin(call)) {
      throw skipped(
        "login",
        `the agent asks for a login (${describeReply(call)})`,
        "--bearer env:TOKEN, --api-key or --basic",
      );
    }
    if (isSpoken(call)) return call;
    if (call.reply.is === "failure") throw unreachable(target, call);
    for (const ask of target.on.dialect === "1.0" ? secondOpinions : olderOpinions) {
      const other = await ask(target);
      if (isSpoken(other) || isLogin(other)) return other;
    }
    const saw = describeReply(call);
    throw heldUp("CARD-016", `${target.on.binding} is not spoken at ${target.on.url}`, call, {
      saw,
      want: `an answer of ${target.on.binding} to GetTask`,
    });
  },
});

/** Other calls that are no messages. Every agent has to know SendMessage; a message without parts it refuses. */
const secondOpinions: readonly ((target: Target) => Promise<Call>)[] = [
  (target) => target.call("ListTasks", { pageSize: 1 }),
  (target) =>
    target.call(
      "SendMessage",
      { message: { messageId: target.unknownId(), role: "ROLE_USER", parts: [] } },
      { refusable: true },
    ),
];

/** Versions before 1.0 have no list, and some of their servers take a message without parts. */
const olderOpinions: typeof secondOpinions = [
  (target) => target.call("SendMessage", {}, { refusable: true, literal: true, fair: false }),
];

/** Those of A2A's own errors: other servers do not write them. */
const reasons = new Set<string>(
  Object.values(errorTable).flatMap(({ code, reason }) => (code <= -32001 && code >= -32099 ? [reason] : [])),
);

/** An answer that only a server of the binding gives. */
export function isSpoken({ reply, on }: Call): boolean {
  if (reply.is === "result") return true;
  if (reply.is !== "error") return false;
  const { http, grpc, reason } = reply.error;
  if (reason !== undefined && reasons.has(reason)) return true;
  // What a web server says of an address, and a gRPC server of a service, that it does not have.
  if (on.binding === "HTTP+JSON") return ![404, 405, 501].includes(http);
  return grpc?.status !== "UNIMPLEMENTED";
}

/**
 * Where the card was to be had, the agent should listen at the other addresses it names for the same host. What lies
 * elsewhere, or fails on the way there, may as well be the network's fault or ours.
 */
function unreachable({ on, facts }: Target, call: Call): Obstacle {
  if (call.reply.is !== "failure") throw new TypeError("there was an answer");
  const { code, message, hint } = call.reply.failure;
  if (code === "refused-by-guard")
    return skipped("egress", message, hint ?? `--allow-host ${new URL(on.url).hostname}`);
  if (code === "aborted") return skipped("interrupted", "the run was interrupted");
  // `host:port` does not say whether it wants TLS (AMB-25); only a refused connection is certain.
  const isUnsaid =
    on.binding === "GRPC" && code !== "connect-refused" && !facts.declared.some(({ url }) => url === on.url);
  const isTheirs = !isUnsaid && !onTheWay.has(code) && new URL(on.url).hostname === new URL(facts.cardUrl).hostname;
  if (!isTheirs) return new Obstacle({ is: "network", because: `${on.url} cannot be reached: ${message}` });
  return heldUp("CARD-016", `nothing answers at ${on.url}, where the card declares ${on.binding}`, call, {
    saw: message,
    want: `an answer of ${on.binding} to GetTask`,
  });
}

const onTheWay = new Set(["dns", "unreachable", "tls", "proxy", "timeout-connect", "unsupported", "unknown"]);
