import type { Divergence } from "../definition/divergence.ts";
import { authVariants } from "./auth.ts";
import { cardVariants } from "./card.ts";
import { errorVariants } from "./errors.ts";
import { generationVariants } from "./generation.ts";
import { grpcVariants, httpVariants } from "./http.ts";
import { jsonVariants } from "./json.ts";
import { lateStoreVariants } from "./late-stores.ts";
import { memoryVariants } from "./memory.ts";
import { moody } from "./moody.ts";
import { natureVariants } from "./natures.ts";
import { olderBindingVariants } from "./older-bindings.ts";
import { olderCardVariants } from "./older-cards.ts";
import { hybridVariants } from "./older-hybrid.ts";
import { olderLifecycleVariants } from "./older-lifecycle.ts";
import { v01Variants } from "./older-v01.ts";
import { permissionVariants } from "./permissions.ts";
import { pushVariants } from "./push.ts";
import { sseVariants } from "./sse.ts";
import { surroundingVariants } from "./surroundings.ts";
import { taskVariants } from "./tasks.ts";
import { versionVariants } from "./version.ts";

/** Agents that are odd but legal. */
export const variants: readonly Divergence[] = [
  ...jsonVariants,
  ...sseVariants,
  ...httpVariants,
  ...errorVariants,
  ...taskVariants,
  ...memoryVariants,
  ...lateStoreVariants,
  ...pushVariants,
  ...authVariants,
  ...cardVariants,
  ...versionVariants,
  ...grpcVariants,
  ...generationVariants,
  ...permissionVariants,
  ...surroundingVariants,
  ...olderBindingVariants,
  ...olderCardVariants,
  ...hybridVariants,
  ...olderLifecycleVariants,
  ...v01Variants,
  ...natureVariants,
  moody,
];
