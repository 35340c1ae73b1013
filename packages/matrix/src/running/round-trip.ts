/**
 * Returns a walk that visits every directed edge between two places exactly once and ends where it began. A
 * complete graph has one, and Hierholzer's algorithm finds it. The first place is repeated at the end.
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
