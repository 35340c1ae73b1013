import type { Property } from "../property.ts";
import { bodyProperties } from "./bodies.ts";
import { cardAddresses, cardCaching, cardMembers, cardServed, cardSignature } from "./card.ts";
import { compressionProperties } from "./compression.ts";
import { credentialProperties } from "./credentials.ts";
import { deliveryProperties } from "./delivery.ts";
import { errorProperties } from "./errors.ts";
import { grpcProperties } from "./grpc.ts";
import { headerProperties } from "./headers.ts";
import { pushProperties } from "./push.ts";
import { routingProperties } from "./routing.ts";
import { streamProperties } from "./streams.ts";

/** Every property, in the order of the report. */
export const properties: readonly Property[] = [
  cardServed,
  cardMembers,
  cardAddresses,
  cardSignature,
  cardCaching,
  ...routingProperties,
  ...headerProperties,
  ...bodyProperties,
  ...compressionProperties,
  ...errorProperties,
  ...streamProperties,
  ...deliveryProperties,
  ...credentialProperties,
  ...pushProperties,
  ...grpcProperties,
];
