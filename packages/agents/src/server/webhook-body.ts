import { randomUUID } from "node:crypto";
import { type DialectVersion, startExchange } from "@assay/protocol/core";
import type { WebhookBody } from "../push/service.ts";
import { dialectOf } from "./dialects.ts";

/** A task as webhooks of older versions get it; the two wires of 0.3 told their webhooks the same. */
export const webhookBodyIn = (version: DialectVersion): WebhookBody => ({
  version,
  write: (task) => dialectOf(version).writeAnswer("GetTask", task, startExchange(randomUUID)),
});
