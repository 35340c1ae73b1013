import { type ActsFile, notForClients, type Test } from "@assay/scenarios";
import { bindingWords, type Pairing } from "./pairing.ts";

/** The scenarios that a client can be asked to go through over a binding, in a version. */
export const testsFor = (
  { suites }: ActsFile,
  { binding, version }: Pick<Pairing, "binding" | "version">,
): readonly Test[] =>
  suites
    .flatMap(({ tests }) => tests)
    .filter((test) => notForClients(test) === undefined)
    .filter(({ transports }) => transports?.includes(bindingWords[binding]) ?? true)
    .filter(({ agent }) => agent !== "spec03" || version === "0.3");
