import type { PassiveClientCheck } from "../../../client/client-check.ts";
import { clientConversationChecks } from "./conversations.ts";
import { clientDataChecks } from "./data.ts";
import { clientRequestChecks } from "./requests.ts";
import { clientParameterChecks } from "./service-parameters.ts";
import { clientTenantChecks } from "./tenants.ts";
import { clientVersionChecks } from "./versions.ts";

/** What any call of a client shows, whatever it was made for. */
export const passiveClientChecks: readonly PassiveClientCheck[] = [
  ...clientVersionChecks,
  ...clientParameterChecks,
  ...clientRequestChecks,
  ...clientDataChecks,
  ...clientTenantChecks,
  ...clientConversationChecks,
];
