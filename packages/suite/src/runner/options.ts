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
 * Everything a run needs. Only `url`, `run`, `version` and `connection` have no default. `options/test-options.ts`
 * declares the options of the operator. Times are in milliseconds here.
 */
export interface TestOptions extends PromptOptions, Omit<RunOptions, keyof PromptOptions> {
  /** the agent, its card, or its host */
  readonly url: string;
  /** the address of the card, if it cannot be found from `url` */
  readonly card?: string;
  /** the card, if the caller has already fetched it */
  readonly found?: FoundCard;
  /** the id of the run */
  readonly run: string;
  /** version of this tool */
  readonly version: string;
  /** how to reach the agent; the run itself records exchanges and binds credentials */
  readonly connection: Omit<HttpClientOptions, "recording" | "credentials">;
  /** masked in all output */
  readonly secrets?: readonly Secret[];
  /** credentials, sent with every request to the origins of `url` and `card`: same scheme, host and port */
  readonly headers?: HeaderPairs;
  /** the same as query parameters; a client certificate belongs to `connection` */
  readonly query?: HeaderPairs;
  /**
   * Other principals that the agent knows: `second` is isolated from the user, `restricted` has fewer rights. The
   * agent must reject those under `invalid`, whose keys name the reason.
   */
  readonly principals?: {
    readonly second?: PrincipalCredentials;
    readonly restricted?: PrincipalCredentials;
    readonly invalid?: Readonly<Record<string, InvalidCredentials>>;
  };
  readonly expectations?: Expectations;
  /** milliseconds without a response on any interface after which the agent counts as gone */
  readonly goneAfter?: number;
  /** milliseconds to retry while the agent does not answer yet */
  readonly warmUp?: number;
  /** the process of the agent, if Assay started it */
  readonly process?: AgentProcess;
  /** where the agent can reach the webhook of Assay (default: loopback) */
  readonly webhook?: { readonly listen?: { readonly host: string; readonly port: number }; readonly url?: string };
  readonly baseline?: readonly BaselineEntry[];
  /** stops the run after learning, at the cost of an eighth of the messages plus one: no rule is examined */
  readonly learnOnly?: true;
  /** tests only the newest version before 1.0 that the agent speaks, or 1.0 if there is none */
  readonly olderOnly?: boolean;
  /** the events of an interrupted run: its finished results stay, the rest is examined */
  readonly resumes?: readonly RunEvent[];
  /** called when the run waits long for an agent that rejects requests; not an event of the run */
  readonly onWait?: (wait: BusyWait) => void;
  readonly signal?: AbortSignal;
}
