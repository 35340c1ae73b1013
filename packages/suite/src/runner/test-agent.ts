import type { RunEvent } from "../report/events.ts";
import { eventsOf } from "./execute/events-of.ts";
import { AgentTest } from "./execute/run.ts";
import type { TestOptions } from "./options.ts";
import { withTamperedTokens } from "./tampered-token.ts";

/** Tests an agent and tells everything as it happens. Whatever the agent does, the run goes on to its end. */
export const testAgent = (options: TestOptions): AsyncGenerator<RunEvent, void> =>
  eventsOf(options.signal, (emit, signal) => new AgentTest(withTamperedTokens({ ...options, signal }), emit).execute());
