import type { RequestHead } from "../definition/admission.ts";
import type { AgentDefinition } from "../definition/agent.ts";
import { versionOf } from "./admission.ts";
import { nativeVersion } from "./dialects.ts";

/** The path of the extended card in 0.2, below the directory of the card's `url` (`{url}/../agent/…`). */
export const extendedCardPathV02 = "/agent/authenticatedExtendedCard";

/**
 * Returns true for an HTTP+JSON request of 0.3: every request to a native 0.3 agent. An agent that also
 * supports 1.0 needs a path that starts with `/v1` and no other requested version.
 */
export function isRestV03({ dialects = ["1.0"] }: AgentDefinition, path: string, head: RequestHead): boolean {
  if (dialects[0] === "0.3") return true;
  return dialects.includes("0.3") && path.startsWith("/v1/") && versionOf(head) === "0.3";
}

/**
 * Returns true if a request may be in a version before 1.0: its agent is older, or supports several versions
 * and the request does not ask for 1.0.
 */
export const mayBeOlder = (agent: AgentDefinition, head: RequestHead): boolean =>
  nativeVersion(agent) !== "1.0" || ((agent.dialects?.length ?? 1) > 1 && versionOf(head) !== "1.0");
