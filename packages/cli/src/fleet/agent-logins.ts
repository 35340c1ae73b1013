import { type ListedAgent, type LoginReference, RowMistake, readLogin } from "@assay/fleet";
import { missingFlags, oauthOf, type SecretPolicy, type SecretUse, secretUses } from "@assay/library/connection";
import { loginNames } from "./login-names.ts";
import type { WorkerSecrets } from "./worker-secrets.ts";

/** How an agent is logged in to, or why its login may not be used here. */
export type AgentLogin = { readonly login?: LoginReference } | { readonly refused: string };

/** Decides with which login an agent is examined. */
export type AgentLogins = (agent: ListedAgent) => Promise<AgentLogin>;

/** The secrets that the login of an agent names, and who gets them: its address, that of its card, that of its tokens. */
export function loginUses({ url, card, login = {} }: ListedAgent): Promise<SecretUse[]> {
  const oauth = oauthOf(login);
  return secretUses({ ...login, ...(oauth && { oauth }) }, [url, ...(card === undefined ? [] : [card])], loginNames);
}

/** The login that the list names, where its secrets may go to that agent. */
export const listedLogins =
  (policy: SecretPolicy): AgentLogins =>
  async (agent) => {
    if (agent.login === undefined) return {};
    try {
      // The ledger was filled from a list, but anyone who can write to it may have put anything there.
      const login = readLogin(agent.login, "login");
      const uses = await loginUses({ ...agent, login });
      const flags = uses.flatMap((use) => missingFlags(use, policy));
      if (flags.length === 0) return { login };
      return { refused: `Add ${[...new Set(flags)].join(" ")}` };
    } catch (error) {
      if (error instanceof RowMistake) return { refused: error.message };
      throw error;
    }
  };

/** The login of the worker's own operator for an agent; where there is none, the one that the list names. */
export const workerLogins = (secrets: WorkerSecrets, policy: SecretPolicy): AgentLogins => {
  const listed = listedLogins(policy);
  return async (agent) => secrets(agent) ?? listed(agent);
};
