import pico from "picocolors";
import type { Screen } from "./terminal/screen.ts";

/** A screen that remembers what was said on it. */
export function paperScreen(): Screen & { readonly out: () => string; readonly err: () => string } {
  let [out, err] = ["", ""];
  const write = (text: string) => {
    out += text;
  };
  return {
    isTerminal: true,
    colors: pico.createColors(false),
    write,
    line: (text = "") => write(`${text}\n`),
    complain: (text) => {
      err += `${text}\n`;
    },
    out: () => out,
    err: () => err,
  };
}
