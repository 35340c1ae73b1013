import type { RuleSet } from "@assay/suite";
import type { Depth } from "@assay/suite/report";

/** How an agent is reached and who asks; as the flags of the command line, under the same names. */
export interface ConnectionOptions {
  /** `env:NAME`, `@file`, or the token itself */
  readonly bearer?: string;
  /** `user:secret`, the secret as for `bearer` */
  readonly basic?: string;
  /** `header-name=secret`, or `query:name=secret`, `cookie:name=secret`; the secret as for `bearer` */
  readonly apiKey?: string;
  /** logs in as this OAuth client, `id:secret`, at the token URL, the only place that sees the secret */
  readonly oauthClient?: string;
  readonly tokenUrl?: string;
  /** sent with every request to the address that `url` names */
  readonly headers?: Readonly<Record<string, string>>;
  /** files in PEM form: a further certificate authority, a client certificate and its key */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  /** accepts any certificate of the server */
  readonly insecure?: boolean;
  /** hosts that may be contacted although `url` does not name them, or although they are private */
  readonly allowHosts?: readonly string[];
  /** `host[:port]` that may see the credentials besides the address that `url` names */
  readonly trustHosts?: readonly string[];
  /** goes into our User-Agent, for those who run the agent */
  readonly contact?: string;
  /** seconds without a byte after which a request is given up; 60 unless given */
  readonly timeout?: number;
}

/** What a test may be told. Everything has the default of the command line; no file is read unless `config` names one. */
export interface AgentTestOptions extends ConnectionOptions {
  readonly depth?: Depth;
  readonly bindings?: readonly ("JSONRPC" | "HTTP+JSON" | "GRPC")[];
  readonly dialects?: readonly ("0.1" | "0.2" | "0.3" | "1.0")[];
  /** ids, globs of ids, areas, sections such as §3.1.4 */
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  /** ids of skills, or `all`: with more than one, each is tried with its first example */
  readonly skills?: readonly string[];
  /** where the card is, when it cannot be found from the address */
  readonly card?: string;
  /** an assay.yaml: prompts, expectations, principals and the rest */
  readonly config?: string;
  /** secrets that `config` names and that lie outside of its folder, each with its host: `@file@host[:port]` */
  readonly allowSecrets?: readonly string[];
  /** ignores the secret references of `config`, and the hosts that it allows and trusts */
  readonly untrustedConfig?: boolean;
  /** the most messages to send */
  readonly budget?: number;
  readonly concurrency?: number;
  /** requests a second, at most */
  readonly rate?: number;
  /** seconds */
  readonly taskTimeout?: number;
  readonly maxTime?: number;
  readonly grace?: number;
  readonly rude?: boolean;
  readonly useExamples?: boolean;
  readonly convention?: "tck" | "acts";
  readonly strict?: boolean;
  readonly production?: boolean;
  readonly ruleSet?: RuleSet;
  /** the SDK of the agent, such as `a2a-python@1.3.0`; recognised by its answers unless given */
  readonly sdk?: string;
  /** accepts known faults of the SDK as a baseline would */
  readonly ignoreKnownSdk?: boolean;
  /** a file of failures that are known and do not count */
  readonly baseline?: string;
  /** where the agent reaches our webhook, when it is not on this machine */
  readonly webhookUrl?: string;
  readonly webhookListen?: string;
  readonly signal?: AbortSignal;
}
