import { defined } from "@assay/protocol";
import type { ListedAgent } from "./listed-agent.ts";
import { type AgentRow, type AgentSettings, RowMistake, readRow, readSettings } from "./read-row.ts";
import type { ListDocument, ListMistake } from "./row.ts";

/** The content of a list. */
export interface AgentList {
  readonly fleet?: string;
  readonly agents: readonly ListedAgent[];
  readonly mistakes: readonly ListMistake[];
  /** number of rows that repeat an address, if neither row has a name */
  readonly duplicates: number;
}

/** Maximum number of agents of a fleet: as many as a queue holds. */
const mostAgents = 5_000_000;

/**
 * Returns the agents of a list with their settings. An agent's own settings come first, then those of its labels (the
 * last one wins), of the list and of the command line. A second row with the same name is an error.
 */
export function agentsOf(documents: readonly ListDocument[], operator: AgentSettings = {}): AgentList {
  const mistakes: ListMistake[] = documents.flatMap(({ mistakes: found }) => found);
  const known = new Map<string, { readonly place: string; readonly bare: boolean }>();
  const agents: ListedAgent[] = [];
  let duplicates = 0;
  for (const document of documents) {
    const settingsFor = settingsIn(document, operator, mistakes);
    for (const { place, value } of document.rows) {
      const row = read(() => readRow(value), place, mistakes);
      if (!row) continue;
      const name = row.name ?? row.url;
      const first = known.get(name);
      if (first?.bare && row.name === undefined) duplicates++;
      else if (first) mistakes.push({ place, message: `another agent is called ${name}, at ${first.place}` });
      else if (agents.length >= mostAgents)
        mistakes.push({ place, message: `a fleet has at most ${mostAgents} agents` });
      else {
        known.set(name, { place, bare: row.name === undefined });
        agents.push(listed(row, name, settingsFor(row)));
      }
    }
  }
  const fleet = documents.find((each) => each.fleet !== undefined)?.fleet;
  return { ...(fleet !== undefined && { fleet }), agents, mistakes, duplicates };
}

function settingsIn(
  { defaults, labels = {} }: ListDocument,
  operator: AgentSettings,
  mistakes: ListMistake[],
): (row: AgentRow) => AgentSettings {
  const common =
    defaults === undefined ? {} : (read(() => readSettings(defaults, "defaults"), "defaults", mistakes) ?? {});
  const byLabel = new Map(
    Object.entries(labels).map(([label, value]) => [
      label,
      read(() => readSettings(value, `labels.${label}`), `labels.${label}`, mistakes) ?? {},
    ]),
  );
  return (row) =>
    Object.assign({}, operator, common, ...(row.labels ?? []).map((label) => byLabel.get(label) ?? {}), row);
}

function read<T>(reading: () => T, place: string, mistakes: ListMistake[]): T | undefined {
  try {
    return reading();
  } catch (error) {
    if (!(error instanceof RowMistake)) throw error;
    mistakes.push({ place, message: error.message });
    return undefined;
  }
}

/** A depth that needs messages permits them, unless the list forbids messages. */
function listed(
  { url, card, labels = [], login, optOut }: AgentRow,
  name: string,
  settings: AgentSettings,
): ListedAgent {
  const { depth = "free", allowMessage, unchangedEvery, timeout, deadline } = settings;
  const isWorking = depth === "quick" || depth === "full";
  return {
    name,
    url,
    ...(card !== undefined && { card }),
    labels,
    ...(login && { login }),
    depth: isWorking && allowMessage === false ? "free" : depth,
    mayMessage: allowMessage ?? isWorking,
    ...defined({ optOut, notBefore: unchangedEvery, timeout, deadline }),
  };
}
