import type { PeerInterface } from "@assay/wire";
import type { AgentFound } from "../../report/events.ts";
import { interfaceName } from "../interface-name.ts";
import type { TestOptions } from "../options.ts";

/** The first interface of each binding and version: what others of the same kind differ in is examined by its own rules. */
export function chooseInterfaces(
  speakable: readonly PeerInterface[],
  { bindings, dialects }: Pick<TestOptions, "bindings" | "dialects">,
): { tested: PeerInterface[]; leftOut: AgentFound["leftOut"] } {
  const tested: PeerInterface[] = [];
  const leftOut: { interface: ReturnType<typeof interfaceName>; because: string }[] = [];
  for (const on of speakable) {
    const because = whyLeftOut(on, tested, bindings, dialects);
    if (because === undefined) tested.push(on);
    else if (leftOut.length < 50) leftOut.push({ interface: interfaceName(on), because });
  }
  return { tested, leftOut };
}

function whyLeftOut(
  on: PeerInterface,
  tested: readonly PeerInterface[],
  bindings: TestOptions["bindings"],
  dialects: TestOptions["dialects"],
): string | undefined {
  if (bindings && !bindings.includes(on.binding)) return "left out by --binding";
  if (dialects && !dialects.includes(on.dialect)) return "left out by --dialect";
  const same = tested.find(({ binding, dialect }) => binding === on.binding && dialect === on.dialect);
  return same && "the first interface of this binding and version is tested";
}
