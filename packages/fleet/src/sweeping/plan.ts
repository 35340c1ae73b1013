import { randomBytes } from "node:crypto";
import { classFacts } from "../classes/agent-class.ts";
import type { FleetJob } from "../examining/examination.ts";
import type { FleetVerdict, Sweep } from "../ledger/verdict.ts";
import type { ListedAgent } from "../listing/listed-agent.ts";

/** A sweep that begins now; its name sorts by time. */
export function newSweep(fleet: string, agents: number, now = new Date()): Sweep {
  const at = now.toISOString();
  const name = at.slice(0, 19).replaceAll(/[-:]/g, "").replace("T", "-");
  return { sweep: `sweep-${name}-${randomBytes(3).toString("hex")}`, fleet, startedAt: at, agents };
}

/** The jobs of a sweep, each with what is known from the last time, where that may stand. */
export function jobsFor(sweep: string, agents: readonly ListedAgent[], latest: readonly FleetVerdict[]): FleetJob[] {
  const known = new Map(latest.map((verdict) => [verdict.agent, verdict]));
  return agents.map((agent) => {
    const verdict = agent.notBefore === undefined ? undefined : known.get(agent.name);
    const { cardDigest } = verdict ?? {};
    if (!verdict || cardDigest === undefined || !classFacts(verdict.class).lasts) return { sweep, agent };
    return { sweep, agent, before: { cardDigest, at: Date.parse(verdict.examinedAt ?? verdict.at) } };
  });
}
