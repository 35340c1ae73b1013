import { NeedleSearch, type Span, type Units } from "./needle-search.ts";
import { type Needles, needlesOf } from "./secret-needles.ts";
import { unescaped } from "./unescaped.ts";

/** Finds the places in a text that reveal a secret, in order and without overlap. */
export type SecretFinder = (units: Units, isCutOff: boolean) => Span[];

/** Maximum layers of escapes to decode, such as JSON in a URL in JSON. */
const mostLayers = 3;

export function secretFinder(values: readonly string[]): SecretFinder {
  if (!values.length) return () => [];
  const needles = values.map(needlesOf);
  const search = (kind: keyof Needles, fold: Uint16Array): NeedleSearch[] => {
    const wanted = needles.flatMap((each) => each[kind]);
    return wanted.length ? [new NeedleSearch(wanted, fold)] : [];
  };
  const searches = [...search("anyCase", oneCase), ...search("exact", oneAlphabet)];
  return (units, isCutOff) => {
    const spans: Span[] = [];
    const collect = (view: Units, starts?: Int32Array): void => {
      for (const each of searches)
        for (const { start, end, secret, shared } of each.search(view, isCutOff)) {
          const [from, to] = shared ? withNeighbours(view, start, end, shared) : [start, end];
          spans.push(starts ? { start: starts[from]!, end: starts[to]!, secret } : { start: from, end: to, secret });
        }
    };
    collect(units);
    let layer = unescaped(units);
    for (let depth = 0; layer && depth < mostLayers; depth++) {
      collect(layer.units, layer.starts);
      layer = unescaped(layer.units, layer.starts);
    }
    return apart(spans);
  };
}

/** Extends a match to the Base64 letters that the secret shares with its neighbours. */
function withNeighbours(units: Units, start: number, end: number, most: number): [from: number, to: number] {
  let [from, to] = [start, end];
  while (from > 0 && start - from < most && isBase64(units[from - 1]!)) from--;
  while (to < units.length && to - end < most && isBase64(units[to]!)) to++;
  while (to < units.length && units[to] === equals) to++;
  return [from, to];
}

/** Joins overlapping places, named after the longest secret. */
function apart(spans: readonly Span[]): Span[] {
  if (spans.length < 2) return [...spans];
  const joined: Span[] = [];
  let longest = 0;
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = joined.at(-1);
    const length = span.end - span.start;
    if (!last || span.start >= last.end) {
      joined.push(span);
      longest = length;
    } else {
      const secret = length > longest ? span.secret : last.secret;
      longest = Math.max(longest, length);
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, span.end), secret };
    }
  }
  return joined;
}

const equals = 0x3d;
const isBase64 = (unit: number): boolean => unit < 0x80 && /[A-Za-z0-9+/_-]/.test(String.fromCharCode(unit));

/** The two Base64 alphabets differ in two letters. */
const standardBase64 = (unit: number): number => (unit === 0x2d ? 0x2b : unit === 0x5f ? 0x2f : unit);

const oneAlphabet = Uint16Array.from({ length: 0x10000 }, (_, unit) => standardBase64(unit));

const oneCase = Uint16Array.from({ length: 0x10000 }, (_, unit) => {
  const lower = String.fromCharCode(unit).toLowerCase();
  return standardBase64(lower.length === 1 ? lower.charCodeAt(0) : unit);
});
