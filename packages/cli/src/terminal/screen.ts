import type { WriteStream } from "node:tty";
import pico from "picocolors";

/** Where commands speak: results to the output, trouble to the error stream. */
export interface Screen {
  /** a person is watching */
  readonly isTerminal: boolean;
  /** what was written can be written over */
  readonly canRepaint: boolean;
  readonly colors: ReturnType<typeof pico.createColors>;
  /** how wide and high it is at the moment */
  size(): { readonly columns: number; readonly rows: number };
  line(text?: string): void;
  write(text: string): void;
  complain(text: string): void;
  /** the same for what is meant for people while the output belongs to a machine: all of it to the error stream */
  aside(): Screen;
}

export function createScreen(env: NodeJS.ProcessEnv = process.env): Screen {
  // Whoever reads us may leave before we are done (`assay … | head`); that is no error of ours.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
  });
  return screenOn(process.stdout, env);
}

function screenOn(stream: WriteStream, env: NodeJS.ProcessEnv): Screen {
  const isTerminal = stream.isTTY === true && !env["CI"];
  return {
    isTerminal,
    canRepaint: isTerminal && env["TERM"] !== "dumb",
    colors: pico.createColors(isTerminal && !env["NO_COLOR"] && env["TERM"] !== "dumb"),
    size: () => ({ columns: stream.columns || 100, rows: stream.rows || 24 }),
    line: (text = "") => stream.write(`${text}\n`),
    write: (text) => stream.write(text),
    complain: (text) => process.stderr.write(`${text}\n`),
    aside: () => screenOn(process.stderr, env),
  };
}
