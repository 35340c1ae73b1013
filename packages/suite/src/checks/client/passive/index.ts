import type { PassiveClientCheck } from "../../../client/client-check.ts";
import { clientConversationChecks } from "./conversations.ts";
import { clientCredentialChecks } from "./credentials.ts";
import { clientDataChecks } from "./data.ts";
import { clientRequestChecks, olderClientChecks } from "./requests.ts";
import { clientParameterChecks, clientTenantChecks, clientVersionChecks } from "./service-parameters.ts";
import { clientWebhookChecks } from "./webhooks.ts";

/** Checks of any call of a client. */
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
