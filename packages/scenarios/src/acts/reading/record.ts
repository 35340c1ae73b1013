import type { Node } from "yaml";
import type { ActsPage } from "./page.ts";

/**
 * Reads a map with known keys, member by member. It reports missing, unknown and wrong members with their
 * places and continues, so that all mistakes of a file are reported at once.
 */
export class RecordReader {
  readonly page: ActsPage;
  readonly node: Node;
  readonly #what: string;
  readonly #members: ReturnType<ActsPage["members"]>;
  readonly #known = new Set<string>();

  constructor(page: ActsPage, node: Node | undefined, what: string) {
    this.page = page;
    this.node = node as Node;
    this.#what = what;
    this.#members = page.members(node);
    if (!this.#members) page.wrong(node, `${what}: expected names with values, found ${page.shown(node)}`);
  }

  get isRecord(): boolean {
    return this.#members !== undefined;
  }

  has(name: string): boolean {
    return this.#members?.has(name) ?? false;
  }

  /** Returns the value of a name. */
  take(name: string): Node | undefined {
    this.#known.add(name);
    return this.#members?.get(name)?.value;
  }

  text(name: string): string | undefined {
    return this.#as(name, "a text", (node) => this.page.text(node));
  }

  requiredText(name: string): string {
    this.#require(name);
    return this.text(name) ?? "";
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    return this.#as(name, `one of ${choices.join(", ")}`, (node) => {
      const text = this.page.text(node);
      return choices.find((choice) => choice === text);
    });
  }

  count(name: string): number | undefined {
    return this.#as(name, "a whole number that is not negative", (node) => {
      const value = this.page.json(node);
      return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
    });
  }

  /** Returns a list with at least one element; otherwise calls `empty` if given. */
  list(name: string, empty?: (node: Node) => void): Node[] {
    const node = this.take(name);
    if (node === undefined) return [];
    const elements = this.page.elements(node);
    if (!elements) {
      this.page.wrong(node, `${this.#what}.${name}: expected a list, found ${this.page.shown(node)}`);
      return [];
    }
    if (elements.length === 0) {
      if (empty) empty(node);
      else this.page.wrong(node, `${this.#what}.${name}: expected at least one entry, found an empty list`);
    }
    return elements;
  }

  texts(name: string, empty?: (node: Node) => void): string[] {
    return this.list(name, empty).flatMap((node) => {
      const text = this.page.text(node);
      if (text === undefined)
        this.page.wrong(node, `an entry of ${this.#what}.${name}: expected a text, found ${this.page.shown(node)}`);
      return text ?? [];
    });
  }

  choices<T extends string>(name: string, choices: readonly T[]): T[] {
    return this.list(name).flatMap((node) => {
      const found = choices.find((choice) => choice === this.page.text(node));
      if (found === undefined)
        this.page.wrong(
          node,
          `an entry of ${this.#what}.${name}: expected one of ${choices.join(", ")}, found ${this.page.shown(node)}`,
        );
      return found ?? [];
    });
  }

  /** Returns a map of names to texts. */
  map(name: string): Record<string, string> {
    const node = this.take(name);
    if (node === undefined) return {};
    const members = this.page.members(node);
    if (!members) {
      this.page.wrong(node, `${this.#what}.${name}: expected names with texts, found ${this.page.shown(node)}`);
      return {};
    }
    return Object.fromEntries(
      [...members].flatMap(([key, { value }]) => {
        const text = this.page.text(value);
        if (text !== undefined) return [[key, text]];
        this.page.wrong(value, `${this.#what}.${name}.${key}: expected a text, found ${this.page.shown(value)}`);
        return [];
      }),
    );
  }

  #require(name: string): void {
    if (this.#members && !this.#members.has(name)) this.page.wrong(this.node, `${this.#what}: "${name}" is missing`);
  }

  require(...names: readonly string[]): void {
    for (const name of names) this.#require(name);
  }

  #as<T>(name: string, expected: string, read: (node: Node) => T | undefined): T | undefined {
    const node = this.take(name);
    if (node === undefined) return undefined;
    const value = read(node);
    if (value === undefined)
      this.page.wrong(node, `${this.#what}.${name}: expected ${expected}, found ${this.page.shown(node)}`);
    return value;
  }

  /** Returns the members that were not read. */
  rest(): (readonly [string, Node])[] {
    return [...(this.#members ?? [])].flatMap(([name, { value }]) =>
      this.#known.has(name) ? [] : [[name, value] as const],
    );
  }

  /** Reports unknown names. */
  close(): void {
    for (const [name, { key }] of this.#members ?? []) {
      if (!this.#known.has(name))
        this.page.wrong(key, `"${name}" is unknown in ${this.#what}; expected ${[...this.#known].join(", ")}`);
    }
  }
}
