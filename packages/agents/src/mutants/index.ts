import type { Divergence } from "../definition/divergence.ts";
import { acceptanceMutants } from "./acceptance.ts";
import { atOnceMutants } from "./at-once.ts";
import { authMutants, certificateMutants, tokenMutants } from "./auth.ts";
import { cancelMutants } from "./cancel.ts";
import { cacheMutants, cardMutants } from "./card.ts";
import { contextMutants } from "./context.ts";
import { dataMutants } from "./data.ts";
import { errorMutants } from "./errors.ts";
import { extendedCardMutants } from "./extended-card.ts";
import { extensionMutants } from "./extensions.ts";
import { faultMutants } from "./faults.ts";
import { generationMutants } from "./generation.ts";
import { getMutants, historyMutants } from "./get.ts";
import { grpcMutants } from "./grpc.ts";
import { interopMutants, legacyMutants } from "./interop.ts";
import { jsonRpcMutants } from "./jsonrpc.ts";
import { inTaskAuthMutants, lifeMutants } from "./life.ts";
import { listMutants } from "./list.ts";
import { olderBindingMutants, olderMutants } from "./older-bindings.ts";
import { olderCardMutants } from "./older-cards.ts";
import { hybridMutants } from "./older-hybrid.ts";
import { olderLifecycleMutants } from "./older-lifecycle.ts";
import { olderPushMutants } from "./older-push.ts";
import { sharedMutants } from "./older-shared.ts";
import { v01Mutants } from "./older-v01.ts";
import { pushMutants } from "./push.ts";
import { pushDeliveryMutants } from "./push-delivery.ts";
import { restMutants } from "./rest.ts";
import { securityMutants } from "./security.ts";
import { sendMutants } from "./send.ts";
import { signatureMutants } from "./signature.ts";
import { streamMutants } from "./stream.ts";
import { streamClientMutants, streamUpdateMutants } from "./stream-updates.ts";
import { subscribeMutants } from "./subscribe.ts";
import { tenantMutants } from "./tenants.ts";
import { versionMutants } from "./version.ts";

/** Agents with one violation each. */
export const mutants: readonly Divergence[] = [
  ...cardMutants,
  ...cacheMutants,
  ...signatureMutants,
  ...extendedCardMutants,
  ...sendMutants,
  ...streamMutants,
  ...streamUpdateMutants,
  ...streamClientMutants,
  ...getMutants,
  ...historyMutants,
  ...listMutants,
  ...cancelMutants,
  ...subscribeMutants,
  ...contextMutants,
  ...atOnceMutants,
  ...lifeMutants,
  ...inTaskAuthMutants,
  ...pushMutants,
  ...pushDeliveryMutants,
  ...faultMutants,
  ...errorMutants,
  ...jsonRpcMutants,
  ...restMutants,
  ...grpcMutants,
  ...dataMutants,
  ...legacyMutants,
  ...interopMutants,
  ...versionMutants,
  ...extensionMutants,
  ...tenantMutants,
  ...authMutants,
  ...tokenMutants,
  ...certificateMutants,
  ...securityMutants,
  ...generationMutants,
  ...olderMutants,
  ...olderBindingMutants,
  ...olderPushMutants,
  ...olderCardMutants,
  ...olderLifecycleMutants,
  ...v01Mutants,
  ...hybridMutants,
  ...sharedMutants,
  ...acceptanceMutants,
];
