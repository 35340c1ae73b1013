import type { Check } from "../../../check.ts";
import { kindChecks } from "./kinds.ts";
import { schemaChecks } from "./schema.ts";
import { wordChecks } from "./words.ts";

/** V03-DATA */
export const olderDataChecks: readonly Check[] = [...kindChecks, ...wordChecks, ...schemaChecks];
