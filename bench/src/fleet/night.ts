import { parseArgs } from "node:util";
import { progress, report, sized } from "../results/report.ts";
import { cellOf } from "../results/rows.ts";
import { playNight } from "./play-night.ts";

/**
 * Simulates the nightly sweep of a registry in memory: the workers' plan for each host, the queue of due jobs, and the
 * assumed kinds of agents. Shows how long the night takes, and what limits it.
 */
const { values: flags } = parseArgs({
  options: {
    agents: { type: "string", default: sized({ short: "100000", standard: "1000000", long: "1000000" }) },
    workers: { type: "string", default: sized({ short: "40", standard: "40", long: "20,40,80" }) },
    "at-once": { type: "string", default: "16" },
    /** limits for one host: concurrent examinations, and starts per second */
    hosts: { type: "string", default: "2:2,8:5,32:20" },
  },
});
const numbers = (text: string): number[] => text.split(",").map(Number);
const agents = Number(flags.agents);
const atOnce = Number(flags["at-once"]);

const cells = flags.hosts.split(",").flatMap((host) => {
  const [concurrency = 1, perSecond = 1] = host.split(":").map(Number);
  return numbers(flags.workers).flatMap((workers) => {
    progress(`a night with ${workers} workers, ${concurrency} at once on a host, ${perSecond} a second`);
    const night = playNight(agents, workers * atOnce, { atOnce: concurrency, perSecond });
    const name = `a host takes ${concurrency} at once, ${perSecond} a second; ${workers} workers`;
    const columns: [string, string, number][] = [
      ["9 in 10 done", "hours", night.mostHours],
      ["all done", "hours", night.hours],
      ["queue operations a second", "", night.operations / (night.hours * 3_600)],
      ["put off, per agent", "", night.putOff / agents],
      ["workers busy", "%", night.busy * 100],
      ["put off at once, most", "", night.mostDelayed],
    ];
    return columns.map(([column, unit, value]) => cellOf({ name, column, unit, better: "neither" }, [value]));
  });
});
report(`A simulated night of ${agents.toLocaleString("en")} agents, ${atOnce} tests at a time on each worker`, cells);
