import { readSecret } from "@assay/library/secrets";
import type { Screen } from "../terminal/screen.ts";

/** The address of a server, read like a secret because it may hold one: a literal is warned of where it does. */
export const readAddress = (flag: string, given: string, screen: Screen): string =>
  readSecret(flag, given, (place) => {
    if (URL.canParse(given) && new URL(given).password !== "")
      screen.complain(
        `warning: ${place}: a password on the command line is seen by others; env:NAME or @file keep it out.`,
      );
  });
