import { type DialectVersion, dialects } from "@assay/protocol/core";
import type { HomeAgents } from "../agents/index.ts";
import type { AgentDefinition } from "../definition/agent.ts";
import type { Divergence } from "../definition/divergence.ts";
import type { ServedAgent } from "./served-agent.ts";

/** Families of agents derived from a base: their folder on the site, and their members. */
export type Families = Readonly<Record<FamilyName, readonly Divergence[]>>;

const familyNames = ["mutants", "variants"] as const;
type FamilyName = (typeof familyNames)[number];

const isFamily = (name: string): name is FamilyName => (familyNames as readonly string[]).includes(name);

/**
 * Finds agents by name: `spec`, or `mutants/<id>` for derived ones. A family is loaded with the first request
 * for one of its members, and each agent is built with its first request. `@` names another base: `full@0.3`
 * is the agent in that version only. `mutants/<id>@spec03` and `mutants/<id>@0.3` misbehave in the same way,
 * made from another agent or in another version.
 */
export class AgentDirectory {
  readonly #build: (definition: AgentDefinition) => ServedAgent;
  readonly #seed: number;
  readonly #agents: ReadonlyMap<string, AgentDefinition>;
  /** Each agent has one spelling, so this holds no more entries than agents and bases. */
  readonly #built = new Map<string, ServedAgent>();
  readonly #homes: HomeAgents;
  readonly #load: () => Promise<Families>;
  #families: Families | undefined;

  constructor(
    agents: readonly AgentDefinition[],
    homes: HomeAgents,
    load: () => Promise<Families>,
    build: (definition: AgentDefinition) => ServedAgent,
    seed: number,
  ) {
    this.#build = build;
    this.#seed = seed;
    this.#load = load;
    this.#homes = homes;
    this.#agents = new Map(agents.map((agent) => [agent.path, agent]));
    for (const agent of agents) this.#built.set(agent.path, build(agent));
  }

  /** the agent that answers at the root of the site */
  get root(): ServedAgent {
    return this.get(this.#homes.root)!;
  }

  /** Returns the agent for a gRPC call in this version without a tenant: that of the root, if no other is served. */
  grpcHome(version: DialectVersion): ServedAgent {
    return this.get(this.#homes.grpc[version] ?? this.#homes.root) ?? this.root;
  }

  /** Loads and returns the families. */
  async families(): Promise<Families> {
    this.#families ??= await this.#load();
    return this.#families;
  }

  /** Returns true if a path or agent name belongs to a family that is not loaded yet. */
  awaits(path: string): boolean {
    if (this.#families !== undefined) return false;
    const start = path.startsWith("/") ? 1 : 0;
    const end = path.indexOf("/", start);
    return isFamily(end < 0 ? path.slice(start) : path.slice(start, end));
  }

  /** number of agents built so far */
  get size(): number {
    return this.#built.size;
  }

  [Symbol.iterator](): IterableIterator<ServedAgent> {
    return this.#built.values();
  }

  /** Returns the agent with a name: `spec`, `mutants/LIST-003.no-token`. */
  get(name: string): ServedAgent | undefined {
    return this.#built.get(name) ?? this.#make(name);
  }

  /** Returns the agent of a path, and the rest of the path below it. */
  locate(path: string): { host: ServedAgent; path: string } {
    const end = path.indexOf("/", 1);
    const first = end < 0 ? path.slice(1) : path.slice(1, end);
    if (end > 0 && isFamily(first)) {
      const next = path.indexOf("/", end + 1);
      const member = this.get(next < 0 ? path.slice(1) : path.slice(1, next));
      if (member) return { host: member, path: next < 0 ? "" : path.slice(next) };
    }
    const host = this.#built.get(first) ?? (first.includes("@") ? this.#make(first) : undefined);
    return host ? { host, path: end < 0 ? "" : path.slice(end) } : { host: this.root, path };
  }

  #make(name: string): ServedAgent | undefined {
    const [plainName = "", otherBase, ...more] = name.split("@");
    const [family = "", id = "", ...below] = plainName.split("/");
    if (more.length > 0 || below.length > 0) return undefined;
    const found = isFamily(family) ? this.#families?.[family].find((member) => member.id === id) : undefined;
    if (!found && (otherBase === undefined || plainName.includes("/"))) return undefined;
    const base = this.#baseOf(found?.base ?? plainName, otherBase);
    if (!base) return undefined;
    const definition = found ? diverged(base, found, name, this.#seed) : { ...base, path: name };
    const host = this.#build(definition);
    this.#built.set(name, host);
    return host;
  }

  /** Returns the base: the one named after `@`, or the original base in the version named there. */
  #baseOf(path: string, other: string | undefined): AgentDefinition | undefined {
    const own = this.#agents.get(path);
    if (other === undefined || !own) return own;
    return isVersion(other) ? speaking(own, other) : this.#agents.get(other);
  }
}

const isVersion = (word: string): word is DialectVersion => (dialects as readonly string[]).includes(word);

/** Restricts an agent to one protocol version, without features or signatures that the version lacks. */
function speaking(agent: AgentDefinition, version: DialectVersion): AgentDefinition {
  if (version === "1.0") return { ...agent, dialects: [version] };
  const { tenants: _tenants, signed: _signed, extensions = [], extended, ...rest } = agent;
  if (version === "0.1") return { ...rest, dialects: [version] };
  return { ...rest, dialects: [version], extensions, ...(extended && { extended }) };
}

/** Applies a divergence to its base. The base's own layers come first. */
export function diverged(
  base: AgentDefinition,
  { id, does, differs }: Divergence,
  path: string,
  seed: number,
): AgentDefinition {
  const { layers, ...declared } = differs(seed);
  return {
    ...base,
    path,
    name: `${base.name} (${id})`,
    description: `${base.description} But: ${does}`,
    ...declared,
    layers: { ...base.layers, ...layers },
  };
}
