import { jsonText, visibleLines } from "@assay/protocol/escape";
import type { Masker } from "@assay/wire";
import { type Colors, createColors } from "./colors.ts";
import { printedLine, printedLines } from "./escape.ts";

/**
 * The only place that prints: results go to stdout, messages to stderr. It trusts no text. It masks secrets, and lets
 * only Assay's own colours and commands reach the terminal or a build server.
 */
export interface Screen {
  /** a person is watching */
  readonly isTerminal: boolean;
  /** the terminal can overwrite earlier output */
  readonly canRepaint: boolean;
  readonly colors: Colors;
  /** the current size */
  size(): { readonly columns: number; readonly rows: number };
  /** prints one line for people; shows a line break instead of making one */
  line(text?: string): void;
  /** prints a value for programs */
  json(value: unknown, indent?: number): void;
  /** prints a document that was masked before, with its line breaks */
  write(text: string): void;
  /** prints commands for GitHub's runner, whose foreign parts are escaped; only this text may start with `::` */
  commands(text: string): void;
  /** prints one or several lines to stderr */
  complain(text: string): void;
  /** Adds a mask for all further output. */
  hideBy(masker: Masker): void;
  /** Returns a value without the secrets that this screen hides, for a document or a file. */
  masked<T>(value: T): T;
  /** returns a screen for people that prints everything to stderr, while stdout belongs to a machine */
  aside(): Screen;
}

/** The destination of a screen. */
export interface Outlet {
  readonly isTerminal: boolean;
  readonly canRepaint: boolean;
  readonly isColored: boolean;
  size(): { readonly columns: number; readonly rows: number };
  write(text: string): void;
}

export function createScreen(env: NodeJS.ProcessEnv = process.env): Screen {
  // The reader of a pipe may close it early (`assay … | head`), which is not an error.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
  });
  return screenOn(streamOutlet(process.stdout, env), streamOutlet(process.stderr, env));
}

function streamOutlet(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Outlet {
  const isTerminal = stream.isTTY === true && !env["CI"];
  const canRepaint = isTerminal && env["TERM"] !== "dumb";
  return {
    isTerminal,
    canRepaint,
    isColored: canRepaint && !env["NO_COLOR"],
    size: () => ({ columns: stream.columns || 100, rows: stream.rows || 24 }),
    write: (text) => stream.write(text),
  };
}

/** Returns a screen on these two outlets. Its aside masks the same secrets. */
export function screenOn(out: Outlet, err: Outlet): Screen {
  const maskers: Masker[] = [];
  const masked = (text: string): string => maskers.reduce((now, masker) => masker.text(now), text);
  const maskedValue = <T>(value: T): T => maskers.reduce((now, masker) => masker.value(now), value);
  const on = ({ isTerminal, canRepaint, isColored, size, write }: Outlet): Screen => ({
    isTerminal,
    canRepaint,
    colors: createColors(isColored),
    size,
    line: (text = "") => write(`${printedLine(masked(text))}\n`),
    json: (value, indent) => write(`${jsonText(maskedValue(value), indent)}\n`),
    write: (text) => write(printedLines(text)),
    commands: (text) => write(visibleLines(masked(text))),
    complain: (text) => err.write(`${printedLines(masked(text))}\n`),
    hideBy: (masker) => {
      maskers.push(masker);
    },
    masked: maskedValue,
    aside: () => on(err),
  });
  return on(out);
}
