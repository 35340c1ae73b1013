import type { Convention } from "../definition/agent.ts";
import { acts } from "./acts.ts";
import { tck } from "./tck.ts";

/** In order of precedence: only test suites set such a messageId, but any client may send the text. */
export const conventions: readonly Convention[] = [tck, acts];
