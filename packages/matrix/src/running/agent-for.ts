import type { MatrixVersion } from "../document/document.ts";

/**
 * The agent of a server that stands for the one of a scenario. A server may have its agents of 0.3 apart, behind cards of
 * that version; scenarios about `spec03` are about the agent that 0.3 is spoken with.
 */
export function agentFor(wanted: string, version: MatrixVersion, agents: Readonly<Record<string, string>>): string {
  const plain = wanted === "spec03" ? "spec" : wanted;
  return version === "0.3" && "spec03" in agents ? `${plain}03` : plain;
}
