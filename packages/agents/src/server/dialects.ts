import { type Dialect, type DialectVersion, v10 } from "@assay/protocol/core";
import type { AgentDefinition } from "../definition/agent.ts";

type Older = typeof import("./older.ts");

let older: Older | undefined;

/** Loads the code for versions before 1.0 on demand, because it is most of the code. */
export async function loadOlder(): Promise<Older> {
  older ??= await import("./older.ts");
  return older;
}

export const isOlderLoaded = (): boolean => older !== undefined;

/**
 * Returns the JSON-RPC dialect of a version. Those before 1.0 must be loaded first (`loadOlder`), which the
 * router does.
 */
export function dialectOf(version: DialectVersion): Dialect {
  if (version === "1.0") return v10;
  if (!older) throw new Error(`A2A ${version} is not loaded`);
  return older.olderDialects[version];
}

/** Returns the native version of an agent. */
export const nativeVersion = ({ dialects: spoken }: AgentDefinition): DialectVersion => spoken?.[0] ?? "1.0";

export const nativeDialect = (agent: AgentDefinition): Dialect => dialectOf(nativeVersion(agent));
