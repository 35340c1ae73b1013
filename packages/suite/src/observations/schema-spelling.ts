import { errorOf, isAccepted, isLogin } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { type Obstacle, skipped } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { inDialectOf } from "./in-dialect-of.ts";
import { sendParams } from "./sending.ts";
import { ifMade } from "./sent-calls.ts";

/**
 * Finds out if an agent of 0.3 that rejected a plain message over HTTP+JSON accepts it in the spelling of the JSON
 * schema. The text can be read that way (docs/spec/dialects.md), so this is not a failure. The second attempt counts as a
 * message if accepted.
 */
export async function readsSchemaOnly(target: Target, refused: Call): Promise<Obstacle | undefined> {
  const { on } = target;
  if (on.binding !== "HTTP+JSON" || on.dialect !== "0.3" || !errorOf(refused) || isLogin(refused)) return undefined;
  const params = inDialectOf({ on: { ...on, binding: "JSONRPC" } }, "SendMessage", sendParams(target));
  // The budget may have no message left for it.
  const call = await ifMade(target.call("SendMessage", params, { literal: true, refusable: true, fair: false }));
  if (!call || !isAccepted(call)) return undefined;
  return skipped(
    "prerequisite",
    "over HTTP+JSON the agent reads messages only as in JSON-RPC (kind, parts), not as in a2a.proto (content), which SDK clients send",
    "let the agent also read the form of a2a.proto: role ROLE_USER, and content instead of parts",
  );
}
