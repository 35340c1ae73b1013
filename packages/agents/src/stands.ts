import { type DialectVersion, dialects } from "@assay/protocol";
import type { AgentDefinition } from "./agent.ts";
import type { Divergence } from "./mutant.ts";
import { type Ground, type Stand, standFor } from "./stand.ts";

/** Families of agents that differ from a base: their folder on the site, and their members. */
export type Families = Readonly<Record<FamilyName, readonly Divergence[]>>;

const familyNames = ["mutants", "variants"] as const;
type FamilyName = (typeof familyNames)[number];

const isFamily = (name: string): name is FamilyName => (familyNames as readonly string[]).includes(name);

/**
 * The agents of a site by their place: `/spec`, and `/mutants/<id>` for those made from another. The latter
 * are many: their families are loaded when somebody first asks for one, and each is built when it is visited.
 * `@` asks for one on other ground: `/full@0.3` is the agent as it would be in that version, and in no other;
 * `/mutants/<id>@spec03` and `/mutants/<id>@0.3` misbehave in the same way, made from another agent or in another version.
 */
export class Stands {
  readonly #ground: Ground;
  readonly #built = new Map<string, Stand>();
  readonly #root: string;
  readonly #load: () => Promise<Families>;
  #families: Families | undefined;

  constructor(agents: readonly AgentDefinition[], load: () => Promise<Families>, root: string, ground: Ground) {
    this.#ground = ground;
    this.#load = load;
    this.#root = root;
    for (const agent of agents) this.#built.set(agent.path, standFor(agent, ground));
  }

  /** who stands at the root, and answers there */
  get root(): Stand {
    return this.get(this.#root)!;
  }

  /** The families, loaded. */
  async families(): Promise<Families> {
    this.#families ??= await this.#load();
    return this.#families;
  }

  /** Whether a path, or the name of an agent, leads to a family that is not loaded yet. */
  awaits(path: string): boolean {
    return this.#families === undefined && isFamily(path.replace(/^\//, "").split("/", 1)[0]!);
  }

  [Symbol.iterator](): IterableIterator<Stand> {
    return this.#built.values();
  }

  /** The agent of a name: `spec`, `mutants/LIST-003.no-token`. */
  get(name: string): Stand | undefined {
    return this.#built.get(name) ?? this.#build(name);
  }

  /** The agent a path belongs to, and what is left of the path below it. */
  locate(path: string): { stand: Stand; path: string } {
    const end = path.indexOf("/", 1);
    const first = end < 0 ? path.slice(1) : path.slice(1, end);
    if (end > 0 && isFamily(first)) {
      const next = path.indexOf("/", end + 1);
      const member = this.get(next < 0 ? path.slice(1) : path.slice(1, next));
      if (member) return { stand: member, path: next < 0 ? "" : path.slice(next) };
    }
    const stand = this.#built.get(first) ?? (first.includes("@") ? this.#build(first) : undefined);
    return stand ? { stand, path: end < 0 ? "" : path.slice(end) } : { stand: this.root, path };
  }

  #build(name: string): Stand | undefined {
    const [place = "", ground] = name.split("@");
    const [family = "", id = ""] = place.split("/");
    const found = isFamily(family) ? this.#families?.[family].find((member) => member.id === id) : undefined;
    if (!found && (ground === undefined || place.includes("/"))) return undefined;
    const base = this.#groundOf(found?.base ?? place, ground);
    if (!base) return undefined;
    const definition = found ? diverged(base, found, name, this.#ground.seed) : { ...base, path: name };
    const stand = standFor(definition, this.#ground);
    this.#built.set(name, stand);
    return stand;
  }

  /** The agent to start from: the one that is asked for in the other's place, or the same in another version. */
  #groundOf(path: string, ground: string | undefined): AgentDefinition | undefined {
    const own = this.#built.get(path)?.host.definition;
    if (ground === undefined || !own) return own;
    return isVersion(ground) ? speaking(own, ground) : this.#built.get(ground)?.host.definition;
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
