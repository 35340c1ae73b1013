import pico from "picocolors";
import type { Screen } from "./terminal/screen.ts";

interface Paper extends Screen {
  readonly out: () => string;
  readonly err: () => string;
}

/** A screen that remembers what was said on it; as wide as a wide terminal, or nobody watching. */
export function paperScreen({ isTerminal = true, columns = 120, rows = 40 } = {}): Paper {
  let [out, err] = ["", ""];
  const print = (text: string) => {
    out += text;
  };
  const complain = (text: string) => {
    err += text;
  };
  const on = (write: (text: string) => void): Screen => ({
    isTerminal,
    canRepaint: isTerminal,
    colors: pico.createColors(false),
    size: () => ({ columns, rows }),
    write,
    line: (text = "") => write(`${text}\n`),
    complain: (text) => complain(`${text}\n`),
    aside: () => on(complain),
  });
  return { ...on(print), out: () => out, err: () => err };
}
