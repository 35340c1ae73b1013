import { hasOperation } from "../../answers/operations-of.ts";
import { describeReply } from "../../answers/reading.ts";
import type { Call } from "../../define/call.ts";
import { activeCheck } from "../../define/check.ts";
import { broken, holds, notApplicable, notExamined } from "../../define/finding.ts";
import type { Target } from "../../define/target.ts";
import { firstContact } from "../../observations/first-contact.ts";
import { isTurnedAway, loginOf } from "../../observations/login.ts";

const canList = ({ on }: Target): boolean => hasOperation(on, "ListTasks");

/** Costs nothing, and gives something to those who may have it; before 1.0, as much as that there is nothing. */
const call = (target: Target): Promise<Call> =>
  canList(target) ? target.call("ListTasks", { pageSize: 1 }) : target.call("GetTask", { id: target.unknownId() });

/** How often we try to get hold of a connection that has been used before. */
const tries = 5;

export const everyRequestIsAuthenticated = activeCheck({
  id: "AUTH-019",
  title: "credentials count for one request, not for the connection",
  remedy: "Authenticate each request by its own headers; keep nothing about the caller with the connection.",
  // Over gRPC every call has metadata of its own, and the connection is shared by design.
  bindings: ["JSONRPC", "HTTP+JSON"],
  uses: { firstContact },
  async judge(_seen, target) {
    const anonymous = target.as("anonymous");
    if (!anonymous || !loginOf(target.facts)) return notApplicable("the card asks for no authentication");
    if (target.showsCertificate) return notApplicable("callers are known by the certificate of the connection");
    for (let attempt = 0; attempt < tries; attempt++) {
      const first = await call(target);
      if (isTurnedAway(first))
        return notExamined("credentials", "the user may not make the call that is to be compared");
      const second = await call(anonymous);
      if (!second.exchange.transport.reused) continue;
      // Asked for a task that does not exist, the agent answers an error to those whom it serves as well.
      if (second.reply.is !== "result" && (canList(target) || isTurnedAway(second))) return holds();
      // The same bytes on a fresh connection: who is served there too is not known by the connection.
      const fresh = await anonymous.raw([{ is: "send", bytes: second.exchange.transport.sent }]);
      if (fresh.http.response?.status === second.exchange.http.response?.status)
        return notApplicable("requests without credentials are served on any connection");
      return broken("a request without credentials is served on a connection that was used with good ones before", {
        saw: describeReply(second),
        want: "an authentication error",
        at: [second, first],
      });
    }
    return notExamined("unstable", "the agent closes every connection after one request");
  },
});
