import type { Skill } from "../definition/skill.ts";
import { authRequired } from "./auth-required.ts";
import { big } from "./big.ts";
import { chunks } from "./chunks.ts";
import { dataTypes } from "./data-types.ts";
import { failAfter } from "./fail-after.ts";
import { fileUrl } from "./file-url.ts";
import { history } from "./history.ts";
import { internalError } from "./internal-error.ts";
import { invalidResponse } from "./invalid-response.ts";
import { longRunning } from "./long-running.ts";
import { manyArtifacts } from "./many-artifacts.ts";
import { messageOnly } from "./message-only.ts";
import { multiTurn } from "./multi-turn.ts";
import { recall } from "./recall.ts";
import { refine } from "./refine.ts";
import { rejected } from "./rejected.ts";
import { relay } from "./relay.ts";
import { slow } from "./slow.ts";
import { streaming } from "./streaming.ts";
import { taskCancel } from "./task-cancel.ts";
import { taskFailure } from "./task-failure.ts";
import { taskLifecycle } from "./task-lifecycle.ts";
import { throwing } from "./throw.ts";
import { unicode } from "./unicode.ts";

/** The eight skills of the public test bed, which client authors know. */
export const coreSkills: readonly Skill[] = [
  messageOnly,
  taskLifecycle,
  taskFailure,
  taskCancel,
  multiTurn,
  streaming,
  longRunning,
  dataTypes,
];

/** Skills for cases that the eight do not cover. */
export const moreSkills: readonly Skill[] = [
  authRequired,
  rejected,
  chunks,
  slow,
  failAfter,
  history,
  big,
  unicode,
  fileUrl,
  manyArtifacts,
  relay,
  throwing,
  recall,
  refine,
];

/** Skills on no card: internal failures of the agent as clients see them. */
export const breakdowns: readonly Skill[] = [internalError, invalidResponse];
