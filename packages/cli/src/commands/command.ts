import type { Command } from "commander";
import type { ExitCode } from "../exit.ts";
import type { Screen } from "../terminal/screen.ts";

/** Adds one command to the program; it reports how it ended. */
export type AddCommand = (program: Command, screen: Screen, done: (code: ExitCode) => void) => void;
