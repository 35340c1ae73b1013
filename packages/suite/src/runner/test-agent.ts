import type { RunEvent } from "../report/events.ts";
import { eventsOf } from "./execute/events-of.ts";
import { AgentTest } from "./execute/run.ts";
import type { TestOptions } from "./options.ts";
import { withTamperedTokens } from "./tampered-token.ts";

/** Tests an agent and yields every event. The run continues to its end, even if the agent misbehaves. */
export const testAgent = (options: TestOptions): AsyncGenerator<RunEvent, void> =>
  eventsOf(options.signal, (emit, signal) => new AgentTest(withTamperedTokens({ ...options, signal }), emit).execute());
