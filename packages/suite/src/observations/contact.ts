import { observation } from "../observation.ts";
import { heldUp, Obstacle, skipped } from "../obstacle.ts";
import { describeReply, errorOf } from "../reading.ts";
import type { Talk } from "../talk.ts";

/**
 * The first call on an interface: a task that nobody has. Whatever is answered in the words of the binding shows that
 * somebody speaks it there; everything else holds up all that is to be asked on this interface.
 */
export const contact = observation<Talk>({
  name: "a first call",
  messages: 0,
  rank: 0,
  async make(lab) {
    const talk = await lab.call("GetTask", { id: lab.unknownId() });
    const saw = describeReply(talk);
    switch (talk.reply.is) {
      case "result":
      case "error":
        if (isLogin(talk))
          throw skipped(
            "credentials",
            `the agent asks for a login (${saw})`,
            "--bearer env:TOKEN, --api-key or --basic",
          );
        return talk;
      case "stream":
      case "malformed":
        throw heldUp("CARD-016", `${lab.on.binding} is not spoken at ${lab.on.url}: ${saw}`, talk, {
          saw,
          want: `an answer of ${lab.on.binding} to GetTask`,
        });
      case "failure": {
        const { code, message, hint } = talk.reply.failure;
        if (code === "refused-by-guard") throw skipped("credentials", message, hint ?? "--allow-host <host>");
        if (code === "aborted") throw skipped("interrupted", "the run was interrupted");
        if (code === "unsupported" || code === "proxy") throw new Obstacle({ is: "network", because: message });
        throw heldUp("CARD-016", `nobody speaks ${lab.on.binding} at ${lab.on.url}: ${message}`, talk, {
          saw: message,
          want: `an answer of ${lab.on.binding} to GetTask`,
        });
      }
    }
  },
});

/** Turned away for want of credentials, by whichever binding. */
function isLogin(talk: Talk): boolean {
  return talk.exchange.http.response?.status === 401 || errorOf(talk)?.grpc?.status === "UNAUTHENTICATED";
}
