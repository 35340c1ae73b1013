import type { AgentDefinition } from "./agent.ts";
import type { Divergence } from "./mutant.ts";
import { type Ground, type Stand, standFor } from "./stand.ts";

/** Families of agents that differ from a base: their folder on the site, and their members. */
export type Families = Readonly<Record<string, readonly Divergence[]>>;

/**
 * The agents of a site by their place: `/spec`, and `/mutants/<id>` for those made from another. The latter
 * are many, so each is built when it is first visited.
 */
export class Stands {
  readonly #ground: Ground;
  readonly #built = new Map<string, Stand>();
  readonly #families: Families;
  readonly #root: string;

  constructor(agents: readonly AgentDefinition[], families: Families, root: string, ground: Ground) {
    this.#ground = ground;
    this.#families = families;
    this.#root = root;
    for (const agent of agents) this.#built.set(agent.path, standFor(agent, ground));
  }

  /** who stands at the root, and answers there */
  get root(): Stand {
    return this.get(this.#root)!;
  }

  get families(): Families {
    return this.#families;
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
    if (end > 0 && Object.hasOwn(this.#families, first)) {
      const next = path.indexOf("/", end + 1);
      const member = this.get(next < 0 ? path.slice(1) : path.slice(1, next));
      if (member) return { stand: member, path: next < 0 ? "" : path.slice(next) };
    }
    const stand = this.#built.get(first);
    return stand ? { stand, path: end < 0 ? "" : path.slice(end) } : { stand: this.root, path };
  }

  #build(name: string): Stand | undefined {
    const [family = "", id = ""] = name.split("/");
    if (!Object.hasOwn(this.#families, family)) return undefined;
    const found = this.#families[family]?.find((member) => member.id === id);
    const base = found && this.#built.get(found.base)?.host.definition;
    if (!base) return undefined;
    const stand = standFor(diverged(base, found, name, this.#ground.seed), this.#ground);
    this.#built.set(name, stand);
    return stand;
  }
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
