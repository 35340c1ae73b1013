import { probe } from "../../check.ts";
import { matches } from "../../expect-error.ts";
import { broken, holds, notApplicable } from "../../finding.ts";
import type { Lab } from "../../lab.ts";
import { contact } from "../../observations/contact.ts";
import { hasOperation } from "../../operations-of.ts";
import { describeReply, errorOf } from "../../reading.ts";
import type { Talk } from "../../talk.ts";
import { noOthers, othersOf } from "./others.ts";

export const sameLogin = probe({
  id: "BIND-004",
  title: "every binding asks for the same credentials",
  remedy: "Check credentials in one place that all bindings pass; gRPC takes them from its metadata.",
  requires: ["multiBinding", "securityRequirements", "credentials"],
  uses: { contact },
  once: true,
  async probe(_seen, lab) {
    const others = othersOf(lab);
    if (others.length === 0) return noOthers;
    const places = [lab, ...others];
    // With the credentials: an interface that turns us away is not reached at all, and says so itself.
    for (const other of others) await other.observe(contact);
    const anonymous = [];
    for (const place of places) {
      const talk = await asked(place.as("anonymous"));
      if (talk) anonymous.push({ on: place.on.binding, talk });
    }
    const refused = anonymous.filter(({ talk }) => isTurnedAway(talk));
    if (refused.length === 0) return notApplicable("no binding asks for credentials");
    // Whoever looks for the task has let us in.
    const open = anonymous.filter(({ talk }) => talk.reply.is === "result" || matches(talk, "TaskNotFound"));
    if (open.length === 0) return holds();
    return broken("one binding asks for credentials and another serves everybody", {
      saw: anonymous.map(({ on, talk }) => `${on}: ${describeReply(talk)}`).join("; "),
      want: "the same authentication over every binding",
      at: open.map(({ talk }) => talk),
    });
  },
});

/** Something that every caller may ask, and that makes no work. */
const asked = async (lab: Lab | undefined): Promise<Talk | undefined> =>
  lab && hasOperation(lab.on, "ListTasks")
    ? lab.call("ListTasks", { pageSize: 1 })
    : lab?.call("GetTask", { id: lab.unknownId() });

/** Refused for want of credentials; JSON-RPC has no number of its own for it (AMB-33). */
function isTurnedAway(talk: Talk): boolean {
  const status = talk.exchange.http.response?.status;
  const error = errorOf(talk);
  if (status === 401 || status === 403 || error?.grpc?.status === "UNAUTHENTICATED") return true;
  if (error?.grpc?.status === "PERMISSION_DENIED") return true;
  const code = talk.on.binding === "JSONRPC" ? error?.code : undefined;
  return code !== undefined && !(code >= -32099 && code <= -32001) && !(code >= -32700 && code <= -32600);
}
