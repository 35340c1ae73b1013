import { wayToCycle } from "@assay/protocol";
import { AssayError } from "@assay/protocol/assay-error";
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml";
import type { AppliedRule, SourcePlace } from "../model.ts";
import type { QuirkRule } from "../quirks/rules.ts";

/** A deviation of a file from the format. */
export interface Mistake {
  readonly at: SourcePlace;
  /** the expected and the actual content */
  readonly says: string;
}

/** The files cannot be run: every mistake in them, each with its place. */
export class ActsMistakes extends AssayError {
  readonly mistakes: readonly Mistake[];

  constructor(mistakes: readonly Mistake[]) {
    super({
      code: "acts-mistakes",
      message: mistakes.map(({ at, says }) => `${placeText(at)} ${says}`).join("\n"),
    });
    this.mistakes = mistakes;
  }
}

/** Formats a place so that editors and terminals make it a link: "core.acts.yaml:7:3". */
export const placeText = ({ file, line, column }: SourcePlace): string => `${file}:${line}:${column}`;

export interface Member {
  readonly key: Node | undefined;
  readonly value: Node;
}

/** One file while it is read: it knows all places and collects mistakes. */
export class ActsPage {
  readonly file: string;
  readonly mistakes: Mistake[] = [];
  readonly #document: Document.Parsed;
  readonly #lines = new LineCounter();
  /** rules applied since the last call */
  #applied: AppliedRule[] = [];

  constructor(file: string, text: string) {
    this.file = file;
    this.#document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false, version: "1.2" });
    for (const { pos, message } of this.#document.errors)
      this.mistakes.push({ at: this.#placeAt(pos[0]), says: `invalid YAML: ${message}` });
    this.#refuseCycles();
  }

  /** Rejects an alias that contains itself, because a walk would never end. */
  #refuseCycles(): void {
    const cycle = wayToCycle(this.root && this.json(this.root));
    if (!cycle) return;
    const node = this.#document.getIn(cycle, true);
    this.wrong(
      isNode(node) ? node : this.root,
      "this alias refers to a value that contains it; write the value out instead",
    );
  }

  get root(): Node | undefined {
    return this.#document.contents ?? undefined;
  }

  at(node: Node | undefined): SourcePlace {
    return this.#placeAt(node?.range?.[0] ?? 0);
  }

  #placeAt(offset: number): SourcePlace {
    const { line, col } = this.#lines.linePos(offset);
    return { file: this.file, line, column: col };
  }

  wrong(node: Node | undefined, says: string): undefined {
    this.mistakes.push({ at: this.at(node), says });
    return undefined;
  }

  apply(rule: QuirkRule, node: Node): void {
    this.#applied.push({ rule, at: this.at(node) });
  }

  /** Returns the rules applied since the last call. */
  takeRules(): AppliedRule[] {
    const taken = this.#applied;
    this.#applied = [];
    return taken;
  }

  /** Resolves an alias. */
  whole(node: unknown): Node | undefined {
    const found = isAlias(node) ? node.resolve(this.#document) : node;
    return isNode(found) ? found : undefined;
  }

  /** Returns the value as plain JSON. */
  json(node: Node): unknown {
    try {
      return node.toJS(this.#document);
    } catch {
      // Nested aliases: a few lines could expand to fill the memory.
      return this.wrong(node, "its aliases expand to more than the limit");
    }
  }

  /** Returns the members of a map; `undefined` if it is not one. */
  members(node: Node | undefined): Map<string, Member> | undefined {
    if (!isMap(node)) return undefined;
    const found = new Map<string, Member>();
    for (const { key, value } of node.items) {
      const keyNode = this.whole(key);
      const valueNode = this.whole(value) ?? keyNode;
      if (valueNode)
        found.set(isScalar(keyNode) ? String(keyNode.value) : String(key), { key: keyNode, value: valueNode });
    }
    return found;
  }

  elements(node: Node | undefined): Node[] | undefined {
    return isSeq(node) ? node.items.flatMap((item) => this.whole(item) ?? []) : undefined;
  }

  text(node: Node | undefined): string | undefined {
    return isScalar(node) && typeof node.value === "string" ? node.value : undefined;
  }

  /** Describes a node briefly, for "found …". */
  shown(node: Node | undefined): string {
    if (isMap(node)) return "names with values";
    if (isSeq(node)) return "a list";
    const text = isScalar(node) ? JSON.stringify(node.value) : undefined;
    if (text === undefined || text === "null") return "nothing";
    return text.length > 60 ? `${text.slice(0, 59)}…` : text;
  }
}
