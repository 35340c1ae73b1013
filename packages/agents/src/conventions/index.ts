import type { Convention } from "../definition/agent.ts";
import { acts } from "./acts.ts";
import { tck } from "./tck.ts";

/** In the order they are asked: a messageId is made by a test suite, a text may come from any client. */
export const conventions: readonly Convention[] = [tck, acts];
