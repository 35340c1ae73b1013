/**
 * A walk that leads from each to each other one exactly once, and back to where it began: in the complete graph there is
 * one, and Hierholzer's way finds it. Gives the places in their order, the first one again at the end.
 */
export function roundTrip(places: readonly string[]): readonly string[] {
  const left = new Map(places.map((place) => [place, places.filter((other) => other !== place)]));
  const walk: string[] = [];
  const way = places.slice(0, 1);
  while (way.length) {
    const here = way.at(-1)!;
    const next = left.get(here)!.shift();
    if (next === undefined) walk.push(way.pop()!);
    else way.push(next);
  }
  return walk.toReversed();
}
