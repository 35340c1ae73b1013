import type { Check } from "../../check.ts";
import { interfacesWork } from "./interfaces-work.ts";

/** CARD, CACHE, SIG, XCARD */
export const cardChecks: readonly Check[] = [interfacesWork];
