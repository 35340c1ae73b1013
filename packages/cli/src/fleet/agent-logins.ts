import { type ListedAgent, type LoginReference, RowMistake, readLogin } from "@assay/fleet";
import { missingFlags, oauthOf, type SecretPolicy, type SecretUse, secretUses } from "@assay/library/connection";
import { loginNames } from "./login-names.ts";
import type { WorkerSecrets } from "./worker-secrets.ts";

/** The login for an agent, or the reason why Assay may not use it here. */
export type AgentLogin = { readonly login?: LoginReference } | { readonly refused: string };

/** Chooses the login with which an agent is examined. */
export type AgentLogins = (agent: ListedAgent) => Promise<AgentLogin>;

/** Returns the secrets in an agent's login and their recipients: its address, its card's address, and its token URL. */
export function loginUses({ url, card, login = {} }: ListedAgent): Promise<SecretUse[]> {
  const oauth = oauthOf(login);
  return secretUses({ ...login, ...(oauth && { oauth }) }, [url, ...(card === undefined ? [] : [card])], loginNames);
}

/** Returns the login from the list, if its secrets may go to that agent. */
export const listedLogins =
  (policy: SecretPolicy): AgentLogins =>
  async (agent) => {
    if (agent.login === undefined) return {};
    try {
      // A list filled the ledger, but anyone with write access may have changed it.
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

/** Returns the login from the worker's operator for an agent, or else the one from the list. */
export const workerLogins = (secrets: WorkerSecrets, policy: SecretPolicy): AgentLogins => {
  const listed = listedLogins(policy);
  return async (agent) => secrets(agent) ?? listed(agent);
};
