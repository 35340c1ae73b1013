import { createColors } from "../terminal/colors.ts";
import type { Screen } from "../terminal/screen.ts";

/** A library prints nothing: what has to be said is returned or thrown. */
export const silentScreen: Screen = {
  isTerminal: false,
  canRepaint: false,
  colors: createColors(false),
  size: () => ({ columns: 100, rows: 24 }),
  line() {},
  json() {},
  hideBy() {},
  write() {},
  commands() {},
  complain() {},
  aside: () => silentScreen,
};
