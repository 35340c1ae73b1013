import type { ErrorName } from "../../errors.ts";
import { errorsWith } from "../errors.ts";
import type { Release } from "../releases.ts";

const since10 = {
  ExtensionSupportRequired: "UnsupportedOperation",
  VersionNotSupported: "UnsupportedOperation",
  TaskGenerationMismatch: "UnsupportedOperation",
} as const;

/**
 * -32010 comes with 1.1, -32008 and -32009 came with 1.0, -32007 with 0.3. Errors that a dialect lacks become
 * UnsupportedOperation.
 */
export const errorsInsteadOf = (release: Release): Partial<Record<ErrorName, ErrorName>> =>
  release === "0.3" ? since10 : { ...since10, ExtendedAgentCardNotConfigured: "UnsupportedOperation" };

/** The schemas have a text for each error. Clients match the one for an unknown task. */
export const errorsOf = (release: Release) =>
  errorsWith({ instead: errorsInsteadOf(release), texts: { TaskNotFound: "Task not found" } });
