/** Draws lines in place, over those it drew before. */
export interface Painter {
  paint(lines: readonly string[]): void;
  /** Takes away what was drawn; what is written next begins where it began. */
  clear(): void;
}

const csi = "\u001b[";

/**
 * Repaints without flicker: nothing is erased before it is written anew, and terminals that can hold a frame back
 * until it is whole (mode 2026; others ignore it) are asked to. Lines must be narrower than the terminal.
 */
export function createPainter(write: (text: string) => void): Painter {
  let painted: readonly string[] = [];
  const upToTheTop = (): string =>
    painted.length ? `\r${painted.length > 1 ? `${csi}${painted.length - 1}A` : ""}` : "";
  return {
    paint(lines) {
      if (lines.join("\n") === painted.join("\n")) return;
      const hide = painted.length ? "" : `${csi}?25l`;
      const body = lines.map((line) => `${line}${csi}K`).join("\n");
      write(`${hide}${csi}?2026h${upToTheTop()}${body}${csi}J${csi}?2026l`);
      painted = [...lines];
    },
    clear() {
      if (!painted.length) return;
      write(`${upToTheTop()}${csi}J${csi}?25h`);
      painted = [];
    },
  };
}
