import { type Command, type Exhibit, toldTo } from "@assay/agents/gallery";
import { run } from "../../packages/cli/src/main.ts";
import { paperScreen } from "../../packages/cli/src/screen.fixture.ts";

/** What a command said, and how it ended. */
export interface Said {
  readonly exit: number;
  /** on the screen */
  readonly said: string;
  /** and in its report */
  readonly all: string;
}

/** As it stands in a log; white space does not matter. */
export async function assay(command: Command, url: string, flags: readonly string[] = []): Promise<Said> {
  const more: Readonly<Record<Command, readonly string[]>> = {
    // Remedies are for reports; with a report on the output, the rest goes beside it.
    test: ["--depth", "quick", "--no-record", "--no-config", "--report", "markdown"],
    card: [],
    send: ["hello"],
  };
  const screen = paperScreen({ isTerminal: false });
  const exit = await run([command, url, ...more[command], ...flags], screen);
  const [out, err] = [screen.out(), screen.err()].map((text) => text.replaceAll(/\s+/g, " "));
  return { exit, said: command === "test" ? err! : `${out} ${err}`, all: `${out} ${err}` };
}

export interface Wanted {
  readonly exit: number;
  readonly says: string;
  readonly fix: string;
}

/** What an exhibit asks a command to say; a command that ends well has nothing to advise. */
export function wantedOf({ id, says, fix = "", exit }: Exhibit, command: Command, typed: string): Wanted {
  const { origin, host } = new URL(typed);
  const places: Readonly<Record<string, string>> = { typed, origin, host, at: `${origin}/gallery/${id}` };
  const filled = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (whole, name) => places[name] ?? whole);
  const code = toldTo(exit)[command];
  return { exit: code, says: filled(toldTo(says)[command]), fix: code === 0 ? "" : filled(fix) };
}
