import type { Property } from "../property.ts";
import { bodyProperties } from "./bodies.ts";
import { cardAddresses, cardCaching, cardMembers, cardServed, cardSignature } from "./card.ts";
import { credentialProperties } from "./credentials.ts";
import { deliveryProperties } from "./delivery.ts";
import { errorProperties } from "./errors.ts";
import { headerProperties } from "./headers.ts";
import { streamProperties } from "./streams.ts";

/** Every property, in the order of the report. */
export const properties: readonly Property[] = [
  cardServed,
  cardMembers,
  cardAddresses,
  cardSignature,
  cardCaching,
  ...headerProperties,
  ...bodyProperties,
  ...errorProperties,
  ...streamProperties,
  ...deliveryProperties,
  ...credentialProperties,
];
