import type { JsonObject } from "@assay/protocol";
import type { CardEndpoint } from "../card/card-endpoint.ts";
import type { Identity } from "../definition/access.ts";
import type { Admission } from "../definition/admission.ts";
import type { Perform } from "../definition/call.ts";
import type { LayeredAgent } from "../definition/layers.ts";
import type { Engine } from "../engine/engine.ts";
import type { PushService } from "../push/service.ts";
import type { CallerQuotas } from "./quotas.ts";

/** A served agent: its declaration and its running parts. */
export interface ServedAgent extends LayeredAgent {
  readonly cards: CardEndpoint;
  readonly engine: Engine;
  readonly push: PushService;
  readonly admission: Admission;
  readonly identity: Identity;
  readonly perform: Perform;
  /** limits of one caller, if any */
  readonly quotas: CallerQuotas | undefined;
  /** the card as served at an address */
  card(baseUrl: string): Promise<JsonObject>;
}
