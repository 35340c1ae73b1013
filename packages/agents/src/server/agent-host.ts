import type { AgentCard, JsonObject, Operation, RequestOf, StreamResponse } from "@assay/protocol";
import type { CardEndpoint } from "../card/card-endpoint.ts";
import type { Caller, Identity } from "../definition/access.ts";
import type { AgentDefinition } from "../definition/agent.ts";
import type { Extension } from "../definition/skill.ts";
import type { Engine } from "../engine/engine.ts";
import type { PushService, WebhookBody } from "../push/service.ts";
import type { Admission } from "./admission.ts";
import type { CallerQuotas } from "./quotas.ts";

/** An agent that is being served: its declaration, and the parts that carry it out. */
export interface AgentHost {
  readonly definition: AgentDefinition;
  readonly cards: CardEndpoint;
  readonly engine: Engine;
  readonly push: PushService;
  readonly admission: Admission;
  readonly identity: Identity;
  readonly perform: Perform;
  /** what one caller may have, where that is limited */
  readonly quotas: CallerQuotas | undefined;
  /** the card as it is served at an address */
  card(baseUrl: string): Promise<JsonObject>;
  extendedCard(baseUrl: string): AgentCard;
}

/** Carries out an operation for a request that was admitted. */
export type Perform = <O extends Operation>(
  host: AgentHost,
  operation: O,
  request: RequestOf<O>,
  invocation: Invocation,
) => Promise<Outcome>;

/** A request below the wire: decoded, its caller known, its version and extensions settled. */
export interface Invocation {
  readonly tenant: string;
  readonly caller: Caller | undefined;
  /** where what is held for the caller is charged */
  readonly account: string;
  readonly extensions: readonly Extension[];
  /** the value of the Authorization header, where there was one */
  readonly authorization: string | undefined;
  readonly baseUrl: string;
  /** the caller's dialect lets clients name their tasks */
  readonly clientIds: boolean;
  /** what webhooks of the caller's dialect are told; the event itself, unless given */
  readonly webhookBody: WebhookBody | undefined;
  /** the signal is aborted when the client is gone; making one costs something, so it is made when it is looked at */
  readonly client: { readonly signal: AbortSignal };
}

export type Outcome =
  | { readonly answer: unknown; readonly events?: never }
  | { readonly events: AsyncIterable<StreamResponse>; readonly answer?: never };
