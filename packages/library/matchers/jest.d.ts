import type { ConformanceDemands } from "@assay/library";

declare global {
  namespace jest {
    interface Matchers<R> {
      /** Fails unless the report says that the agent is conformant and meets these demands. */
      toBeConformant(expected?: ConformanceDemands): R;
    }
  }
}
