import { type Dialect, type DialectVersion, v10 } from "@assay/protocol/core";
import type { AgentDefinition } from "../definition/agent.ts";

type Older = typeof import("./older.ts");

let older: Older | undefined;

/** What serves the versions before 1.0. They are most of what there is to load, so they wait for whoever speaks one. */
export async function loadOlder(): Promise<Older> {
  older ??= await import("./older.ts");
  return older;
}

export const isOlderLoaded = (): boolean => older !== undefined;

/** As written over JSON-RPC. Those before 1.0 have to be loaded (`loadOlder`): the router sees to that. */
export function dialectOf(version: DialectVersion): Dialect {
  if (version === "1.0") return v10;
  if (!older) throw new Error(`A2A ${version} is not loaded`);
  return older.olderDialects[version];
}

/** The version an agent is at home in. */
export const nativeVersion = ({ dialects: spoken }: AgentDefinition): DialectVersion => spoken?.[0] ?? "1.0";

export const nativeDialect = (agent: AgentDefinition): Dialect => dialectOf(nativeVersion(agent));
