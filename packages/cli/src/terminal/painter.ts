import { ownSequence } from "./own-sequence.ts";

/** Draws lines in place, over the previous ones. */
export interface Painter {
  paint(lines: readonly string[]): void;
  /** Erases the drawn lines. Further output starts where they started. */
  clear(): void;
}

const [toTheLeft, clearLine, clearBelow] = [ownSequence("G"), ownSequence("K"), ownSequence("J")];
const [hideCursor, showCursor] = [ownSequence("?25l"), ownSequence("?25h")];
const [holdFrame, showFrame] = [ownSequence("?2026h"), ownSequence("?2026l")];

/**
 * Repaints without flicker: it overwrites lines instead of erasing them first. Terminals with mode 2026 hold a frame
 * back until it is complete; others ignore it. Lines must be narrower than the terminal.
 */
export function createPainter(write: (text: string) => void): Painter {
  let painted: readonly string[] = [];
  const upToTheTop = (): string =>
    painted.length ? `${toTheLeft}${painted.length > 1 ? ownSequence(`${painted.length - 1}A`) : ""}` : "";
  return {
    paint(lines) {
      if (lines.join("\n") === painted.join("\n")) return;
      const hide = painted.length ? "" : hideCursor;
      const body = lines.map((line) => `${line}${clearLine}`).join("\n");
      write(`${hide}${holdFrame}${upToTheTop()}${body}${clearBelow}${showFrame}`);
      painted = [...lines];
    },
    clear() {
      if (!painted.length) return;
      write(`${upToTheTop()}${clearBelow}${showCursor}`);
      painted = [];
    },
  };
}
