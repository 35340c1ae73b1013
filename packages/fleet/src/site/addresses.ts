import { createHash } from "node:crypto";

/** Where things are on the site. Names of agents are hostile text: what is left of one in the name of a file is for people alone. */

/** The same for the same agent, in every sweep; no two agents share one, also where capitals are not told apart. */
export function slugOf(agent: string): string {
  const readable = agent
    .toLowerCase()
    .replace(/^https?:\/\//, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 48)
    .replace(/^-+|-+$/g, "");
  const digest = createHash("sha256").update(agent).digest("hex").slice(0, 12);
  return `${readable || "agent"}-${digest}`;
}

export const agentFile = (agent: string): string => `agents/${slugOf(agent)}.html`;
export const badgeFile = (agent: string): string => `badges/${slugOf(agent)}.svg`;
export const hallmarkFile = (agent: string): string => `hallmarks/${slugOf(agent)}.jws`;
/** The bytes that a hallmark is about. */
export const reportFile = (agent: string): string => `hallmarks/${slugOf(agent)}.report.json`;
export const keysFile = "hallmarks/keys.jwks.json";

/** Folders in which every file is ours: what an earlier site left there is taken away. */
export const siteFolders = ["agents", "badges", "hallmarks"] as const;
