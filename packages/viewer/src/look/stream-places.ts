import type { StreamEvent } from "./stream-events.ts";

/** The maximum height of a stack of dots. Dots that would overlap are stacked. */
const highest = 4;
/** The number of columns on the axis. Dots in the same column would overlap. */
const columns = 90;
/** The maximum number of events to draw. */
const drawn = 2_000;

/** The position of an event on the axis of its stream, with gaps to scale. */
export interface EventPlace {
  readonly index: number;
  /** from 0, the request, to 1, the end of the stream */
  readonly share: number;
  /** the number of dots below it */
  readonly level: number;
  /** this event breaks the rule */
  readonly isWrong: boolean;
}

/** Returns the duration of a recorded stream, in milliseconds. */
export const streamEnd = (events: readonly StreamEvent[], time: number): number =>
  Math.max(time, ...events.slice(-1).map(({ at }) => at));

/** Returns the events to draw on the axis. Of overlapping events, it keeps the first few, and always the wrong one. */
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
