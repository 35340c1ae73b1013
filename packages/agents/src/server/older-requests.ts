import type { RequestHead } from "../definition/admission.ts";
import type { AgentDefinition } from "../definition/agent.ts";
import { versionOf } from "./admission.ts";
import { nativeVersion } from "./dialects.ts";

/** Where 0.2 has the extended card, below the directory that the card's `url` stands for (`{url}/../agent/…`). */
export const extendedCardPathV02 = "/agent/authenticatedExtendedCard";

/**
 * Whether a request is HTTP+JSON of 0.3: to an agent that speaks it natively always, to one that speaks 1.0 as
 * well when the path begins with `/v1` and no other version is asked for.
 */
export function isRestV03({ dialects = ["1.0"] }: AgentDefinition, path: string, head: RequestHead): boolean {
  if (dialects[0] === "0.3") return true;
  return dialects.includes("0.3") && path.startsWith("/v1/") && versionOf(head) === "0.3";
}

/** Whether a request may be in a version before 1.0: it is to an agent of one, or to one that speaks several and asks for no 1.0. */
export const mayBeOlder = (agent: AgentDefinition, head: RequestHead): boolean =>
  nativeVersion(agent) !== "1.0" || ((agent.dialects?.length ?? 1) > 1 && versionOf(head) !== "1.0");
