import type { MatrixVersion } from "../document/document.ts";

/**
 * Returns the server's agent for a scenario. A server may have separate 0.3 agents with cards of that
 * version; scenarios about `spec03` use the agent for 0.3.
 */
export function agentFor(wanted: string, version: MatrixVersion, agents: Readonly<Record<string, string>>): string {
  const plain = wanted === "spec03" ? "spec" : wanted;
  return version === "0.3" && "spec03" in agents ? `${plain}03` : plain;
}
