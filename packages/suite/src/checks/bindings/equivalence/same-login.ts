import { matches } from "../../../answers/expect-error.ts";
import { hasOperation } from "../../../answers/operations-of.ts";
import { describeReply, errorOf } from "../../../answers/reading.ts";
import type { Call } from "../../../define/call.ts";
import { activeCheck } from "../../../define/check.ts";
import { broken, holds, notApplicable } from "../../../define/finding.ts";
import type { Target } from "../../../define/target.ts";
import { firstContact } from "../../../observations/first-contact.ts";
import { noOthers, othersOf } from "./other-bindings.ts";

export const sameLogin = activeCheck({
  id: "BIND-004",
  title: "every binding asks for the same credentials",
  remedy: "Check credentials in one place that all bindings pass; gRPC takes them from its metadata.",
  requires: ["multiBinding", "securityRequirements", "credentials"],
  uses: { firstContact },
  once: true,
  async judge(_seen, target) {
    const others = othersOf(target);
    if (others.length === 0) return noOthers;
    const places = [target, ...others];
    // With the credentials: an interface that turns us away is not reached at all, and says so itself.
    for (const other of others) await other.observe(firstContact);
    const anonymous = [];
    for (const place of places) {
      const call = await asked(place.as("anonymous"));
      if (call) anonymous.push({ on: place.on.binding, call });
    }
    const refused = anonymous.filter(({ call }) => isTurnedAway(call));
    if (refused.length === 0) return notApplicable("no binding asks for credentials");
    // An agent that looks for the task has let us in.
    const open = anonymous.filter(({ call }) => call.reply.is === "result" || matches(call, "TaskNotFound"));
    if (open.length === 0) return holds();
    return broken("one binding asks for credentials and another serves everybody", {
      saw: anonymous.map(({ on, call }) => `${on}: ${describeReply(call)}`).join("; "),
      want: "the same authentication over every binding",
      at: open.map(({ call }) => call),
    });
  },
});

/** Something that every caller may ask, and that is no message. */
const asked = async (target: Target | undefined): Promise<Call | undefined> =>
  target && hasOperation(target.on, "ListTasks")
    ? target.call("ListTasks", { pageSize: 1 })
    : target?.call("GetTask", { id: target.unknownId() });

/** Refused for want of credentials; JSON-RPC has no number of its own for it (AMB-33). */
function isTurnedAway(call: Call): boolean {
  const status = call.exchange.http.response?.status;
  const error = errorOf(call);
  if (call.shutOut) return true;
  if (status === 401 || status === 403 || error?.grpc?.status === "UNAUTHENTICATED") return true;
  if (error?.grpc?.status === "PERMISSION_DENIED") return true;
  const code = call.on.binding === "JSONRPC" ? error?.code : undefined;
  return code !== undefined && !(code >= -32099 && code <= -32001) && !(code >= -32700 && code <= -32600);
}
