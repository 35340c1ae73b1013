import type { ConformanceDemands } from "@assay/library";

interface ConformanceMatcher<R> {
  /** Fails unless the report says that the agent is conformant and meets these demands. */
  toBeConformant(expected?: ConformanceDemands): R;
}

/** For the global functions of `@types/jest`. */
declare global {
  namespace jest {
    interface Matchers<R> extends ConformanceMatcher<R> {}
  }
}

/** For `@jest/globals`. Both packages of types bring this module. */
declare module "expect" {
  interface Matchers<R> extends ConformanceMatcher<R> {}
}
