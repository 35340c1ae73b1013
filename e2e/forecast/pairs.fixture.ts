import { readFileSync } from "node:fs";
import { join } from "node:path";
import { testAgent } from "@assay/suite";
import { type AgentTraits, type ClientProfile, forecastOf, traitsOf } from "@assay/suite/forecast";
import { type ClientForecast, foldRun, type RunEvent } from "@assay/suite/report";
import { createEgressGuard } from "@assay/wire";
import { parse } from "yaml";
import { type PairedAgent, withAgent } from "./agents.fixture.ts";
import { ClientProgram, declined, type RealClient, realClients, root, setUp } from "./clients.fixture.ts";

interface Pairs {
  readonly agents: Readonly<Record<string, PairedAgent>>;
  readonly pairs: readonly Pair[];
  readonly later: readonly Pair[];
  readonly unseen: readonly Pair[];
  readonly habits: readonly Pair[];
}

type Pair = readonly [client: string, agent: string];

const { agents, ...fixed } = parse(readFileSync(join(import.meta.dirname, "pairs.yaml"), "utf8")) as Pairs;

/** The lists of pairs, which pairs.yaml explains. */
export const { pairs, later, unseen, habits } = fixed;

/** Every client with every agent of the third list. */
export const every: readonly Pair[] = [...new Set(unseen.map(([, agent]) => agent))].flatMap((agent) =>
  realClients.map(({ id }): Pair => [id, agent]),
);

export interface PairResult {
  readonly client: string;
  readonly agent: string;
  readonly forecast: Pick<ClientForecast, "verdict" | "because">;
  readonly outcome: "works" | "limits" | "fails";
  /** an ask ended with exit code 0 and without the text */
  readonly isSilent: boolean;
  readonly saw: string;
}

/** Runs the pairs of one agent. */
export function runPairsOf(name: string, wanted: readonly Pair[]): Promise<PairResult[]> {
  const clients = wanted.filter((pair) => pair[1] === name).map(([id]) => realClients.find((row) => row.id === id)!);
  const agent = agents[name]!;
  return withAgent(agent, async (url) => {
    const traits = await traitsAt(url);
    const results: PairResult[] = [];
    for (const client of clients) results.push(await runPair(client, { name, url, traits, asks: agent.asks }));
    return results;
  });
}

/** The run that `assay forecast` makes. */
async function traitsAt(url: string): Promise<AgentTraits | undefined> {
  const events: RunEvent[] = [];
  const connection = { guard: createEgressGuard({ trustedHosts: ["127.0.0.1", "localhost"] }) };
  for await (const event of testAgent({ url, run: "pair", version: "0.0.0", connection, depth: "quick" }))
    events.push(event);
  return traitsOf(events, foldRun(events));
}

interface Side extends Pick<PairedAgent, "asks"> {
  readonly name: string;
  readonly url: string;
  readonly traits: AgentTraits | undefined;
}

async function runPair(client: RealClient, { name, url, traits, asks }: Side): Promise<PairResult> {
  if (!setUp(client)) throw new Error(`${client.id} cannot be set up, so its pair cannot be run.`);
  const file = join(root, "packages/suite/profiles", `${client.id}.json`);
  const profile = JSON.parse(readFileSync(file, "utf8")) as ClientProfile;
  const [forecast] = traits ? forecastOf(traits, [profile]) : [];
  const program = new ClientProgram(client);
  try {
    const told = [];
    for (const { text, reply, expects } of asks) {
      const { exit, output, errors } = await program.send(url, text, reply);
      if (exit === declined) continue;
      told.push({ isDone: exit === 0 && output.includes(expects), isQuiet: exit === 0, saw: errors || output });
    }
    if (told.length === 0) throw new Error(`${client.id} declines every ask of ${name}.`);
    const done = told.filter(({ isDone }) => isDone).length;
    return {
      client: client.id,
      agent: name,
      forecast: forecast ?? { verdict: "unknown", because: "Assay could not read the card" },
      outcome: done === told.length ? "works" : done > 0 ? "limits" : "fails",
      isSilent: told.some(({ isDone, isQuiet }) => isQuiet && !isDone),
      saw: (told.find(({ isDone }) => !isDone) ?? told[0]!).saw.trim().replaceAll(/\s+/g, " ").slice(0, 160),
    };
  } finally {
    await program.end();
  }
}

/** By the definition in pairs.yaml. */
export function isRight({ forecast, outcome }: PairResult): boolean | undefined {
  if (forecast.verdict === "unknown") return undefined;
  if (forecast.verdict === "works with limits") return outcome !== "fails";
  return forecast.verdict === outcome;
}
