import { type Outlet, type Screen, screenOn } from "./terminal/screen.ts";

interface Paper extends Screen {
  readonly out: () => string;
  readonly err: () => string;
}

/** Returns a screen that collects its output. By default it is a wide terminal; it can also be a log. */
export function paperScreen({ isTerminal = true, columns = 120, rows = 40, isColored = false } = {}): Paper {
  const sheet = (): Outlet & { read(): string } => {
    let text = "";
    return {
      isTerminal,
      canRepaint: isTerminal,
      isColored,
      size: () => ({ columns, rows }),
      write: (more) => {
        text += more;
      },
      read: () => text,
    };
  };
  const [out, err] = [sheet(), sheet()];
  return { ...screenOn(out, err), out: out.read, err: err.read };
}
