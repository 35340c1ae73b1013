import type { FoundCard, HeaderPairs, HttpClientOptions, Secret } from "@assay/wire";
import type { BaselineEntry } from "../define/baseline-entry.ts";
import type { Expectations } from "../define/expectations.ts";
import type { InvalidCredentials, PrincipalCredentials } from "../define/principal.ts";
import type { RunOptions } from "../options/derive.ts";
import type { RunEvent } from "../report/events.ts";
import type { PromptOptions } from "../stimuli/prompts.ts";
import type { AgentProcess } from "./agent-process.ts";
import type { BusyWait } from "./target/busy.ts";

/**
 * Everything a run needs to know; only `url`, `run`, `version` and `connection` have no sensible default. What an operator
 * chooses is declared in `options/test-options.ts`; times are in milliseconds here.
 */
export interface TestOptions extends PromptOptions, Omit<RunOptions, keyof PromptOptions> {
  /** the agent, its card, or its host */
  readonly url: string;
  /** where the card is, when it cannot be found from `url` */
  readonly card?: string;
  /** the card, where the caller has fetched it: the run does not ask for it again */
  readonly found?: FoundCard;
  /** the id of the run */
  readonly run: string;
  /** of this tool */
  readonly version: string;
  /** how to reach the agent; exchanges are recorded, and credentials kept, by the run itself */
  readonly connection: Omit<HttpClientOptions, "recording" | "credentials">;
  /** masked wherever something is written */
  readonly secrets?: readonly Secret[];
  /** credentials, sent with every request to where `url` and `card` are: the same scheme, host and port */
  readonly headers?: HeaderPairs;
  /** the same as parameters of the address; a client certificate is a part of `connection` */
  readonly query?: HeaderPairs;
  /**
   * Others the agent knows: `second` is isolated from the first, `restricted` may do less. Those under `invalid` it must
   * refuse, each for the reason that is its name.
   */
  readonly principals?: {
    readonly second?: PrincipalCredentials;
    readonly restricted?: PrincipalCredentials;
    readonly invalid?: Readonly<Record<string, InvalidCredentials>>;
  };
  readonly expectations?: Expectations;
  /** milliseconds: how long no interface may answer before the agent counts as gone */
  readonly goneAfter?: number;
  /** milliseconds: how long to try while the agent does not answer yet */
  readonly warmUp?: number;
  /** the process of the agent, where we started it */
  readonly process?: AgentProcess;
  /** where the agent can reach us with notifications; loopback unless given */
  readonly webhook?: { readonly listen?: { readonly host: string; readonly port: number }; readonly url?: string };
  readonly baseline?: readonly BaselineEntry[];
  /** ends the run behind what it learns, for an eighth of the messages and one more: no rule is examined */
  readonly learnOnly?: true;
  /** the events of a run that was cut off: what it finished is kept, the rest is examined */
  readonly resumes?: readonly RunEvent[];
  /** told when the run waits long for an agent that turns requests away; that is no event of the run */
  readonly onWait?: (wait: BusyWait) => void;
  readonly signal?: AbortSignal;
}
