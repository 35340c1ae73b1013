import { type HostLimits, nextStep } from "@assay/fleet";
import { Agenda } from "./agenda.ts";
import { retryPauses } from "./assumptions.ts";
import { type NightAgent, randomFrom, registryOf } from "./registry.ts";

export interface Night {
  readonly hours: number;
  /** when nine tenths of the agents were done */
  readonly mostHours: number;
  /** queue operations: adding, taking, ending and returning jobs */
  readonly operations: number;
  /** number of times that a job was returned because its host was busy */
  readonly putOff: number;
  /** the used share of the places for examinations */
  readonly busy: number;
  readonly mostDelayed: number;
}

interface NightEvent {
  readonly at: number;
  readonly agent: NightAgent;
  readonly is: "due" | "over";
}

/** A first-in, first-out queue that frees taken entries in large blocks. */
class Line {
  #agents: NightAgent[];
  #taken = 0;

  constructor(agents: NightAgent[]) {
    this.#agents = agents;
  }

  add(agent: NightAgent): void {
    this.#agents.push(agent);
  }

  take(): NightAgent | undefined {
    if (this.#taken > 200_000) {
      this.#agents = this.#agents.slice(this.#taken);
      this.#taken = 0;
    }
    return this.#taken < this.#agents.length ? this.#agents[this.#taken++] : undefined;
  }
}

/** Simulates one night with this number of agents and concurrent examinations, in simulated milliseconds. */
export function playNight(agents: number, places: number, limits: HostLimits): Night {
  const random = randomFrom(1);
  const line = new Line(registryOf(agents, random));
  const agenda = new Agenda<NightEvent>();
  let now = 0;
  let free = places;
  let done = 0;
  let putOff = 0;
  let taken = 0;
  let workingMs = 0;
  let mostDelayed = 0;
  let mostDoneAt = 0;

  const begin = (agent: NightAgent): void => {
    const { host, kind } = agent;
    const place = agent.place === undefined ? {} : { place: agent.place };
    const step = nextStep({ now, nextAt: host.nextAt, active: host.active, ...place }, limits);
    host.nextAt = step.nextAt;
    if (step.is === "wait") {
      putOff++;
      agent.place = step.until;
      agenda.add({ at: step.until, agent, is: "due" });
      mostDelayed = Math.max(mostDelayed, agenda.size - (places - free));
      return;
    }
    host.active++;
    agent.place = undefined;
    agent.tries++;
    free--;
    const ms = kind.seconds * 1_000 * (0.5 + random());
    workingMs += ms;
    agenda.add({ at: now + ms, agent, is: "over" });
  };

  const end = (agent: NightAgent): void => {
    free++;
    agent.host.active--;
    const pause = agent.tries < agent.kind.tries ? retryPauses[agent.tries - 1] : undefined;
    if (pause !== undefined) agenda.add({ at: now + pause * 1_000, agent, is: "due" });
    else if (++done >= agents * 0.9 && mostDoneAt === 0) mostDoneAt = now;
  };

  for (;;) {
    while (free > 0) {
      const agent = line.take();
      if (!agent) break;
      taken++;
      begin(agent);
    }
    const event = agenda.next();
    if (!event) break;
    now = event.at;
    if (event.is === "due") line.add(event.agent);
    else end(event.agent);
  }
  return {
    hours: now / 3_600_000,
    mostHours: mostDoneAt / 3_600_000,
    operations: agents + 2 * taken,
    putOff,
    busy: workingMs / (now * places),
    mostDelayed,
  };
}
