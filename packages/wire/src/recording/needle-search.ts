import type { Needle } from "./secret-needles.ts";

/** A place in a text, with the secret found there. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly secret: number;
}

type FoundNeedle = Span & Pick<Needle, "shared">;

/** Code units of a text, or bytes of a body. */
export type Units = Uint8Array | Uint16Array;

/** Marks where a text was cut off, by us or by others. */
const ellipsis = 0x2026;

/**
 * Finds many needles in one pass (Aho-Corasick): each character is read once and costs at most two steps on average,
 * however long the text and however many the needles. A hostile agent cannot make it slow.
 */
export class NeedleSearch {
  readonly #needles: readonly Needle[];
  readonly #fold: Uint16Array;
  /** the state after the first character of a needle */
  readonly #first = new Int32Array(0x10000);
  /** for each state: its character, its first child, and its next sibling */
  readonly #unit: Int32Array;
  readonly #child: Int32Array;
  readonly #sibling: Int32Array;
  /** the longest other needle prefix that ends here */
  readonly #fallback: Int32Array;
  readonly #depth: Int32Array;
  /** the longest needle that ends here, or -1 */
  readonly #found: Int32Array;
  /** a needle with this prefix */
  readonly #of: Int32Array;
  #states = 1;
  /** Most of a text matches no needle, so the steps for the first characters are precomputed by character class. */
  readonly #kind: Uint16Array;
  readonly #row: Int32Array;
  readonly #steps: Int32Array;

  /** `fold` maps every character to its canonical one. */
  constructor(needles: readonly Needle[], fold: Uint16Array) {
    this.#needles = needles;
    this.#fold = fold;
    const most = needles.reduce((sum, { text }) => sum + text.length, 1);
    const column = (): Int32Array => new Int32Array(most);
    [this.#unit, this.#child, this.#sibling, this.#fallback] = [column(), column(), column(), column()];
    [this.#depth, this.#found, this.#of] = [column(), column().fill(-1), column()];
    for (const index of needles.keys()) this.#plant(index);
    this.#link();
    [this.#kind, this.#row, this.#steps] = this.#shortcuts();
  }

  /**
   * Returns every needle in the text, each place by the longest needle that ends there. Where the text was cut off
   * (`…`, or its end if known), a needle's prefix counts too.
   */
  search(units: Units, isCutOff: boolean): FoundNeedle[] {
    const found: FoundNeedle[] = [];
    const [rows, steps, kinds, ends] = [this.#row, this.#steps, this.#kind, this.#found];
    let state = 0;
    for (let at = 0; at < units.length; at++) {
      const unit = units[at]!;
      if (unit === ellipsis) found.push(...this.#beginning(state, at));
      const row = rows[state]!;
      state = row < 0 ? this.#step(state, this.#fold[unit]!) : steps[row + kinds[unit]!]!;
      const index = ends[state]!;
      if (index < 0) continue;
      const { text, secret, shared } = this.#needles[index]!;
      found.push({ start: at + 1 - text.length, end: at + 1, secret, shared });
    }
    if (isCutOff) found.push(...this.#beginning(state, units.length));
    return found;
  }

  #beginning(state: number, end: number): FoundNeedle[] {
    for (let here = state; here > 0; here = this.#fallback[here]!) {
      const { secret, shortest } = this.#needles[this.#of[here]!]!;
      const depth = this.#depth[here]!;
      if (depth >= shortest) return [{ start: end - depth, end, secret, shared: 0 }];
    }
    return [];
  }

  #step(from: number, unit: number): number {
    for (let state = from; state > 0; state = this.#fallback[state]!) {
      const next = this.#childOf(state, unit);
      if (next > 0) return next;
    }
    return this.#first[unit]!;
  }

  #childOf(state: number, unit: number): number {
    let child = this.#child[state]!;
    while (child > 0 && this.#unit[child] !== unit) child = this.#sibling[child]!;
    return child;
  }

  #plant(index: number): void {
    const { text } = this.#needles[index]!;
    let state = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = this.#fold[text.charCodeAt(at)]!;
      state = (state === 0 ? this.#first[unit]! : this.#childOf(state, unit)) || this.#grow(state, unit, index);
    }
    if (this.#found[state]! < 0) this.#found[state] = index;
  }

  #grow(parent: number, unit: number, index: number): number {
    const state = this.#states++;
    this.#unit[state] = unit;
    this.#sibling[state] = parent === 0 ? 0 : this.#child[parent]!;
    this.#depth[state] = this.#depth[parent]! + 1;
    this.#of[state] = index;
    if (parent === 0) this.#first[unit] = state;
    else this.#child[parent] = state;
    return state;
  }

  #shortcuts(): [kinds: Uint16Array, rows: Int32Array, steps: Int32Array] {
    const known = [-1, ...new Set(this.#unit.subarray(1, this.#states))];
    const kinds = new Uint16Array(0x10000);
    for (const [kind, unit] of known.entries()) if (kind > 0) kinds[unit] = kind;
    for (let unit = 0; unit < 0x10000; unit++) kinds[unit] = kinds[this.#fold[unit]!]!;
    const shallow = Array.from({ length: this.#states }, (_, state) => state).filter(
      (state) => this.#depth[state]! <= 2,
    );
    const rows = new Int32Array(this.#states).fill(-1);
    for (const [index, state] of shallow.entries()) rows[state] = index * known.length;
    const steps = shallow.flatMap((state) => known.map((unit) => (unit < 0 ? 0 : this.#step(state, unit))));
    return [kinds, rows, Int32Array.from(steps)];
  }

  /** Links from shorter prefixes to longer ones: each uses the fallback of its parent. */
  #link(): void {
    const queue = Array.from({ length: this.#states }, (_, state) => state).filter((state) => this.#depth[state] === 1);
    for (let next = 0; next < queue.length; next++) {
      const state = queue[next]!;
      for (let child = this.#child[state]!; child > 0; child = this.#sibling[child]!) {
        this.#fallback[child] = this.#step(this.#fallback[state]!, this.#unit[child]!);
        if (this.#found[child]! < 0) this.#found[child] = this.#found[this.#fallback[child]!]!;
        queue.push(child);
      }
    }
  }
}
