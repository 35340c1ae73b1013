import { jsonText, visibleLines } from "@assay/protocol/escape";
import type { Masker } from "@assay/wire";
import { type Colors, createColors } from "./colors.ts";
import { printedLine, printedLines } from "./escape.ts";

/**
 * Where commands speak: results to the output, trouble to the error stream. It is the one place that prints, and trusts
 * no text: secrets are masked, and nothing but our own colours is obeyed by the terminal or by a build server.
 */
export interface Screen {
  /** a person is watching */
  readonly isTerminal: boolean;
  /** what was written can be written over */
  readonly canRepaint: boolean;
  readonly colors: Colors;
  /** how wide and high it is at the moment */
  size(): { readonly columns: number; readonly rows: number };
  /** one line for people; a line break in it is shown, not made */
  line(text?: string): void;
  /** a value for programs */
  json(value: unknown, indent?: number): void;
  /** a document that was masked when it was made: lines stay lines */
  write(text: string): void;
  /** commands to GitHub's runner, in each of which all that is not ours is escaped: the one text that may begin with `::` */
  commands(text: string): void;
  /** one line or several */
  complain(text: string): void;
  /** Adds a mask for all further output. */
  hideBy(masker: Masker): void;
  /** the same for what is meant for people while the output belongs to a machine: all of it to the error stream */
  aside(): Screen;
}

/** Where a screen writes to. */
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

/** A screen that writes to these two; its aside knows the same secrets. */
export function screenOn(out: Outlet, err: Outlet): Screen {
  const maskers: Masker[] = [];
  const masked = (text: string): string => maskers.reduce((now, masker) => masker.text(now), text);
  const on = ({ isTerminal, canRepaint, isColored, size, write }: Outlet): Screen => ({
    isTerminal,
    canRepaint,
    colors: createColors(isColored),
    size,
    line: (text = "") => write(`${printedLine(masked(text))}\n`),
    json: (value, indent) =>
      write(
        `${jsonText(
          maskers.reduce((now, masker) => masker.value(now), value),
          indent,
        )}\n`,
      ),
    write: (text) => write(printedLines(text)),
    commands: (text) => write(visibleLines(masked(text))),
    complain: (text) => err.write(`${printedLines(masked(text))}\n`),
    hideBy: (masker) => {
      maskers.push(masker);
    },
    aside: () => on(err),
  });
  return on(out);
}
