import type { StreamEvent } from "./stream-events.ts";

/** Dots that would cover each other stand on top of each other, so far up. */
const highest = 4;
/** Parts of the axis in which two dots would do so. */
const columns = 90;
/** Events that are drawn. */
const drawn = 2_000;

/** The position of an event on the axis of its stream, with gaps to scale. */
export interface EventPlace {
  readonly index: number;
  /** from 0, the request, to 1, the end of the stream */
  readonly share: number;
  /** how many dots are below it */
  readonly level: number;
  /** this event breaks the rule */
  readonly isWrong: boolean;
}

/** Returns the duration of a recorded stream, in milliseconds. */
export const streamEnd = (events: readonly StreamEvent[], time: number): number =>
  Math.max(time, ...events.slice(-1).map(({ at }) => at));

/** Every event that can be seen on the axis; of those that cover each other, the first few, and the wrong one always. */
export function eventPlaces(events: readonly StreamEvent[], end: number, wrong: number | undefined): EventPlace[] {
  const heights = new Map<number, number>();
  return events.slice(0, drawn).flatMap(({ at }, index) => {
    const share = at / Math.max(end, 1);
    const column = Math.round(share * columns);
    const height = heights.get(column) ?? 0;
    heights.set(column, height + 1);
    const isWrong = index === wrong;
    if (height > highest && !isWrong) return [];
    return [{ index, share, level: Math.min(height, highest), isWrong }];
  });
}
