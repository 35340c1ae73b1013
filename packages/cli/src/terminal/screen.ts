import pico from "picocolors";

/** Where commands speak: results to the output, trouble to the error stream. */
export interface Screen {
  /** a person is watching */
  readonly isTerminal: boolean;
  readonly colors: ReturnType<typeof pico.createColors>;
  line(text?: string): void;
  write(text: string): void;
  complain(text: string): void;
}

export function createScreen(env: NodeJS.ProcessEnv = process.env): Screen {
  const isTerminal = process.stdout.isTTY === true && !env["CI"];
  const colors = pico.createColors(isTerminal && !env["NO_COLOR"] && env["TERM"] !== "dumb");
  // Whoever reads us may leave before we are done (`assay … | head`); that is no error of ours.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
  });
  return {
    isTerminal,
    colors,
    line: (text = "") => process.stdout.write(`${text}\n`),
    write: (text) => process.stdout.write(text),
    complain: (text) => process.stderr.write(`${text}\n`),
  };
}
