import { isObject, type JsonObject } from "@assay/protocol";
import { asList, asObject } from "../answers/loose-json.ts";
import { describeReply, errorOf, isAccepted, isLogin } from "../answers/reading.ts";
import type { Call } from "../define/call.ts";
import { heldUp, type Obstacle } from "../define/obstacle.ts";
import type { Target } from "../define/target.ts";
import { inDialectOf } from "./in-dialect-of.ts";
import { sendParams } from "./sending.ts";
import { ifMade } from "./sent-calls.ts";

/** Parts name their kind in `type` in 0.1, and in `kind` in 0.2 and 0.3. */
const tags = {
  "0.1": { due: "type", other: "kind", code: "kind-for-type" },
  "0.2": { due: "kind", other: "type", code: "type-for-kind" },
  "0.3": { due: "kind", other: "type", code: "type-for-kind" },
} as const;

/**
 * Finds out if an agent that rejected a plain message accepts it with the part tag of another version. That is an easy
 * mistake that no error explains. The second attempt counts as a message if accepted.
 */
export async function wantsOtherTag(target: Target, refused: Call): Promise<Obstacle | undefined> {
  const { binding, dialect } = target.on;
  if (binding !== "JSONRPC" || dialect === "1.0" || !errorOf(refused) || isLogin(refused)) return undefined;
  const { due, other, code } = tags[dialect];
  const params = retagged(inDialectOf(target, "SendMessage", sendParams(target)), due, other);
  // The budget may have no message left for it.
  const call = await ifMade(target.call("SendMessage", params, { literal: true, refusable: true, fair: false }));
  if (!call || !isAccepted(call)) return undefined;
  return heldUp(
    "SEND-001",
    `the agent rejects parts with ${due} and accepts the same parts with ${other}`,
    [refused, call],
    {
      code,
      saw: describeReply(refused),
      want: `a part with "${due}": "text" is accepted, as ${dialect} defines it`,
      remedy: `In every part, read \`${due}\` instead of \`${other}\`: that is the name of the member in ${dialect}.`,
    },
  );
}

function retagged(params: JsonObject, due: string, other: string): JsonObject {
  const message = asObject(params["message"]) ?? {};
  const parts = asList(message["parts"]).map((part) => {
    if (!isObject(part)) return part;
    const { [due]: said, ...rest } = part as JsonObject;
    return said === undefined ? rest : { [other]: said, ...rest };
  });
  return { ...params, message: { ...message, parts } };
}
