import type { IncomingHttpHeaders } from "node:http";
import type { Dialect, Operation } from "@assay/protocol";
import type { ClientCertificate } from "@assay/wire/server";
import type { Caller } from "./access.ts";
import type { AgentDefinition } from "./agent.ts";
import type { Extension } from "./skill.ts";

/** What carries a request's service parameters, on whichever binding. */
export interface RequestHead {
  readonly headers: IncomingHttpHeaders;
  /** the query of an HTTP request; gRPC has none */
  readonly query?: string;
  readonly remoteAddress: string;
  readonly certificate: ClientCertificate | undefined;
  readonly signal: AbortSignal;
}

/** What a request passes before it is carried out. */
export interface Admission {
  /** who is calling; `undefined` where the agent does not ask */
  authenticate(head: RequestHead, agent: AgentDefinition): Caller | undefined | Promise<Caller | undefined>;
  authorize(caller: Caller | undefined, operation: Operation, agent: AgentDefinition): void;
  /** the dialect of a JSON-RPC call */
  dialect(head: RequestHead, agent: AgentDefinition, method: string): Dialect;
  /** refuses a version that the interface does not speak */
  version(head: RequestHead, agent: AgentDefinition): void;
  extensions(head: RequestHead, agent: AgentDefinition): readonly Extension[];
  tenant(tenant: string | undefined, agent: AgentDefinition): string;
}
