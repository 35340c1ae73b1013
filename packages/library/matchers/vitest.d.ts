import type { ConformanceDemands } from "@assay/library";
// biome-ignore lint/correctness/noUndeclaredDependencies: only projects that have vitest load this file
import "vitest";

declare module "vitest" {
  // biome-ignore lint/suspicious/noExplicitAny: as vitest has it
  interface Matchers<T = any> {
    /** Fails unless the report says that the agent is conformant and meets these demands. */
    toBeConformant(expected?: ConformanceDemands): void;
  }
}
