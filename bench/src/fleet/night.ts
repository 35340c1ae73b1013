import { parseArgs } from "node:util";
import { playNight } from "./play-night.ts";

/**
 * A night of a registry, played in memory: the plan of hosts that workers keep to, a queue that hands out what is due, agents of the
 * kinds that are assumed. It shows how long the night is, and what holds it up.
 */
const { values: flags } = parseArgs({
  options: {
    agents: { type: "string", default: "1000000" },
    workers: { type: "string", default: "20,40,80" },
    "at-once": { type: "string", default: "16" },
    /** what a host is asked: at once, and beginnings in a second */
    hosts: { type: "string", default: "2:2,8:5,32:20" },
  },
});
const numbers = (text: string): number[] => text.split(",").map(Number);
const agents = Number(flags.agents);
const atOnce = Number(flags["at-once"]);
const write = (text: string): void => void process.stdout.write(`${text}\n`);

write(`\nA night of ${agents.toLocaleString("en")} agents, ${atOnce} examinations at a time on each worker.\n`);
write(
  "| a host: at once, per second | workers | 9 in 10 done, hours | all done, hours | queue operations/s | put off, per agent | workers busy | put off at once, most |",
);
write("|---|---:|---:|---:|---:|---:|---:|---:|");
for (const host of flags.hosts.split(",")) {
  const [concurrency = 1, perSecond = 1] = host.split(":").map(Number);
  for (const workers of numbers(flags.workers)) {
    const night = playNight(agents, workers * atOnce, { atOnce: concurrency, perSecond });
    const cells = [
      `${concurrency}, ${perSecond}`,
      workers,
      night.mostHours.toFixed(1),
      night.hours.toFixed(1),
      (night.operations / (night.hours * 3_600)).toFixed(0),
      (night.putOff / agents).toFixed(2),
      `${Math.round(night.busy * 100)} %`,
      night.mostDelayed.toLocaleString("en"),
    ];
    write(`| ${cells.join(" | ")} |`);
  }
}
