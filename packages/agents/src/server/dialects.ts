import { type Dialect, type DialectVersion, v01, v02, v03, v10 } from "@assay/protocol";
import type { AgentDefinition } from "../agent.ts";

/** As written over JSON-RPC. */
const dialects: Record<DialectVersion, Dialect> = { "0.1": v01, "0.2": v02, "0.3": v03, "1.0": v10 };

export const dialectOf = (version: DialectVersion): Dialect => dialects[version];

/** The version an agent is at home in. */
export const nativeDialect = ({ dialects: spoken }: AgentDefinition): Dialect => dialects[spoken?.[0] ?? "1.0"];
