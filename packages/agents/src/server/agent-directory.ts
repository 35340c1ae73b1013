import { type DialectVersion, dialects } from "@assay/protocol/core";
import type { HomeAgents } from "../agents/index.ts";
import type { AgentDefinition } from "../definition/agent.ts";
import type { Divergence } from "../definition/divergence.ts";
import type { ServedAgent } from "./served-agent.ts";

/** Families of agents that differ from a base: their folder on the site, and their members. */
export type Families = Readonly<Record<FamilyName, readonly Divergence[]>>;

const familyNames = ["mutants", "variants"] as const;
type FamilyName = (typeof familyNames)[number];

const isFamily = (name: string): name is FamilyName => (familyNames as readonly string[]).includes(name);

/**
 * The agents of a test bed by their name: `spec`, and `mutants/<id>` for those made from another. The latter are
 * many: their families are loaded with the first request for one of them, and each is built with its first request.
 * `@` names another base: `full@0.3` is the agent as it would be in that version, and in no other;
 * `mutants/<id>@spec03` and `mutants/<id>@0.3` misbehave in the same way, made from another agent or in another version.
 */
export class AgentDirectory {
  readonly #build: (definition: AgentDefinition) => ServedAgent;
  readonly #seed: number;
  readonly #agents: ReadonlyMap<string, AgentDefinition>;
  /** A name that means an agent has one spelling, so there are no more of these than agents and bases. */
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

  /** The agent that a gRPC call in this version reaches when no tenant names another. */
  grpcHome(version: DialectVersion): ServedAgent {
    return this.get(this.#homes.grpc[version] ?? this.#homes.root)!;
  }

  /** The families, loaded. */
  async families(): Promise<Families> {
    this.#families ??= await this.#load();
    return this.#families;
  }

  /** Whether a path, or the name of an agent, leads to a family that is not loaded yet. */
  awaits(path: string): boolean {
    if (this.#families !== undefined) return false;
    const start = path.startsWith("/") ? 1 : 0;
    const end = path.indexOf("/", start);
    return isFamily(end < 0 ? path.slice(start) : path.slice(start, end));
  }

  /** how many agents were built so far */
  get size(): number {
    return this.#built.size;
  }

  [Symbol.iterator](): IterableIterator<ServedAgent> {
    return this.#built.values();
  }

  /** The agent of a name: `spec`, `mutants/LIST-003.no-token`. */
  get(name: string): ServedAgent | undefined {
    return this.#built.get(name) ?? this.#make(name);
  }

  /** The agent a path belongs to, and what is left of the path below it. */
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

  /** The agent to start from: the one named behind `@`, or the own base in the version named there. */
  #baseOf(path: string, other: string | undefined): AgentDefinition | undefined {
    const own = this.#agents.get(path);
    if (other === undefined || !own) return own;
    return isVersion(other) ? speaking(own, other) : this.#agents.get(other);
  }
}

const isVersion = (word: string): word is DialectVersion => (dialects as readonly string[]).includes(word);

/** An agent in one version of the protocol: without what that version has no words for, or no way to sign a card by. */
function speaking(agent: AgentDefinition, version: DialectVersion): AgentDefinition {
  if (version === "1.0") return { ...agent, dialects: [version] };
  const { tenants: _tenants, signed: _signed, extensions = [], extended, ...rest } = agent;
  if (version === "0.1") return { ...rest, dialects: [version] };
  return { ...rest, dialects: [version], extensions, ...(extended && { extended }) };
}

/** An agent as one of a family makes it; the base's own layers, if it has any, come first. */
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
