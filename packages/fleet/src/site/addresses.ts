import { createHash } from "node:crypto";

/**
 * Paths of the site. Names of agents are hostile text, so paths contain only a readable rest of a name and a digest.
 */

/** Returns the same unique text for an agent in every sweep. It is lower-case, so it is unique on all file systems. */
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
/** Path of the exact bytes that the hallmark's digest covers. */
export const reportFile = (agent: string): string => `hallmarks/${slugOf(agent)}.report.json`;
export const keysFile = "hallmarks/keys.jwks.json";

/** Folders that contain only generated files, so files of an earlier site are deleted. */
export const siteFolders = ["agents", "badges", "hallmarks"] as const;
