import type { PassiveClientCheck } from "../../../client/client-check.ts";
import { clientConversationChecks } from "./conversations.ts";
import { clientCredentialChecks } from "./credentials.ts";
import { clientDataChecks } from "./data.ts";
import { olderClientChecks } from "./older-requests.ts";
import { clientRequestChecks } from "./requests.ts";
import { clientParameterChecks } from "./service-parameters.ts";
import { clientTenantChecks } from "./tenants.ts";
import { clientVersionChecks } from "./versions.ts";
import { clientWebhookChecks } from "./webhooks.ts";

/** What any call of a client shows, whatever it was made for. */
export const passiveClientChecks: readonly PassiveClientCheck[] = [
  ...clientVersionChecks,
  ...clientParameterChecks,
  ...clientRequestChecks,
  ...clientDataChecks,
  ...clientTenantChecks,
  ...clientConversationChecks,
  ...clientCredentialChecks,
  ...clientWebhookChecks,
  ...olderClientChecks,
];
