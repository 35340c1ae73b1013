import type { IncomingHttpHeaders } from "node:http";
import type { Dialect, Operation } from "@assay/protocol";
import type { ClientCertificate } from "@assay/wire/server";
import type { Caller } from "./access.ts";
import type { AgentDefinition } from "./agent.ts";
import type { Extension } from "./skill.ts";

/** The service parameters of a request, on any binding. */
export interface RequestHead {
  readonly headers: IncomingHttpHeaders;
  /** the query of an HTTP request; gRPC has none */
  readonly query?: string;
  readonly remoteAddress: string;
  readonly certificate: ClientCertificate | undefined;
  readonly signal: AbortSignal;
}

/** The steps that admit a request before its operation runs. */
export interface Admission {
  /** the caller; `undefined` if the agent requires no credentials */
  authenticate(head: RequestHead, agent: AgentDefinition): Caller | undefined | Promise<Caller | undefined>;
  authorize(caller: Caller | undefined, operation: Operation, agent: AgentDefinition): void;
  /** the dialect of a JSON-RPC call */
  dialect(head: RequestHead, agent: AgentDefinition, method: string): Dialect;
  /** rejects a version that the interface does not support */
  version(head: RequestHead, agent: AgentDefinition): void;
  extensions(head: RequestHead, agent: AgentDefinition): readonly Extension[];
  tenant(tenant: string | undefined, agent: AgentDefinition): string;
}
